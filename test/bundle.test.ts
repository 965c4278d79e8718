import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const BUNDLE = resolve('bin/bundle.js');

/** How many texts the loader changes while it loads the entry of the command line. */
const COUNT = `
  let changed = 0;
  const replaceAll = String.prototype.replaceAll;
  String.prototype.replaceAll = function (...args) {
    const text = replaceAll.apply(this, args);
    if (args[0] === '{...{},' && text.length < this.length) changed++;
    return text;
  };
  require(${JSON.stringify(BUNDLE)}).load('main.cjs');
  process.stdout.write(String(changed));
`;

test('on Node 22 and newer the bundle omits the empty spreads that Node 20 needs', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', COUNT], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(Number(stdout) > 0).toBe(Number.parseInt(process.versions.node, 10) >= 22);
});
