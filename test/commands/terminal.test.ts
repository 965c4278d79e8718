import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { run } from './cli.ts';

const env = { NODE_OPTIONS: `--require ${join(import.meta.dirname, 'asTerminal.cjs')}`, TERM: 'xterm' };

test.each([
  ['--help'],
  ['failover', 'simulate', '--help'],
  ['failover', 'status', '--state', 'examples/shop'],
  ['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt'],
  ['eviction', 'inspect', '--state', 'examples/shop'],
])('on a terminal too: %s %s', (...argv) => {
  const { code, stderr } = run(argv, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('colour is for terminals', () => {
  const { stdout } = run(['failover', 'status', '--state', 'examples/shop'], { env });
  // eslint-disable-next-line no-control-regex
  expect(stdout).toMatch(/\u001b\[3[123]m/);
});
