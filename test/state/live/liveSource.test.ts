import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { LoadOptions } from '../../../src/state/source.ts';
import { stateFromFiles } from '../../../src/state/fileSource.ts';
import { hostComponents } from '../../../src/state/live/hostComponents.ts';
import { stateFromControlPlane } from '../../../src/state/live/liveSource.ts';
import { slimTemplate, slimWork } from '../../../src/state/snapshot/slim.ts';
import { servingObjects, type ServingOptions } from './servingObjects.ts';

const file = 'examples/incident/control-plane.json';
const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubernetesObject[] };
const load = (
  options: ServingOptions = {},
  ...given: Parameters<ReturnType<typeof stateFromControlPlane>['load']>
) => stateFromControlPlane(servingObjects(items, options)).load(...given);
const everything = { live: { templates: {} } };

describe('the state of a live control plane', () => {
  test('equals the state from files with the same objects', async () => {
    const { world } = await load({}, everything);
    const { world: fromFile } = await stateFromFiles([file]).load();
    const { works, others, unread, ...rest } = world;
    const { works: worksInFile, others: othersInFile, ...restInFile } = fromFile;
    expect(rest).toEqual(restInFile);
    expect(works).toEqual(worksInFile.map((work) => slimWork(work as KubernetesObject)));
    expect(unread).toEqual([]);
    const named = ({ kind, metadata }: KubernetesObject) =>
      `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
    expect(others.map(named).sort()).toEqual(othersInFile.map(named).sort());
    const deployments = (objects: KubernetesObject[]) =>
      objects.filter(({ kind }) => kind === 'Deployment').map(slimTemplate);
    expect(deployments(others)).toEqual(deployments(othersInFile));
  });

  test('contains Karmada’s components in the host cluster, whatever kinds are requested', async () => {
    const deployments = ['karmada-scheduler', 'karmada-scheduler-estimator-member1'].map((name) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 'karmada-system', name },
      spec: { template: { spec: { containers: [{ name, command: [name] }] } } },
      status: { replicas: 1, readyReplicas: 0 },
    }));
    const host = () =>
      hostComponents(servingObjects([...deployments, { ...deployments[0]!, metadata: { name: 'x' } }]));
    const source = stateFromControlPlane(servingObjects(items), { host });
    const shown = async (options: LoadOptions) =>
      (await source.load(options)).world.others.filter(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.namespace === 'karmada-system',
      );
    expect(await shown({})).toEqual(deployments);
    expect(await shown({ kinds: new Set(['Cluster', 'ResourceBinding']) })).toEqual(deployments);
  });

  test('contains the Events of failures without a later success, for checks', async () => {
    const event = (reason: string, name: string, lastTimestamp: string) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'shop', name: `${name}.${reason}` },
      involvedObject: { kind: 'Deployment', namespace: 'shop', name },
      type: reason.endsWith('Succeed') ? 'Normal' : 'Warning',
      reason,
      lastTimestamp,
    });
    const lasting = event('ApplyPolicyFailed', 'web', '2026-09-01T09:50:00Z');
    const server = servingObjects([
      ...items,
      lasting,
      event('ApplyPolicySucceed', 'web', '2026-09-01T09:40:00Z'),
      event('ApplyPolicyFailed', 'api', '2026-09-01T09:50:00Z'),
      event('ApplyPolicySucceed', 'api', '2026-09-01T09:51:00Z'),
      { ...event('BackOff', 'web', '2026-09-01T09:50:00Z') },
    ]);
    const { world } = await stateFromControlPlane(server).load({ live: { checks: true } });
    expect(world.others.filter(({ kind }) => kind === 'Event')).toEqual([lasting]);
    expect(server.requests.filter((path) => path.endsWith('/events'))).toHaveLength(2);
  });

  test('has the time of the server’s clock', async () => {
    const { captured } = await load();
    expect(captured).toEqual({
      time: Date.parse('2026-09-01T10:00:00.250Z'),
      source: 'the clock of the API server',
    });
  });

  test('contains only the requested kinds', async () => {
    const server = servingObjects(items);
    await stateFromControlPlane(server, { detectVersion: false }).load({
      kinds: new Set(['Cluster', 'Lease']),
    });
    expect(server.requests).toEqual([
      '/apis/cluster.karmada.io/v1alpha1/clusters',
      '/apis/coordination.k8s.io/v1/namespaces/karmada-cluster/leases',
      '/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases',
    ]);
  });

  test('contains no duplicates if a list restarts', async () => {
    const { world } = await load({ expiring: ['resourcebindings.work.karmada.io'] });
    expect(world.bindings).toHaveLength(14);
  });

  test('contains the newer version of an object that a list contains twice, with a warning', async () => {
    const [first, ...others] = items.filter(({ kind }) => kind === 'ResourceBinding');
    const version = (resourceVersion: string) => ({
      ...first!,
      metadata: { ...first!.metadata, resourceVersion },
    });
    const server = servingObjects([version('10'), ...others, version('9')]);
    const { world, warnings } = await stateFromControlPlane(server).load({
      kinds: new Set(['ResourceBinding']),
    });
    expect(world.bindings).toHaveLength(others.length + 1);
    expect(world.bindings[0]!.metadata.resourceVersion).toBe('10');
    expect(warnings).toContainEqual(
      expect.stringMatching(/^the list of \S+ holds \w+ \S+ twice: it changed while/),
    );
  });

  test('contains only the bindings of the requested namespace', async () => {
    const { world } = await load({}, { live: { namespace: 'data' } });
    expect(new Set(world.bindings.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['data']));
  });

  test('contains only the Works of evicted copies if only evictions are requested', async () => {
    const kinds = new Set(['Cluster', 'ResourceBinding', 'Work']);
    const { world } = await load({}, { kinds, live: { worksOfEvictions: true } });
    const clusters = world.bindings.flatMap(({ spec }) =>
      (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => `karmada-es-${fromCluster}`),
    );
    expect(world.works.length).toBeGreaterThan(0);
    expect(new Set(world.works.map(({ metadata }) => metadata.namespace))).toEqual(new Set(clusters));
  });

  test('contains no Secrets, and only the metadata of ConfigMaps', async () => {
    const meta = { namespace: 'shop', name: 'settings' };
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta, data: { a: 'b' } };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: meta, data: { a: 'b' } };
    const server = servingObjects([...items, config, secret]);
    const kinds = [config, secret].map(({ apiVersion, kind }) => ({ apiVersion, kind }));
    const { world } = await stateFromControlPlane(server).load({ live: { templates: { kinds } } });
    expect(world.others.filter(({ metadata }) => metadata.name === 'settings')).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta },
    ]);
    expect(server.requests).toContain('/api/v1/configmaps (metadata)');
    expect(server.requests.filter((path) => path.includes('secrets'))).toEqual([]);
  });

  test('contains no templates above the maximum number of bindings', async () => {
    const { world } = await load({}, { live: { templates: { mostBindings: 13 } } });
    expect(world.others.filter(({ kind }) => kind === 'Deployment')).toEqual([]);
  });
});

describe('a kind that is missing, forbidden or invalid in a live control plane', () => {
  test('is unread, with one warning for all kinds that only checks need', async () => {
    const forbidden = ['events', 'namespaces'];
    const { world, warnings } = await load({ forbidden }, { live: { checks: true } });
    expect(world.unread?.map(({ kind }) => kind).sort()).toEqual(['Event', 'Namespace']);
    expect(warnings).toEqual([
      'failures that need list on events, namespaces are not checked; the ClusterRole karmada-failover-doctor in docs/rbac.yaml and the ClusterRole karmada-failover-history in docs/rbac.yaml grant it',
    ]);
  });

  test('is reported as unread, with its consequence and the ClusterRole that grants it', async () => {
    const { world, warnings } = await load({ forbidden: ['works.work.karmada.io'] });
    expect(world.works).toEqual([]);
    expect(world.unread).toEqual([
      {
        kind: 'Work',
        missing:
          'list on works.work.karmada.io, granted by the ClusterRole karmada-failover-reader in docs/rbac.yaml',
      },
    ]);
    expect(warnings).toEqual([
      'works.work.karmada.io is forbidden: User "reader" cannot list resource "works"; copies and their replicas are inferred from what the bindings report; list on works.work.karmada.io is granted by the ClusterRole karmada-failover-reader in docs/rbac.yaml',
    ]);
  });

  test('is a warning for templates, and an error if templates are selected by labels', async () => {
    const forbidden = { forbidden: ['deployments.apps'] };
    const { warnings } = await load(forbidden, everything);
    expect(warnings).toEqual([
      expect.stringContaining('granted by the ClusterRole karmada-failover-templates'),
    ]);
    await expect(load(forbidden, { live: { templates: { metadataOnly: true } } })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('list on deployments.apps is granted by the ClusterRole'),
    });
  });

  test('is an error for Clusters and bindings', async () => {
    for (const resource of ['clusters.cluster.karmada.io', 'resourcebindings.work.karmada.io'])
      await expect(load({ forbidden: [resource] })).rejects.toMatchObject({
        exitCode: 4,
        status: 403,
        message: expect.stringContaining(
          `list on ${resource} is granted by the ClusterRole karmada-failover-reader in docs/rbac.yaml`,
        ),
      });
  });

  test('is not reported if the API server does not serve the kind', async () => {
    const { world, warnings } = await load({ absent: ['config.karmada.io', 'apps.karmada.io'] });
    expect({ unread: world.unread, warnings }).toEqual({ unread: [], warnings: [] });
  });

  test('is an error if the server is not a Karmada API server', async () => {
    await expect(load({ absent: ['cluster.karmada.io', 'work.karmada.io'] })).rejects.toMatchObject({
      exitCode: 4,
      message:
        "context karmada (https://karmada.example:5443) is not a Karmada API server: it does not serve cluster.karmada.io and work.karmada.io; give the context of Karmada's API server (--context)",
    });
  });

  test('is an error if the server returns an invalid object', async () => {
    const broken = { ...structuredClone(items[0]!), spec: { taints: 'none' } } as KubernetesObject;
    await expect(stateFromControlPlane(servingObjects([broken])).load()).rejects.toMatchObject({
      exitCode: 4,
      reason: 'BrokenObject',
      message: expect.stringMatching(
        /^https:\/\/karmada\.example:5443 \(context karmada\) answers \/apis\/cluster\.karmada\.io\/v1alpha1\/clusters with a broken object: Cluster \w+: spec\.taints: "none" is a string, expected a list; fix the object, /,
      ),
    });
  });
});
