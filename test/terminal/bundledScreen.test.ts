import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const dist = resolve('dist');

/** Opens the bundle's screen on a fake terminal, shows a drain and closes it. */
const DRAW = `
  const { EventEmitter } = require('node:events');
  const written = [];
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true, columns: 80, rows: 24, write: (text) => { written.push(text); return true; },
  });
  const stdin = Object.assign(new EventEmitter(), { isTTY: true });
  for (const name of ['setRawMode', 'setEncoding', 'resume', 'pause']) stdin[name] = () => stdin;
  const same = (text) => text;
  const style = { plain: same, good: same, bad: same, warn: same, faint: same, strong: same };
  const characters = {
    bar: { done: '#', underWay: '=', toCome: '.' },
    path: '>', chosen: '> ', up: ' ^', down: ' v', dot: '|', cursor: '_',
  };
  const none = () => undefined;
  const terminal = { stdin, stdout, style, coloured: false, characters, departure: 1000, interrupt: none, hungUp: none };
  require(process.argv[1]).openDrainScreen(terminal).then(async (screen) => {
    screen.show({ clusters: ['frankfurt'], now: 5000, startedAt: 0, workloads: [], pace: { mode: 'normal', rate: 1, reason: '' } });
    screen.close();
    process.stdout.write(written.join(''));
  });
`;

test.each(['', 'true'])('the bundled screen opens with DEV=%s', (DEV) => {
  const chunk = readdirSync(dist).find((name) => /^openDrainScreen-.*\.cjs$/.test(name));
  const { CI: _, CONTINUOUS_INTEGRATION: __, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', DRAW, join(dist, chunk!)], {
    encoding: 'utf8',
    env: { ...env, DEV },
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/Drain of frankfurt {3}\d+s/);
});
