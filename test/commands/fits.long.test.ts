import { describe, expect, test } from '@jest/globals';
import { linesOnTerminal } from './cli.ts';

const COLUMNS = 80;
const ROWS = 24;
/** A line of a row that was turned into a list of names and values. */
const RECORD = /^[A-Z]{3,}(?: [A-Z]+)* {2,}\S*[a-z]\S*$/;

interface Subject {
  state: string;
  workload: string;
  cluster: string;
  other: string;
}

const shop = { state: 'examples/shop', workload: 'deploy/pricing', cluster: 'frankfurt', other: 'dublin' };
const subjects: Subject[] = [
  shop,
  { ...shop, state: 'examples/incident' },
  { state: 'examples/incident.rec', workload: 'data/deploy/auth-8', cluster: 'par1', other: 'tok1' },
];

/** Every command that gives a text answer about a state. */
function answers({ workload, cluster, other }: Subject): string[][] {
  return [
    ['failover', 'status'],
    ['failover', 'status', cluster],
    ['failover', 'audit'],
    ['failover', 'audit', '--pairs'],
    ['failover', 'audit', '--safe-together', '2'],
    ['failover', 'simulate', '--fail', cluster],
    ['failover', 'simulate', '--fail', cluster, '--timeline'],
    ['failover', 'simulate', '--fail', cluster, '--gantt'],
    ['failover', 'simulate', '--fail', cluster, '--fail', other],
    ['failover', 'diff', '--from', 'v1.13', '--to', 'v1.18'],
    ['failover', 'diff', '--from', 'v1.13', '--to', 'v1.18', '--fail', cluster],
    ['failover', 'explain', workload],
    ['failover', 'explain', workload, '--if-fails', cluster],
    ['failover', 'explain', workload, '--if-fails', cluster, '--cluster', other],
    ['drain', cluster, '--dry-run'],
    ['drain', cluster, other, '--dry-run'],
    ['drain', cluster, '--cancel', '--dry-run'],
    ['eviction', 'inspect'],
    ['timeline'],
    ['timeline', '--since', '12h'],
    ['timeline', workload],
    ['timeline', cluster],
    ['doctor'],
    ['taint-policy', 'list'],
    ['taint-policy', 'explain'],
    ['taint-policy', 'apply', '-f', 'test/fixtures/evicts.yaml', '--dry-run'],
    ['taint-policy', 'apply', '-f', 'test/fixtures/taint-policies/network.yaml', '--dry-run'],
  ];
}

const withState = ({ state }: Subject) => ['--state', state];
const cases = [
  ...subjects.flatMap((subject) => answers(subject).map((argv) => [...argv, ...withState(subject)])),
  ['replay', 'check', 'examples/incident.rec'],
  ['lint', '-f', 'examples/shop'],
  ['taint-policy', 'validate', '-f', 'test/fixtures/taint-policies'],
  ['taint-policy', 'delete', 'evict-when-not-ready', '--dry-run', '--state', 'examples/shop'],
  ['cordon', 'frankfurt', 'dublin', '--dry-run', '--state', 'examples/incident'],
  ['eviction', 'release', 'deploy/queue', '-n', 'data', '--dry-run', '--state', 'examples/shop'],
].map((argv) => [argv.join(' '), argv] as const);

describe(`on a terminal of ${COLUMNS} × ${ROWS}`, () => {
  test.each(cases)('%s fits together with the prompt', (_, argv) => {
    const { code, lines, taken } = linesOnTerminal(argv, { columns: COLUMNS, rows: ROWS });
    // an answer, not a bug of this test
    expect([0, 1]).toContain(code);
    expect(lines.join('\n')).not.toContain('error: unknown flag');
    if (taken >= ROWS) throw new Error(`${taken} lines:\n${lines.join('\n')}`);
    // a table that is too wide would become a list of names and values
    expect(lines.filter((line) => RECORD.test(line))).toEqual([]);
  });
});

const WIDE = [['status'], ['status', 'frankfurt'], ['timeline'], ['eviction', 'inspect'], ['audit']];

test.each(WIDE.map((argv) => [argv.join(' '), argv] as const))(
  '%s -o wide prints tables on a terminal of 80 columns',
  (_, argv) => {
    const state = ['--state', 'examples/incident', '-o', 'wide'];
    const { code, lines } = linesOnTerminal([...argv, ...state], { columns: COLUMNS, rows: ROWS });
    expect(code).toBe(0);
    expect(lines.filter((line) => RECORD.test(line))).toEqual([]);
  },
);
