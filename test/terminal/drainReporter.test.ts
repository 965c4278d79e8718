import { describe, expect, test } from '@jest/globals';
import { openReporter, reportForm } from '../../src/terminal/drainReporter.ts';
import type { DrainEvent } from '../../src/analysis/drain/decide/drainStep.ts';
import { handmadePlan } from '../views/drain/handmadePlan.ts';
import { progressAfter, START } from '../views/drain/scriptedDrain.ts';
import { fakeTerminal } from './screen/fakeTerminal.ts';

const stream = (isTTY: boolean) => ({
  isTTY,
  written: '',
  write(text: string) {
    this.written += text;
    return true;
  },
});
const form = (flags: { output?: string; progress?: string }, isTTY: boolean, env: NodeJS.ProcessEnv = {}) =>
  reportForm(flags, {
    stdin: stream(isTTY) as unknown as NodeJS.ReadStream & { fd: 0 },
    stdout: stream(isTTY) as unknown as NodeJS.WriteStream & { fd: 1 },
    env,
  });

describe('the drain output is', () => {
  test.each<[string, { output?: string; progress?: string }, boolean, NodeJS.ProcessEnv, string]>([
    ['the screen on a terminal', {}, true, { TERM: 'xterm' }, 'screen'],
    ['the screen on a terminal without colours', {}, true, { TERM: 'xterm', NO_COLOR: '1' }, 'screen'],
    ['plain lines in a pipe', {}, false, { TERM: 'xterm' }, 'plain'],
    ['plain lines with --progress=plain', { progress: 'plain' }, true, {}, 'plain'],
    ['plain lines on a dumb terminal', {}, true, { TERM: 'dumb' }, 'plain'],
    ['plain lines with INK_SCREEN_READER', {}, true, { INK_SCREEN_READER: 'true' }, 'plain'],
    ['plain lines on a terminal of a CI system', {}, true, { CI: 'true' }, 'plain'],
    ['the screen on a terminal with CI=false', {}, true, { CI: 'false' }, 'screen'],
    ['JSON on a terminal', { output: 'json' }, true, {}, 'json'],
    ['JSON in a pipe', { output: 'json', progress: 'plain' }, false, {}, 'json'],
    ['the screen on a terminal with -o wide', { output: 'wide' }, true, {}, 'screen'],
  ])('%s', (_who, flags, isTTY, env, expected) => {
    expect(form(flags, isTTY, env)).toBe(expected);
  });
});

const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };
const binding = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
const events: DrainEvent[] = [
  { time: START, type: 'started', clusters: ['frankfurt'], workloads: 1, resumed: false },
  { time: START + 1000, type: 'skipped', workload, binding, reason: 'no feasible cluster' },
  { time: START + 2000, type: 'skipped', workload, binding, reason: 'no feasible cluster' },
  { time: START + 3000, type: 'skipped', workload, binding, reason: 'another reason' },
  { time: START + 4000, type: 'evicted', workload, binding, from: [{ name: 'frankfurt', replicas: 2 }] },
];
const result = {
  outcome: 'not-finished' as const,
  reason: 'interrupted',
  gone: 0,
  workloads: [],
  seconds: 5,
};

async function reported(as: 'json' | 'plain') {
  const [stdout, stderr] = [stream(false), stream(false)];
  const reporter = await openReporter(as, handmadePlan, {
    stdin: stream(false) as unknown as NodeJS.ReadStream & { fd: 0 },
    stdout: stdout as unknown as NodeJS.WriteStream & { fd: 1 },
    stderr: stderr as unknown as NodeJS.WriteStream & { fd: 2 },
    env: {},
  });
  for (const event of events) reporter.event(event);
  reporter.progress(progressAfter(5, 1));
  reporter.event({ time: START + 5000, type: 'finished', result });
  reporter.stopping();
  await reporter.close();
  reporter.result(result);
  return { stdout: stdout.written, stderr: stderr.written };
}

test('plain lines omit repeated reasons, and report the end once', async () => {
  expect(await reported('plain')).toEqual({
    stdout: [
      'T+0s     draining frankfurt: 1 workload',
      'T+1s     skipped shop/deployment/cart: no feasible cluster',
      'T+3s     skipped shop/deployment/cart: another reason',
      'T+4s     evicted shop/deployment/cart from frankfurt (2 replicas)',
      'Not finished: interrupted',
      '0 workloads have left after 5s',
      '',
    ].join('\n'),
    stderr: 'stopping after the current write; Ctrl-C again ends at once\n',
  });
});

test('JSON documents contain every event, and the end once', async () => {
  const { stdout, stderr } = await reported('json');
  const documents = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; type?: string });
  expect(documents.map(({ kind, type }) => type ?? kind)).toEqual([
    'started',
    'skipped',
    'skipped',
    'skipped',
    'evicted',
    'DrainResult',
  ]);
  expect(stderr).toBe('');
});

test('stderr is held while the screen is open, and printed afterwards', async () => {
  const terminal = fakeTerminal();
  const stderr = stream(true);
  const reporter = await openReporter('screen', handmadePlan, {
    stdin: terminal.stdin as NodeJS.ReadStream & { fd: 0 },
    stdout: terminal.stdout as NodeJS.WriteStream & { fd: 1 },
    stderr: stderr as unknown as NodeJS.WriteStream & { fd: 2 },
    env: { LANG: 'en_US.UTF-8' },
  });
  reporter.progress(progressAfter(29, 12));
  stderr.write('warning: depre');
  stderr.write('cated\n');
  expect(stderr.written).toBe('');
  await reporter.close();
  await reporter.close();
  expect(terminal.text()).toMatch(/warning: deprecated\n(.*\n)*.*Drain of frankfurt/);
  stderr.write('error: gone\n');
  expect(stderr.written).toBe('error: gone\n');
});
