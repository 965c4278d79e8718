import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject, Taint } from '../../src/karmada/api/meta.ts';
import { run } from './cli.ts';
import { liveServer, runLive, type LiveServer } from './liveServer.ts';
import { breaches } from './schema.ts';

const world = 'test/fixtures/taint-policy-world.yaml';
const common = ['--at', '2026-09-01T09:00:00Z', '--assume', 'Failover=true', '--karmada-version', 'v1.18'];
const path = (name: string) => `/apis/policy.karmada.io/v1alpha1/clustertaintpolicies/${name}`;
const cluster = (name: string) => `/apis/cluster.karmada.io/v1alpha1/clusters/${name}`;

describe('taint-policy delete --plan', () => {
  let server: LiveServer;
  let file: string;
  beforeEach(async () => {
    const texts = readFileSync(world, 'utf8').split('\n---\n');
    server = await liveServer(texts.map((text) => load(text) as KubernetesObject));
    file = join(server.directory, 'plan.json');
  });
  afterEach(() => server.close());
  const command = (...argv: string[]) => runLive(['taint-policy', 'delete', ...argv, ...common], server);
  /** Saves a plan to delete both policies, because each lists the taint of alpha. */
  const plan = () => command('optimist', 'network', '--with-taints', '--dry-run', '--out', file);
  const taints = (name: string) =>
    (server.store.get(cluster(name)) as unknown as { spec: { taints: Taint[] } }).spec.taints;
  const policies = () =>
    server.store
      .all()
      .filter(({ kind }) => kind === 'ClusterTaintPolicy')
      .map(({ metadata }) => metadata.name);

  test('executes a saved plan without changes', async () => {
    const planned = await plan();
    expect(planned).toMatchObject({
      code: 0,
      stderr: `The plan is in ${file}. To execute it: kubectl karmada-failover taint-policy delete --plan ${file}\n`,
    });
    expect(server.writes).toEqual([]);
    const document = JSON.parse(readFileSync(file, 'utf8')) as object;
    expect(breaches('taint-policy-change', document)).toBe('');
    expect(document).toMatchObject({
      policies: [{ name: 'optimist' }, { name: 'network' }],
      standsOn: { policies: [{ metadata: { uid: 'p2' } }, { metadata: { uid: 'p1' } }] },
    });

    const done = await command('--plan', file);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(
      /untainted: example.com\/network=down:NoSchedule\n\S+\/optimist deleted\n\S+\/network deleted\n$/,
    );
    expect(policies()).toEqual([]);
    expect(taints('alpha').map(({ key }) => key)).toEqual(['example.com/maintenance']);

    expect(await command('--plan', file)).toEqual({
      code: 0,
      stdout:
        'clustertaintpolicy.policy.karmada.io/optimist already gone\nclustertaintpolicy.policy.karmada.io/network already gone\n',
      stderr: 'Everything in the plan is done already.\n',
    });
  });

  test('continues after a manual deletion of the policies, whose taints it still removes', async () => {
    await plan();
    server.store.delete(path('optimist'));
    server.store.delete(path('network'));
    expect(await command('--plan', file)).toMatchObject({
      code: 0,
      stderr: 'Already deleted: optimist, network. The plan continues with the rest.\n',
    });
    expect(taints('alpha').map(({ key }) => key)).toEqual(['example.com/maintenance']);
  });

  test('refuses an outdated plan, and lists every change', async () => {
    await plan();
    server.store.patch(path('optimist'), { spec: { addOnConditions: [] } });
    const [down, ...others] = taints('alpha');
    server.store.patch(cluster('alpha'), {
      spec: { taints: [{ ...down, timeAdded: '2026-09-01T08:30:00Z' }, ...others] },
    });
    const { code, stdout } = await command('--plan', file);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'Reason: the plan is outdated: ClusterTaintPolicy optimist was edited, Cluster alpha: the taint example.com/network=down:NoSchedule was added again at 2026-09-01T08:30:00Z; plan again with --out FILE\n',
    );
    expect(server.writes).toEqual([]);
    const { stderr } = await command('--plan', file, '-o', 'name');
    expect(stderr).toMatch(/^error: refused: the plan is outdated: /);
  });

  test('refuses to remove a taint that another policy lists by now', async () => {
    await plan();
    server.store.create('/apis/policy.karmada.io/v1alpha1/clustertaintpolicies', {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterTaintPolicy',
      metadata: { name: 'newcomer' },
      spec: { taints: [{ key: 'example.com/network', effect: 'NoSchedule' }] },
    } as KubernetesObject);
    const { code, stdout } = await command('--plan', file);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'Cluster alpha: the taint example.com/network=down:NoSchedule would stay: ClusterTaintPolicy newcomer lists it now;',
    );
    expect(server.writes).toEqual([]);
  });

  test.each([
    [['--with-taints'], 'leave out --with-taints, or plan again with --with-taints --out FILE instead'],
    [['--accept', 'workloads-lost'], 'leave out --accept workloads-lost, or plan again'],
    [['network'], 'deletes optimist, network, not network'],
  ])('refuses %j, which contradict the plan', async (argv, message) => {
    await plan();
    const { code, stderr } = await command('--plan', file, ...argv);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as unknown });
  });

  test('accepts the policy names of the plan', async () => {
    await plan();
    expect(await command('network', 'optimist', '--plan', file, '--dry-run')).toMatchObject({ code: 0 });
  });
});

describe('taint-policy delete with files', () => {
  const state = ['--state', world, ...common];
  const remove = (...argv: string[]) => run(['taint-policy', 'delete', ...argv, ...state]);

  test('prints only the plan with --out -', () => {
    const { code, stdout, stderr } = remove('network', '--out', '-');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'TaintPolicyChange', withTaints: false });
    expect(remove('network', '--out', '-', '-o', 'json')).toMatchObject({ code: 2, stdout: '' });
  });

  test('refuses a file that is not a plan, with its name', () => {
    expect(remove('--plan', 'package.json')).toMatchObject({
      code: 2,
      stderr:
        'error: plan package.json: is not a TaintPolicyChange; save one with a dry run of taint-policy delete\n',
    });
  });
});
