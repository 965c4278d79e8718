import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { installIn } from '../program.ts';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const state = ['--state', 'examples/shop'];
const audit = (...argv: string[]) => run(['failover', 'audit', ...state, ...argv]);
const documentOf = <T>(...argv: string[]): T => json([...argv, ...state]) as unknown as T;
const written = (text: string) => {
  const file = join(temporaryFolder('audit-'), 'file.json');
  writeFileSync(file, text);
  return file;
};

interface Audited {
  contingencies: { name: string; kind: string; clusters: string[]; outcomes: object; cost: unknown }[];
  causes: { cures?: Cures }[];
  safeTogether: { sets: string[][]; unsafe: { cluster: string }[] };
  summary: { targets: { asked: number } };
}

interface Written {
  kind: string;
}

interface Cures {
  workload: { name: string };
  contingency: string;
  changes: { text: string; patches: unknown[]; leadsTo: string }[];
}

interface Job {
  spec: {
    completions: number;
    template: { spec: { containers: [{ command: [string, ...string[]]; args: [string] }] } };
  };
}

describe('failover audit', () => {
  const { stdout: text } = audit();
  const whole = documentOf<Audited>('failover', 'audit', '--safe-together', '2', '--rto', '1s');

  test('prints the verdict and the command that explains the worst outcome first', () => {
    const [verdict, , next] = text.split('\n');
    expect(verdict).toMatch(
      /^5 of 14 workloads survive each of 8 contingencies; the others at worst: 5 lost, /,
    );
    expect(next).toBe(
      'kubectl karmada-failover explain data/statefulset/ledger --if-fails=frankfurt --state=examples/shop',
    );
    expect(run(next!.split(' ').slice(2)).code).toBe(0);
  });

  test('lists the worst outcome of each workload with its duration and cause', () => {
    expect(text).toMatch(/^lost +data\/sts\/ledger +frankfurt \+1 +permanent +no other cluster$/m);
    expect(text).toMatch(
      /^blocked +shop\/deploy\/pricing +frankfurt \+3 +permanent +minGroups 2 by region$/m,
    );
    expect(text).toMatch(/^frankfurt +37% → 34% +51% → 50% +88% → 88% +0% → 0% +dublin$/m);
  });

  test('reports the same cost of a cluster failure as failover status', () => {
    const { clusters } = documentOf<{
      clusters: { name: string; ifItFails: unknown; costIfItFails: unknown }[];
    }>('failover', 'status');
    for (const { name, ifItFails, costIfItFails } of clusters) {
      const same = whole.contingencies.find((one) => one.name === name);
      expect([name, same?.outcomes, same?.cost]).toEqual([name, ifItFails, costIfItFails]);
    }
  });

  test('suggests changes whose patches lead to the same result in a simulation', () => {
    const offered = whole.causes.flatMap(({ cures }) => (cures ? [cures] : []));
    const patched = offered.flatMap(({ changes, ...of }) =>
      changes.filter(({ patches }) => patches.length > 0).map((change) => ({ ...of, ...change })),
    );
    expect(patched.length).toBeGreaterThan(2);
    for (const { workload, contingency, text, patches, leadsTo } of patched) {
      const { clusters } = whole.contingencies.find(({ name }) => name === contingency)!;
      const { workloads } = documentOf<{ workloads: { name: string; outcome: string }[] }>(
        ...['failover', 'simulate', '--apply', written(JSON.stringify(patches))],
        ...clusters.flatMap((name) => ['--fail', name]),
      );
      const { outcome } = workloads.find(({ name }) => name === workload.name)!;
      expect([text, outcome]).toEqual([text, leadsTo]);
    }
  });

  test('accepts the patches of a suggested change, which helps one workload and harms no other', () => {
    const { workload, changes } = whole.causes.flatMap(({ cures }) => (cures ? [cures] : []))[0]!;
    const cure = written(JSON.stringify(changes[0]!.patches));
    const baseline = written(JSON.stringify(whole));
    const { code, stdout } = audit(
      ...[
        '--apply',
        cure,
        '--baseline',
        baseline,
        '--fail-on',
        'lost,down,blocked,without-state',
        '-o',
        'json',
      ],
    );
    const document = JSON.parse(stdout) as {
      applied: string[];
      gate: { progress: Record<string, string[]> };
    };
    expect([code, document.applied, breaches('failover-audit', document)]).toEqual([0, [cure], '']);
    expect(document.gate.progress).toMatchObject({
      better: [expect.stringContaining(workload.name)],
      worse: [],
      added: [],
    });
    const [verdict, , next] = audit('--apply', cure).stdout.split('\n');
    expect(verdict).toContain('applied: 6 of 14 workloads survive');
    expect(run(next!.split(' ').slice(2)).code).toBe(0);
  });

  test('audits pairs with a suggested change applied: each pair has the outcome of its simulation', () => {
    const { workload, changes } = whole.causes.flatMap(({ cures }) => (cures ? [cures] : []))[0]!;
    const cured = ['--apply', written(JSON.stringify(changes[0]!.patches))];
    const { contingencies, workloads } = documentOf<
      Pick<Audited, 'contingencies'> & {
        workloads: { workload: { name: string }; troubles: { contingency: string; trouble: string }[] }[];
      }
    >('audit', '--pairs', ...cured);
    const pairs = contingencies.filter(({ kind }) => kind === 'pair');
    expect(pairs).toHaveLength(8);
    for (const { clusters, outcomes } of pairs) {
      const simulated = documentOf<{ workloads: { outcome: string }[] }>(
        ...['failover', 'simulate', ...cured, ...clusters.flatMap((name) => ['--fail', name])],
      );
      const counts: Record<string, number> = {};
      for (const { outcome } of simulated.workloads) counts[outcome] = (counts[outcome] ?? 0) + 1;
      // a simulation also lists copies that stay elsewhere
      expect([clusters, { ...outcomes, stays: 0 }]).toEqual([clusters, { ...counts, stays: 0 }]);
    }
    const { troubles } = workloads.find((one) => one.workload.name === workload.name)!;
    const lostBy = troubles.flatMap(({ contingency, trouble }) => (trouble === 'lost' ? [contingency] : []));
    expect(lostBy).toEqual(['frankfurt+oregon']);
  });

  test('refuses all suggested changes together, and asks for the patches of one', () => {
    const { code, stderr } = audit('--apply', written(JSON.stringify(whole)));
    expect([code, stderr]).toEqual([2, expect.stringContaining('give the patches of one of them')]);
  });

  test('lists the clusters that can be drained together, as drain plans do', () => {
    const { sets, unsafe } = whole.safeTogether;
    expect(unsafe.map(({ cluster }) => cluster)).toEqual(['frankfurt', 'virginia']);
    const refused = (clusters: readonly string[]) =>
      run(['drain', ...clusters, '--dry-run', ...state]).code === 1;
    expect(sets[0]).toEqual(['dublin', 'oregon']);
    expect([refused(sets[0]!), refused(['frankfurt'])]).toEqual([false, true]);
  });

  test('compares all workloads with recovery targets', () => {
    expect(whole.summary.targets.asked).toBe(14);
  });

  test('exits with 1 for a violation of --fail-on, and with a baseline only for a new one', () => {
    const failed = audit('-n', 'data', '--limit', '2', '--fail-on', 'lost,headroom=50%');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^The gate fails: .*data\/sts\/ledger lost/m);
    expect(failed.stdout).toMatch(/^… \d more: --limit=0$/m);
    const baseline = written(JSON.stringify(whole));
    const same = audit('-n', 'data', '--fail-on', 'lost', '--baseline', baseline, '-o', 'json');
    expect(same.code).toBe(0);
    const document = JSON.parse(same.stdout) as { gate: object };
    expect(document.gate).toMatchObject({ breaches: [], progress: { better: [], worse: [], added: [] } });
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
    [
      ['--fail-on', 'rto', '-n', 'data'],
      'error: --fail-on rto: no workload has a recovery target; give --rto',
    ],
    [['--fail-on', 'headroom=101%'], 'error: --fail-on "headroom=101%" is not known'],
    [['--shard', '0/2', '--fail-on', 'lost'], 'prints a part for --merge, and excludes --fail-on'],
    [['--shard', '3/3'], 'error: --shard "3/3" is not I/N'],
    [['--baseline', 'package.json'], 'error: --baseline needs the outcomes that must not get worse'],
    [['--apply', '-', '--merge', '-'], 'error: --apply - and --merge -: stdin can be read only once'],
  ])('rejects %j with the missing or wrong input', (argv, message) => {
    const { code, stderr } = audit(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('refuses a label without workloads, because a typo must not pass a pipeline', () => {
    expect(audit('-l', 'app=none', '--fail-on', 'lost')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no workload with these labels'),
    });
  });

  test('reports workloads down if no cluster is Ready, and refuses --fail-on', () => {
    const items = (
      JSON.parse(readFileSync('examples/shop/control-plane.json', 'utf8')) as { items: Written[] }
    ).items;
    const silent = items.map((one) => (one.kind === 'Cluster' ? { ...one, status: {} } : one));
    const file = written(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: silent }));
    const asked = (...argv: string[]) => run(['audit', '--state', file, ...argv]);
    expect(asked().stdout).toMatch(
      /^\d+ of 14 workloads survive each of \d+ contingencies.* in trouble now; \d+ in trouble without further failures\./,
    );
    expect(asked('--fail-on', 'lost')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--fail-on: no cluster of the state is Ready'),
    });
  });

  test('runs as audit too, and can taint clusters instead of failing them', () => {
    const tainted = documentOf<{ summary: { troubles: object } }>(
      ...['audit', '-n', 'data', '--taint', 'maintenance=x:NoSchedule'],
    );
    expect(tainted.summary.troubles).toEqual({});
    const { stdout } = audit('--taint', 'maintenance=x:NoExecute');
    expect(stdout).toMatch(
      /^\d of 14 workloads survive each of 8 contingencies with the taint maintenance=x:NoExecute/,
    );
    expect(stdout).toContain('simulate --taint=frankfurt:maintenance=x:NoExecute --state');
    expect(stdout).toContain('IF TAINTED');
    expect(stdout).not.toContain('FAILS');
  });

  test('merges shards into the same bytes as one process, and reports a missing shard', () => {
    const flags = ['--pairs', '--rto', '5m'];
    const parts = [0, 1, 2].map((index) => {
      const { code, stdout } = audit(...flags, '--shard', `${index}/3`);
      expect([code, breaches('failover-audit-shard', JSON.parse(stdout) as object)]).toEqual([0, '']);
      return written(stdout);
    });
    const merge = (...files: (string | undefined)[]) => files.flatMap((file) => ['--merge', file!]);
    const merged = audit(...flags, ...merge(parts[2], parts[0], parts[1]), '-o', 'json');
    expect(merged.stdout).toBe(audit(...flags, '-o', 'json').stdout);
    const lacking = audit(...flags, ...merge(parts[0], parts[2]));
    expect(lacking.stderr).toContain('of 3 shards 1 is missing; run again with --shard 1/3');
    // without --pairs it is another audit
    expect(audit('--rto', '5m', ...merge(...parts)).stderr).toContain(
      'is of another state, or of other flags',
    );
  });

  test('run as the Indexed Job of docs/audit.md prints the same as one process', async () => {
    const claim = temporaryFolder('claim-');
    installIn(claim);
    const file = join(claim, 'state.json');
    expect(run(['snapshot', 'save', file, ...state]).code).toBe(0);
    const [, manifest] = /```yaml\n(apiVersion: batch\/v1\n.*?)```/s.exec(
      readFileSync('docs/audit.md', 'utf8'),
    )!;
    const { spec } = parse(manifest!) as Job;
    const [{ command, args }] = spec.template.spec.containers;
    const [shell, ...before] = command;
    const script = args[0].replaceAll('/audit/', `${claim}/`);
    const indexes = Array.from({ length: spec.completions }, (_, index) => String(index));
    await Promise.all(
      indexes.map((index) =>
        promisify(execFile)(shell, [...before, script], {
          env: { PATH: `${claim}:${process.env['PATH']}`, JOB_COMPLETION_INDEX: index },
        }),
      ),
    );
    const audited = (...argv: string[]) =>
      run(['failover', 'audit', '--state', file, '--pairs', '-o', 'json', ...argv]);
    const parts = indexes.map((index) => join(claim, `${index}.json`));
    expect(indexes).toHaveLength(8);
    expect(audited('--merge', ...parts).stdout).toBe(audited().stdout);
    expect(audited('--merge', ...parts.slice(1)).stderr).toContain('of 8 shards 0 is missing');
  });

  test.each([
    [{ kind: 'FailoverAudit' }, 'kind is not FailoverAuditShard'],
    [{ shard: { index: 3, of: 3 } }, 'shard is not an index below of'],
    [{ tally: { contingencies: [[1, {}]], workloads: [], arrivals: [] } }, 'tally is not one of this shard'],
    [{ tally: { contingencies: [], workloads: [], arrivals: [] } }, 'is of another state'],
  ])('refuses a shard with %j', (change, message) => {
    const shard = { kind: 'FailoverAuditShard', schemaVersion: 'v1', shard: { index: 0, of: 1 } };
    const tally = { contingencies: [], workloads: [], arrivals: [] };
    const file = written(JSON.stringify({ ...shard, fingerprint: 'x', tally, ...change }));
    const { code, stderr } = audit('--merge', file);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test.each([
    ['markdown', /^\| data\/statefulset\/ledger \| lost \| frankfurt \|/m],
    ['junit', /<testcase classname="StatefulSet" name="data\/statefulset\/ledger">/],
  ])('prints one text with -o %s', (form, line) => {
    expect(audit('-n', 'data', '-o', form).stdout).toMatch(line);
  });
});
