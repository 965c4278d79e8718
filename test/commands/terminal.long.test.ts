import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { run } from './cli.ts';
import { preloading } from '../program.ts';

const env = { ...preloading(join(import.meta.dirname, 'asTerminal.cjs')), TERM: 'xterm' };

test.each([
  ['--help'],
  ['failover', 'simulate', '--help'],
  ['failover', 'status', '--state', 'examples/shop'],
  ['failover', 'simulate', '--state', 'examples/shop', '--fail', 'frankfurt'],
  ['eviction', 'inspect', '--state', 'examples/shop'],
])('the command succeeds on a terminal: %s %s', (...argv) => {
  const { code, stderr } = run(argv, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('a terminal gets colours', () => {
  const { stdout } = run(['failover', 'status', '--state', 'examples/shop'], { env });
  // eslint-disable-next-line no-control-regex
  expect(stdout).toMatch(/\u001b\[3[123]m/);
});

describe.each([80, 60])('a terminal of %s columns', (columns) => {
  const on = (state: string, argv: string[]) =>
    run([...argv, '--state', state], {
      env: { ...env, NO_COLOR: '1', TERMINAL_COLUMNS: String(columns) },
    }).stdout.split('\n');
  /** Commands to copy are never wrapped: the terminal returns them whole. */
  const isCommand = (line: string) => line.trimStart().startsWith('kubectl ');

  test.each(
    [
      ['failover', 'status'],
      ['failover', 'status', 'frankfurt'],
      ['failover', 'simulate', '--fail', 'frankfurt'],
      ['failover', 'simulate', '--fail', 'frankfurt', '--timeline'],
      ['failover', 'simulate', '--fail', 'frankfurt', '-o', 'wide'],
      ['failover', 'explain', 'statefulset/ledger'],
      ['failover', 'explain', 'deployment/cart', '-o', 'wide'],
      ['failover', 'diff', '--from', 'v1.13', '--to', 'v1.18'],
      ['eviction', 'inspect'],
      ['eviction', 'inspect', '-o', 'wide'],
      ['drain', 'frankfurt', '--dry-run=client'],
      ['drain', 'frankfurt', '--dry-run=client', '-o', 'wide'],
      ['taint-policy', 'list'],
      ['taint-policy', 'explain'],
      ['taint-policy', 'apply', '-f', 'test/fixtures/taint-policies/network.yaml'],
      ['taint-policy', 'apply', '-f', 'test/fixtures/evicts.yaml'],
    ].map((argv) => [argv.join(' '), argv] as const),
  )('shows no wider line for %s', (_, argv) => {
    const wider = ['examples/shop', 'examples/incident'].flatMap((state) =>
      on(state, argv).filter((line) => [...line].length > columns && !isCommand(line)),
    );
    expect(wider).toEqual([]);
  });
});

test('a narrow terminal hides columns and lists them, and -o wide shows all', () => {
  const inspect = (...more: string[]) =>
    run(['eviction', 'inspect', '--state', 'examples/incident', ...more], {
      env: { ...env, TERMINAL_COLUMNS: '80' },
    }).stdout;
  expect(inspect()).toContain('Hidden: MODE, AGE (--limit=0 shows all)');
  expect(inspect('-o', 'wide')).toContain('Gracefully');
  expect(inspect('-o', 'wide')).not.toContain('Left out');
});
