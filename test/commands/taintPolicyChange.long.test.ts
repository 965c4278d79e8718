import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { run, type Ran } from './cli.ts';
import { liveServer, runLive, type LiveServer } from './liveServer.ts';
import { breaches } from './schema.ts';
import { preloading } from '../program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const directory = temporaryFolder('taint-policy-');
const world = 'test/fixtures/taint-policy-world.yaml';
const common = ['--at', '2026-09-01T09:00:00Z', '--assume', 'Failover=true'];

interface Given {
  name?: string;
  spec?: object;
  labels?: object;
}

/** A file with a policy for gamma, whose condition gamma reports. */
function policyFile({ name = 'new', spec = {}, labels = {} }: Given = {}): string {
  const file = join(directory, `${name}.json`);
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name, labels },
    spec: {
      targetClusters: { clusterNames: ['gamma'] },
      addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
      removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
      taints: [{ key: 'example.com/new', effect: 'NoSchedule' }],
      ...spec,
    },
  };
  writeFileSync(file, JSON.stringify(policy));
  return file;
}

describe('taint-policy delete', () => {
  const remove = (...argv: string[]) => {
    const state = ['--state', 'test/fixtures/taint-policy-world.yaml', ...common];
    const ran = run(['taint-policy', 'delete', ...argv, ...state]);
    // the next command has the names as they were typed
    return { ...ran, stdout: ran.stdout.replace(/^kubectl .*\n/m, '') };
  };
  const plan = remove('network');

  test.each([
    ['clustertaintpolicy', 'network'],
    ['ClusterTaintPolicies', 'network'],
    ['clustertaintpolicies.policy.karmada.io', 'network'],
    ['clustertaintpolicy/network'],
    ['network', 'nowhere', '--ignore-not-found'],
  ])('accepts the names of kubectl: %s %s %s', (...argv) => {
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('network') as unknown });
    expect(remove(...argv)).toEqual(plan);
  });

  test('requires --ignore-not-found for a missing policy', () => {
    expect(remove('nowhere', '--ignore-not-found')).toMatchObject({ code: 0, stdout: '' });
    expect(remove('clustertaintpolicy', 'nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no ClusterTaintPolicy "nowhere"') as unknown,
    });
    expect(remove('clustertaintpolicy')).toMatchObject({ code: 2 });
  });
});

describe('taint-policy apply with files (--state)', () => {
  const apply = (...argv: string[]) => run(['taint-policy', 'apply', '--state', world, ...common, ...argv]);

  test('lists the taints that clusters gain now, and the condition that removes them', () => {
    const { code, stdout, stderr } = apply('-f', policyFile());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('new   created (dry run)   for gamma\n');
    expect(stdout).toContain('At once\n  gamma   gains example.com/new:NoSchedule (new)\n');
    expect(stdout).toContain(
      'Once a condition changes\n  Ready=False   gamma   loses example.com/new:NoSchedule (new)',
    );
  });

  test('refuses a risky policy with the id and position of the risk, and the flag that accepts it', () => {
    const file = policyFile({ name: 'risky', spec: { removeOnConditions: [] } });
    const { code, stdout } = apply('-f', file);
    expect(code).toBe(1);
    expect(stdout).toContain(`  never-removed   ${file}:1:`);
    expect(stdout).toMatch(
      /^Reason: never-removed: change the policies, or accept it with\n\nkubectl karmada-failover taint-policy apply .*-f \S+.* --accept never-removed$/m,
    );
    expect(apply('-f', file, '--accept', 'never-removed')).toMatchObject({ code: 0 });
    expect(apply('-f', file, '--accept', 'never').stderr).toMatch(/--accept/);
  });

  test('suggests a condition if no cluster reports the given one', () => {
    const conditions = [{ conditionType: 'Redy', operator: 'In', statusValues: ['True'] }];
    const file = policyFile({ name: 'typo', spec: { addOnConditions: conditions } });
    expect(apply('-f', file).stdout).toContain(
      'typo: none of its clusters reports the condition Redy, so the entry does not hold there; did you mean Ready?\n',
    );
  });

  test('prints the refusal on stderr with -o name, and saves no state', () => {
    const file = policyFile({ name: 'risky', spec: { removeOnConditions: [] } });
    const saved = join(directory, 'refused.json');
    const { code, stdout, stderr } = apply('-f', file, '-o', 'name', '--save-state', saved);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'clustertaintpolicy.policy.karmada.io/risky\n' });
    expect(stderr).toMatch(
      /^error: refused: never-removed: change the policies, or accept it with: kubectl .* --accept never-removed$/m,
    );
    expect(stderr).toContain(`${saved} is not written: the change is refused\n`);
    expect(existsSync(saved)).toBe(false);
  });

  test('plans NoExecute with a risk if the flag of the webhook is unknown', () => {
    const file = policyFile({ spec: { taints: [{ key: 'example.com/x', effect: 'NoExecute' }] } });
    const planned = apply('-f', file);
    expect({ code: planned.code, stderr: planned.stderr }).toEqual({ code: 1, stderr: '' });
    expect(planned.stdout).toMatch(/^Refused: 1 policy to be created, 1 of 1 cluster changes taints at once/);
    expect(planned.stdout).toMatch(
      /no-execute-refused .* --allow-no-execute-taint-policy is assumed to be off; .* give --assume/,
    );
    const known = apply('-f', file, '--assume', 'allow-no-execute-taint-policy=false');
    expect(known).toMatchObject({ code: 2, stdout: '' });
    expect(known.stderr).toMatch(/NoExecute effect is not allowed/);
  });

  test('refuses --wait, because files get no taints', () => {
    const { code, stderr } = apply('-f', policyFile(), '--wait');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error: --wait waits for the taints of a live control plane, and --state writes none; leave --wait out\n',
    });
  });

  test('lists the workloads that move, are blocked or are lost', () => {
    const file = policyFile({
      name: 'harsh',
      spec: {
        targetClusters: { clusterNames: ['frankfurt'] },
        taints: [{ key: 'example.com/x', effect: 'NoExecute' }],
      },
    });
    const shop = (...argv: string[]) =>
      run(['taint-policy', 'apply', '-f', file, '--state', 'examples/shop', ...argv]);
    const { code, stdout } = shop('-o', 'json');
    const document = JSON.parse(stdout) as {
      workloads: { workload: { name: string }; without: { outcome: string }; with: { outcome: string } }[];
      risks: { code: string; stops: boolean }[];
    };
    expect(code).toBe(1);
    expect(breaches('taint-policy-change', document)).toBe('');
    expect(document.workloads.find(({ workload }) => workload.name === 'ledger')).toMatchObject({
      without: { outcome: 'stays' },
      with: { outcome: 'lost' },
    });
    expect(document.risks).toMatchObject([
      { code: 'workloads-lost', stops: true },
      { code: 'workloads-blocked', stops: true },
    ]);
  });

  test('saves a state that other commands accept', () => {
    const saved = join(directory, 'after.json');
    expect(apply('-f', policyFile(), '--save-state', saved)).toMatchObject({ code: 0 });
    const { stdout } = run(['taint-policy', 'list', '--state', saved]);
    expect(stdout).toMatch(/^new +\S+ +gamma +example.com\/new:NoSchedule +gamma/m);
    const gone = run(['taint-policy', 'delete', 'new', '--with-taints', '--state', saved]);
    expect(gone.stdout).toContain(
      'gamma   example.com/new:NoSchedule   its policy is deleted   removed (--with-taints)',
    );
  });

  test('lists the taints that an edit leaves behind', () => {
    const file = policyFile({
      name: 'network',
      spec: {
        targetClusters: { clusterNames: ['beta'] },
        addOnConditions: [{ conditionType: 'NetworkAvailable', operator: 'In', statusValues: ['False'] }],
        removeOnConditions: [{ conditionType: 'NetworkAvailable', operator: 'In', statusValues: ['True'] }],
        taints: [{ key: 'example.com/network', value: 'down', effect: 'NoSchedule' }],
      },
    });
    expect(apply('-f', file).stdout).toMatch(
      /^ {2}alpha {3}example.com\/network=down:NoSchedule {3}its policy is no longer for the cluster/m,
    );
  });

  test('exits with 0, 1 or 2 with --diff for no difference, a difference or an invalid policy', () => {
    const { code, stdout } = apply('-f', policyFile(), '--diff');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^--- \/dev\/null\n\+\+\+ merged\/clustertaintpolicies.policy.karmada.io\/new\n@@ -0,0 \+1,\d+ @@\n\+metadata:\n/,
    );
    expect(apply('-f', world, '--diff')).toMatchObject({ code: 0, stdout: '' });
    expect(apply('-f', policyFile({ name: 'Odd' }), '--diff')).toMatchObject({ code: 2, stdout: '' });
  });

  test('reports the position of an invalid field', () => {
    const file = policyFile({ name: 'wrong', spec: { taints: [{ key: 'a' }] } });
    const { code, stdout, stderr } = apply('-f', file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*wrong.json:1:\d+: spec.taints\[0\].effect: Required value\n$/);
  });

  test('reports missing metadata without failing', () => {
    const file = join(directory, 'shapeless.yaml');
    writeFileSync(file, 'apiVersion: policy.karmada.io/v1alpha1\nkind: ClusterTaintPolicy\n');
    const { code, stderr } = apply('-f', file);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${file}:1:1: metadata.name: Required value`);
  });

  test.each([
    [[], 'taint-policy apply needs manifests: give -f FILE, -f - or -k DIR'],
    [
      ['-f', 'x.yaml', '--diff', '-o', 'json'],
      '--diff prints what diff -u prints, not -o json; leave one of them out',
    ],
    [
      ['-f', 'x.yaml', '--prune', '-l', ' '],
      '--prune deletes policies that are not in the files; give -l SELECTOR to say which ones',
    ],
    [
      ['-f', 'x.yaml', '--field-manager', ''],
      '--field-manager is empty; leave it out, or give the name of a manager',
    ],
    [
      ['-f', 'x.yaml', '--prune'],
      '--prune deletes policies that are not in the files; give -l SELECTOR to say which ones',
    ],
    [['-f', 'x.yaml', '--timeout', '5m'], '--timeout needs --wait: it limits that wait'],
  ])('rejects %j', (argv, message) => {
    expect(apply(...argv)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` });
  });
});

test.each(['apply', 'delete'])('taint-policy %s --save-state requires a captured state', (command) => {
  const argv = command === 'apply' ? ['-f', policyFile()] : ['network'];
  expect(run(['taint-policy', command, ...argv, '--save-state', 'after.json'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: --save-state writes a captured control plane after the change, and needs --state; save a live one with snapshot save first\n',
  });
});

describe('taint-policy apply and delete on a live control plane', () => {
  const path = (name: string) => `/apis/policy.karmada.io/v1alpha1/clustertaintpolicies/${name}`;
  const cluster = (name: string) => `/apis/cluster.karmada.io/v1alpha1/clusters/${name}`;
  let server: LiveServer;
  beforeEach(async () => {
    const texts = readFileSync(world, 'utf8').split('\n---\n');
    server = await liveServer(texts.map((text) => load(text) as KubernetesObject));
  });
  afterEach(() => server.close());
  const command = (...argv: string[]): Promise<Ran> =>
    runLive(['taint-policy', ...argv, ...common, '--karmada-version', 'v1.18'], server);
  const taintsOf = (name: string) =>
    (server.store.get(cluster(name)) as unknown as { spec: { taints?: { key: string }[] } }).spec.taints ??
    [];
  const policies = () =>
    server.store
      .all()
      .filter(({ kind }) => kind === 'ClusterTaintPolicy')
      .map(({ metadata }) => metadata.name)
      .sort();

  test('write nothing in a dry run, and ask the API server with --dry-run=server', async () => {
    expect(await command('apply', '-f', policyFile(), '--dry-run')).toMatchObject({ code: 0 });
    expect(server.writes).toEqual([]);
    expect(await command('apply', '-f', policyFile(), '--dry-run=server')).toMatchObject({ code: 0 });
    expect(server.writes).toEqual([`apply ${path('new')} (dry run)`]);
  });

  test('send deletions and taint removals to the API server with --dry-run=server, which stores nothing', async () => {
    const { code, stdout } = await command(
      ...['delete', 'optimist', 'network', '--with-taints', '--dry-run=server'],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\n\S+\/alpha untainted \(server dry run\): example.com\/network=down:NoSchedule\n\S+\/optimist deleted \(server dry run\)\n\S+\/network deleted \(server dry run\)\n$/,
    );
    const writes = [
      `patch ${cluster('alpha')} (dry run)`,
      `delete ${path('optimist')} (dry run)`,
      `delete ${path('network')} (dry run)`,
    ];
    expect(server.writes).toEqual(writes);
    expect(policies()).toEqual(['network', 'optimist']);
    expect(taintsOf('alpha')).toHaveLength(2);

    const file = policyFile();
    const pruning = await command(
      ...['apply', '-f', file, '--prune', '-l', 'team', '--dry-run=server', '-o', 'json'],
    );
    expect(pruning.stderr).toContain('skipped 1 policy');
    const document = JSON.parse(pruning.stdout) as object;
    expect(breaches('taint-policy-change', document)).toBe('');
    expect(document).toMatchObject({ dryRun: 'server', writes: [{ name: 'network', action: 'pruned' }] });
    expect(policies()).toEqual(['network', 'optimist']);
  });

  test('report NoExecute as uncertain unless --dry-run=server asks the webhook', async () => {
    const file = policyFile({
      name: 'harsh',
      spec: { taints: [{ key: 'example.com/x', effect: 'NoExecute' }] },
    });
    const planned = async (dryRun: string) => {
      const { code, stdout } = await command('apply', '-f', file, `--dry-run=${dryRun}`, '-o', 'json');
      const document = JSON.parse(stdout) as {
        risks: { code: string; stops: boolean }[];
        assumptions: { name: string }[];
      };
      expect(breaches('taint-policy-change', document)).toBe('');
      return {
        code,
        risks: document.risks.filter((risk) => risk.code === 'no-execute-refused'),
        assumed: document.assumptions.find(({ name }) => name === 'allow-no-execute-taint-policy'),
      };
    };
    expect(await planned('client')).toMatchObject({
      code: 1,
      risks: [{ code: 'no-execute-refused', stops: true }],
      assumed: { value: false, byDefault: true },
    });
    expect(await planned('server')).toMatchObject({
      risks: [],
      assumed: { value: true, source: 'the webhook checks all of it before anything is written' },
    });
  });

  test('try a policy before they apply it with our field manager, and report an unchanged one', async () => {
    const first = await command('apply', '-f', policyFile());
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/\nclustertaintpolicy.policy.karmada.io\/new created\n$/);
    expect(server.writes).toEqual([`apply ${path('new')} (dry run)`, `apply ${path('new')}`]);
    const again = await command('apply', '-f', policyFile(), '-o', 'json');
    const document = JSON.parse(again.stdout) as { writes: object[] };
    expect(breaches('taint-policy-change', document)).toBe('');
    expect(document).toMatchObject({
      policies: [{ name: 'new', verb: 'unchanged' }],
      writes: [{ name: 'new', action: 'unchanged' }],
    });
  });

  test('refuse risky changes before any write', async () => {
    const file = policyFile({ name: 'risky', spec: { removeOnConditions: [] } });
    expect(await command('apply', '-f', file)).toMatchObject({ code: 1 });
    expect(policies()).toEqual(['network', 'optimist']);
    expect(await command('apply', '-f', file, '--accept=never-removed')).toMatchObject({ code: 0 });
    expect(policies()).toEqual(['network', 'optimist', 'risky']);
  });

  test('report field conflicts with another manager, which --force-conflicts overrides', async () => {
    await command('apply', '-f', policyFile());
    server.store.patch(
      path('new'),
      { spec: { taints: [{ key: 'example.com/theirs', effect: 'NoSchedule' }] } },
      { fieldManager: 'kubectl-edit' },
    );
    const refused = await command('apply', '-f', policyFile());
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(
      /Reason: \S+new.json:1:\d+: new: .*conflict.*"kubectl-edit".*\.spec\.taints; take .*--force-conflicts/,
    );
    const forced = await command('apply', '-f', policyFile(), '--force-conflicts');
    expect(forced).toMatchObject({ code: 0 });
    expect(server.store.get(path('new'))).toMatchObject({
      spec: { taints: [{ key: 'example.com/new' }] },
    });
  });

  test('prune policies with the labels that are not in the files, and report the taints that stay', async () => {
    const file = policyFile({ labels: { team: 'platform' } });
    const argv = ['apply', '-f', file, '--prune', '-l', 'team=platform'];
    const { code, stdout } = await command(...argv);
    expect(code).toBe(0);
    expect(stdout).toMatch(/clustertaintpolicy.policy.karmada.io\/network pruned\n/);
    expect(policies()).toEqual(['new', 'optimist']);
    // optimist lists it, too
    expect(stdout).toMatch(/alpha {3}example.com\/network=down:NoSchedule .* stays: still listed/);
  });

  test('do not prune a policy in the files, even without the label', async () => {
    const file = policyFile({ name: 'network' });
    const { code, stderr } = await command('apply', '-f', file, '--prune', '-l', 'team=platform');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('skipped 1 policy without the labels of -l'),
    });
    expect(policies()).toEqual(['network', 'optimist']);
  });

  test('refuse to prune with files that contain no policy', async () => {
    const file = join(directory, 'other.yaml');
    writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
    const { code, stderr } = await command('apply', '-f', file, '--prune', '-l', 'team=platform');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'error: the files hold no ClusterTaintPolicy, so --prune would delete all with the labels of -l; check -f and -k, or name them to taint-policy delete\n',
    );
    expect(policies()).toEqual(['network', 'optimist']);
  });

  test('remove only the taints that the deleted policy added', async () => {
    await command('delete', 'optimist');
    const planned = await command('delete', 'network', '--dry-run');
    expect(planned.stdout).toContain('its policy is deleted   stays; --with-taints would remove it');
    expect(await command('delete', 'network', '--with-taints')).toMatchObject({ code: 0 });
    expect(policies()).toEqual([]);
    expect(taintsOf('alpha').map(({ key }) => key)).toEqual(['example.com/maintenance']);
    expect(taintsOf('beta').map(({ key }) => key)).toEqual(['example.com/forgotten']);
    // taints first: while the policy exists, the same command plans them again
    expect(server.writes.slice(-2)).toEqual([`patch ${cluster('alpha')}`, `delete ${path('network')}`]);
  });

  test('ask on a terminal, and write nothing without confirmation', async () => {
    const terminal = {
      ...preloading(join(import.meta.dirname, 'asTerminal.cjs')),
      NO_COLOR: '1',
    };
    const asked = async (...argv: string[]) => {
      const { code, stderr } = await runLive(['taint-policy', ...argv, ...common], server, terminal);
      return {
        code,
        question: /\(http\S+: (?:Apply|Delete) this.* \[y\/N\]/.exec(stderr)?.[0].replace(/^\S+ /, ''),
      };
    };
    const file = policyFile({ name: 'risky', spec: { removeOnConditions: [] } });
    expect(await asked('apply', '-f', file)).toEqual({
      code: 1,
      question: 'Apply this despite never-removed? [y/N]',
    });
    // answering prompts in advance does not accept the risk
    expect(await asked('apply', '-f', file, '--yes')).toEqual({ code: 1 });
    expect(await asked('delete', 'network')).toEqual({ code: 1, question: 'Delete this? [y/N]' });
    const said = await runLive(['taint-policy', 'delete', 'network', ...common], server, terminal);
    expect(said.stderr).toMatch(/Nothing was changed\.\n$/);
    expect(server.writes.filter((write) => !write.endsWith('(dry run)'))).toEqual([]);
    expect(await asked('delete', 'network', '--yes')).toEqual({ code: 0 });
  });

  test('continue with --wait in a second run, although the policy is unchanged', async () => {
    const wait = () => command('apply', '-f', policyFile(), '--wait', '--timeout', '1s');
    expect(await wait()).toMatchObject({ code: 3 });
    const again = await wait();
    expect(again.code).toBe(3);
    expect(again.stdout).toContain(
      'new unchanged\n\nNot done yet\n  gamma   does not have example.com/new:NoSchedule\n',
    );
    server.store.patch(cluster('gamma'), {
      spec: { taints: [{ key: 'example.com/new', effect: 'NoSchedule' }] },
    });
    expect(await wait()).toMatchObject({ code: 0 });
  });

  test('report with --wait the reason for a taint that is not added', async () => {
    const { code, stdout } = await command('apply', '-f', policyFile(), '--wait', '--timeout', '1s');
    expect(code).toBe(3);
    expect(stdout).toContain(
      'Not done yet\n  gamma   does not have example.com/new:NoSchedule\n  Check that karmada-controller-manager runs; taint-policy explain says what it waits for.\n',
    );
  });
});
