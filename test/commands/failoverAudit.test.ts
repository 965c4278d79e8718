import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

const documentOf = <T>(...argv: string[]): T => json([...argv, '--state', 'examples/shop']) as unknown as T;
const audit = (...argv: string[]) => run(['failover', 'audit', '--state', 'examples/shop', ...argv]);
const plain = audit();

describe('failover audit', () => {
  test('begins with the verdict and the command that explains the worst', () => {
    const [verdict, , next] = plain.stdout.split('\n');
    expect(verdict).toMatch(/^5 of 14 workloads survive each of 8 contingencies: at worst 5 lost, /);
    expect(next).toBe(
      'kubectl karmada-failover failover explain data/statefulset/ledger --if-fails=frankfurt --state=examples/shop',
    );
    expect(run(next!.split(' ').slice(2)).code).toBe(0);
  });

  test('is also called audit', () => {
    expect(run(['audit', '--state', 'examples/shop']).stdout).toBe(plain.stdout);
  });

  test('says what happens to each workload at worst, when and why', () => {
    const { stdout } = plain;
    expect(stdout).toMatch(/^lost +data\/sts\/ledger +frankfurt \+1 +permanent +no other cluster$/m);
    expect(stdout).toMatch(
      /^blocked +shop\/deploy\/pricing +frankfurt \+3 +permanent +minGroups 2 by region$/m,
    );
    expect(stdout).toMatch(/^frankfurt +37% → 34% +51% → 50% +88% → 88% +dublin$/m);
  });

  test('agrees with status on what the loss of a cluster costs', () => {
    const { clusters } = documentOf<{
      clusters: { name: string; ifItFails: unknown; costIfItFails: unknown }[];
    }>('failover', 'status');
    const { contingencies } = documentOf<{
      contingencies: { name: string; outcomes: unknown; cost: unknown }[];
    }>('failover', 'audit');
    for (const { name, ifItFails, costIfItFails } of clusters) {
      const same = contingencies.find((one) => one.name === name);
      expect([name, same?.outcomes, same?.cost]).toEqual([name, ifItFails, costIfItFails]);
    }
  });

  test('shows at most so many rows, and how to see the others', () => {
    const { stdout } = audit('--limit', '2');
    expect(stdout).toContain('… 10 more: --limit=0');
  });

  test('ends with 1 if it finds what the gate forbids, and with a baseline only if that is new', () => {
    expect(audit('--fail-on', 'flaps').code).toBe(0);
    const failed = audit('--fail-on', 'lost,headroom=50%');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^The gate fails: .*data\/sts\/ledger lost/m);
    const file = join(mkdtempSync(join(tmpdir(), 'audit-')), 'before.json');
    writeFileSync(file, audit('-o', 'json').stdout);
    const same = audit('--fail-on', 'lost', '--baseline', file);
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('The gate passes. Since the baseline: 0 better, 0 worse, 0 added.');
    const document = json([
      'failover',
      'audit',
      '--state',
      'examples/shop',
      '--baseline',
      file,
      '--fail-on',
      'lost',
    ]);
    expect(breaches('failover-audit', document)).toBe('');
  });

  test.each([
    [['--fail-on', 'lst'], 'error: --fail-on "lst" is not known, did you mean lost?'],
    [['--rto', 'soon'], 'error: --rto: "soon" is not a duration such as 90s or 5m'],
    [['--taint', 'x'], 'error: --taint "x" is not KEY[=VALUE]:NoSchedule|NoExecute|PreferNoExecute'],
    [
      ['--baseline', 'package.json', '--fail-on', 'lost'],
      'error: --baseline package.json: kind is not FailoverAudit',
    ],
    [['--baseline', 'package.json'], 'error: --baseline: say what must not get worse'],
  ])('%j is an error that says what to give', (argv, message) => {
    const { code, stderr } = audit(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('taints clusters instead, and holds workloads against targets', () => {
    const tainted = documentOf<{ summary: { troubles: object; targets: { asked: number } } }>(
      ...['failover', 'audit', '--taint', 'maintenance=x:NoSchedule', '--rto', '1s'],
    );
    expect(tainted.summary.troubles).toEqual({});
    expect(tainted.summary.targets.asked).toBe(14);
  });

  test.each(['markdown', 'junit'])('-o %s is one text', (form) => {
    const { code, stdout } = audit('-o', form);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      form === 'junit'
        ? /<testcase classname="StatefulSet" name="data\/statefulset\/ledger">/
        : /^\| data\/statefulset\/ledger \| lost \| frankfurt \|/m,
    );
  });
});
