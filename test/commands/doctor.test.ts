import { describe, expect, test } from '@jest/globals';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

interface Diagnosis {
  findings: { check: string; severity: string; remedy?: { refuted?: string; commands: string[] } }[];
  passed: string[];
  unchecked: { checks: string[] }[];
}

const at = ['--at', '2026-05-04T10:00:00Z'];
const report = (name: string) => ['--state', `test/fixtures/reports/${name}.json`, ...at];
const doctor = (...argv: string[]) => run(['doctor', ...argv]);
const diagnosis = (...argv: string[]) => json(['doctor', ...argv]) as unknown as Diagnosis;

describe('doctor', () => {
  test.each([
    ['task-of-unscheduled-spec', 'task-of-unscheduled-binding'],
    ['evicted-everywhere', 'evicted-everywhere'],
    ['cluster-down-before-upgrade', 'no-execute-eviction-off'],
    ['flaps-by-a-guess', 'toleration-shorter-than-start'],
    ['components-without-room', 'components-without-room'],
    ['group-full-next-not-tried', 'duplicated-ignores-room'],
    ['quota-refuses', 'quota-used-up'],
    ['cluster-being-deleted', 'cluster-deletion-stuck'],
    ['pinned-config', 'pinned-config-deleted'],
    ['image-latest', 'version-unknown'],
    ['operator-object', 'no-evicting-taint'],
  ])('lists the cause of the public report %s first: %s', (name, cause) => {
    expect(diagnosis(...report(name)).findings[0]?.check).toBe(cause);
  });

  test('prints the verdict in the first line, then findings with ids and commands to paste', () => {
    const { stdout } = doctor(...report('cluster-down-before-upgrade'));
    expect(stdout.split('\n')[0]).toMatch(
      /^Failover is off: enable-no-execute-taint-eviction=false on karmada-controller-manager v1\.14\.2/,
    );
    expect(stdout).toMatch(/\[no-evicting-taint\]/);
    expect(stdout).toMatch(
      /kubectl -n karmada-system patch deployment karmada-controller-manager --type=json/,
    );
  });

  test('lets karmada-webhook admit NoExecute before it creates the policy', () => {
    const { findings } = diagnosis(...report('operator-object'));
    const [webhook, policy] = findings[0]!.remedy!.commands;
    expect(webhook).toMatch(/patch karmada karmada-demo -n test .*"allow-no-execute-taint-policy":"true"/);
    expect(policy).toMatch(/^echo .*ClusterTaintPolicy.* \| kubectl create -f -$/);
    expect(doctor(...report('operator-object')).stdout).toMatch(/^ *to do: \S/m);
  });

  test('lists unchecked checks separately, never as passed', () => {
    const { passed, unchecked } = diagnosis(...report('quota-refuses'));
    const open = unchecked.flatMap(({ checks }) => checks);
    expect(open).toContain('leader-lease-stale');
    expect(passed.filter((id) => open.includes(id))).toEqual([]);
    expect(doctor(...report('quota-refuses')).stdout).toMatch(/^Not checked: .*no Lease/m);
  });

  test('prints a document that is valid against its schema, and Markdown', () => {
    const document = diagnosis(...report('pinned-config'));
    expect(breaches('diagnosis', document)).toBe('');
    expect(doctor(...report('pinned-config'), '-o', 'markdown').stdout).toMatch(
      /^## Failover diagnosis of Karmada v1\.10\.3/,
    );
  });

  test('prints commands for the requested state if it is read from files', () => {
    const { findings } = diagnosis('--state', 'examples/incident');
    const commands = findings.flatMap(({ remedy }) => remedy?.commands ?? []);
    const own = commands.filter((one) => one.startsWith('kubectl karmada-failover eviction'));
    // frankfurt has failed: to hold data/ledger there would keep no replica running
    expect(own.join()).not.toContain('eviction hold');
    expect(own).toContain(
      'kubectl karmada-failover eviction inspect data/deployment/queue --state=examples/incident',
    );
    for (const command of own) expect(run(command.split(' ').slice(2)).code).toBe(0);
  });

  test('reports whether this release deletes a copy pinned to a failed cluster, as explain does', () => {
    const { stdout: pinned } = doctor(...report('pinned-config'));
    expect(pinned).toContain('evicted without a replacement after it fails; v1.10.3 keeps the copy');
    const { stdout } = doctor('--state', 'examples/shop', '--only', 'pinned-config-deleted');
    expect(stdout).toContain('pinned to virginia; deleted without a replacement if it fails');
  });

  test('reports several clusters as "if one of them fails"', () => {
    const { stdout } = doctor('--state', 'examples/incident.rec', '--only', 'no-room-elsewhere');
    expect(stdout).toMatch(/Deployment shop\/web-15: if one of nyc1, par1, sfo1 fails, /);
  });

  test('prints the object of each piece of evidence in Markdown, without empty fields', () => {
    const { stdout } = doctor('--state', 'examples/shop', '-o', 'markdown');
    expect(stdout).toMatch(/^- ResourceBinding data\/ledger-statefulset spec\.placement = /m);
    expect(stdout).not.toMatch(/^- *[=:]/m);
  });

  test('prints what was tried and refuted as tried, without its patch', () => {
    const tolerates = ['--state', 'examples/shop', '--only', 'tolerates-forever'];
    const { stdout } = doctor(...tolerates);
    expect(stdout).toMatch(
      /^ *tried: give the toleration .*; simulated, Deployment data\/archive is worse off$/m,
    );
    expect(stdout).not.toMatch(/to do:|kubectl patch/);
    expect(diagnosis(...tolerates).findings[0]).toMatchObject({
      remedy: { refuted: 'Deployment data/archive is worse off', commands: [] },
    });
  });

  test('reports that nothing was checked if all checks are excluded', () => {
    const { stdout } = doctor('--state', 'examples/shop', '--only', 'taints', '--skip', 'taints');
    expect(stdout).toBe('Nothing was checked: all checks are skipped.\n');
  });

  test('refuses a selection without workloads', () => {
    const { code, stdout, stderr } = doctor('--state', 'examples/shop', '-l', 'app=none');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: --selector: there is no workload with these labels/);
  });

  test('exits with 1 for a finding of the severity of --fail-on', () => {
    expect(doctor(...report('evicted-everywhere'), '--fail-on', 'error').code).toBe(1);
    expect(doctor(...report('quota-refuses'), '--fail-on', 'error').code).toBe(0);
    expect(doctor(...report('quota-refuses'), '--fail-on', 'warning').code).toBe(1);
  });

  test('runs only the requested checks, by id or theme', () => {
    const only = diagnosis(...report('evicted-everywhere'), '--only', 'stuck');
    expect(new Set(only.findings.map(({ check }) => check))).toEqual(
      new Set(['task-of-unscheduled-binding', 'workload-down', 'scheduling-failed']),
    );
    const skipped = diagnosis(...report('evicted-everywhere'), '--skip', 'stuck,evicted-everywhere');
    expect(skipped.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const unknown = doctor(...report('evicted-everywhere'), '--only', 'workload-dwon');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(
      /--only workload-dwon: there is no such check or theme, did you mean workload-down/,
    );
  });
});
