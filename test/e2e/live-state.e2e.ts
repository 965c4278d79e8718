import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import type { SnapshotHeader } from '../../src/state/snapshot/snapshot.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { binary } from './controlPlane/binaries.ts';
import { eventually } from './controlPlane/processes.ts';
import { steadyBindings } from './heldAgainstStory.ts';
import { endsWith } from './tool.ts';
import { createAll, deployment, namespace, policyFor, taintWhileReadyIs } from './workloads.ts';
import { withoutTarget } from '../nextCommands.ts';
import { program } from '../program.ts';

const directory = mkdtempSync(join(tmpdir(), 'live-state-'));
const dump = join(directory, 'dump.json');
const snapshot = join(directory, 'snapshot.json.gz');
let bed: Bed;

/** In the order in which a live state is read. */
const KINDS = [
  'clusters',
  'resourcebindings',
  'clusterresourcebindings',
  'works',
  'propagationpolicies.policy.karmada.io',
  'clusterpropagationpolicies.policy.karmada.io',
  'clustertaintpolicies.policy.karmada.io',
  'leases',
  'priorityclasses',
  'deployments',
  'configmaps',
  'namespaces',
  'multiclusterservices',
  'apiservices',
  'events',
];

const READING = [
  ['failover', 'status'],
  ['failover', 'status', 'member1'],
  ['failover', 'explain', 'deploy/stuck', '-n', 'shop', '--if-fails', 'member2'],
  ['failover', 'explain', 'deploy/pinned', '-n', 'shop', '--cluster', 'member2'],
  ['failover', 'simulate', '--fail', 'member2'],
  ['eviction', 'inspect'],
  ['eviction', 'inspect', 'deploy/stuck', '-n', 'shop'],
  ['eviction', 'inspect', '-l', 'app=stuck'],
];

const on = (...clusterNames: string[]) => ({
  clusterAffinity: { clusterNames },
  spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 1, maxGroups: 1 }],
});
const secretly = (object: KubernetesObject): KubernetesObject => {
  const { spec } = object as unknown as { spec: { template: { spec: { containers: object[] } } } };
  Object.assign(spec.template.spec.containers[0]!, { env: [{ name: 'PASSWORD', value: 'hunter2' }] });
  return object;
};
const component = (name: string, ...flags: string[]): KubernetesObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'karmada-system', name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            {
              name: 'main',
              image: `docker.io/karmada/${name}:v1.18.2`,
              command: [`/bin/${name}`, ...flags, '--kubeconfig=/etc/hidden'],
            },
          ],
        },
      },
    },
  }) as unknown as KubernetesObject;

beforeAll(async () => {
  const members = defaultOptions.members.slice(0, 2);
  const controllerManager = { ...defaultOptions.controllerManager, 'graceful-eviction-timeout': '30m' };
  bed = await up({ ...defaultOptions, members, controllerManager });
  const stuck = secretly(deployment('shop', 'stuck', 2, 'member2=never'));
  const pinned = deployment('shop', 'pinned', 2);
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name: 'settings' },
    data: { key: 'hunter2' },
  };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'shop', name: 'password' },
    data: { password: Buffer.from('hunter2').toString('base64') },
  };
  await createAll(bed.api(), [
    namespace('shop'),
    taintWhileReadyIs('not-ready', 'False', 'cluster.karmada.io/not-ready'),
    stuck,
    policyFor(stuck, on('member1')),
    pinned,
    policyFor(pinned, on('member2')),
    settings,
    policyFor(settings, on('member2')),
    secret,
    policyFor(secret, on('member2')),
  ]);
  await steadyBindings(bed, 4);
  const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/shop/propagationpolicies';
  await bed.api().merge(`${policies}/stuck`, { spec: { placement: on('member1', 'member2') } });
  await bed.api().merge('/apis/cluster.karmada.io/v1alpha1/clusters/member1', {
    spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] },
  });
  await eventually('an eviction that waits', async () => {
    const path = '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/stuck-deployment';
    const { spec, status } = await bed.api().get<ResourceBinding>(path);
    const reported = status?.aggregatedStatus?.some(
      ({ clusterName, health }) => clusterName === 'member2' && health === 'Unhealthy',
    );
    return reported && spec.gracefulEvictionTasks?.[0]?.creationTimestamp !== undefined;
  });
  // the host cluster of a control plane is just another cluster
  await createAll(bed.api('member1'), [
    namespace('karmada-system'),
    component(
      'karmada-controller-manager',
      '--feature-gates=Failover=true',
      '--graceful-eviction-timeout=30m',
    ),
    component('karmada-scheduler'),
  ]);
  await eventually('components that run', async () => {
    const path = '/apis/apps/v1/namespaces/karmada-system/deployments';
    const { items } = await bed
      .api('member1')
      .get<{ items: { status?: { readyReplicas?: number } }[] }>(path);
    return items.length === 2 && items.every(({ status }) => status?.readyReplicas);
  });
}, 300_000);

afterAll(async () => {
  rmSync(directory, { recursive: true });
  await bed?.down();
});

const answer = async (...argv: string[]) =>
  JSON.parse((await endsWith(bed, 0, ...argv, '-o', 'json')).stdout) as Record<string, unknown>;

/** The same command on files; the test bed is not queried. */
function answerFrom(file: string, ...argv: string[]): Record<string, unknown> {
  const text = execFileSync(...program(...argv, '-o', 'json', '--state', file), {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(text) as Record<string, unknown>;
}

test('live answers equal the answers for a dump of kubectl get', async () => {
  const argv = ['get', KINDS.join(','), '-A', '-o', 'json', '--kubeconfig', bed.kubeconfig];
  writeFileSync(dump, execFileSync(binary('kubectl'), argv, { maxBuffer: 1 << 28 }));
  const same = ['--at', new Date().toISOString(), '--karmada-version', 'v1.18'];
  for (const command of READING)
    expect({ command, answer: withoutTarget(await answer(...command, ...same)) }).toEqual({
      command,
      answer: withoutTarget(answerFrom(dump, ...command, ...same)),
    });
});

test('answers from a snapshot equal live answers of its time, with the flags of the host cluster', async () => {
  const host = ['--host-context', 'member1'];
  await endsWith(bed, 0, 'snapshot', 'save', snapshot, ...host);
  const text = gunzipSync(readFileSync(snapshot)).toString();
  const { captured, served } = JSON.parse(text) as SnapshotHeader;
  expect(served?.map(({ group }) => group)).toContain('work.karmada.io');
  const withoutInstant = (document: Record<string, unknown>) =>
    withoutTarget({
      ...document,
      assumptions: (document['assumptions'] as { name: string }[]).filter(({ name }) => name !== 'now'),
    });
  for (const command of READING)
    expect({
      command,
      answer: withoutInstant(await answer(...command, ...host, '--at', captured!.time)),
    }).toEqual({ command, answer: withoutInstant(answerFrom(snapshot, ...command)) });
});

test('a snapshot contains no secrets', () => {
  const text = gunzipSync(readFileSync(snapshot)).toString();
  const token = Buffer.from(bed.file.token).toString('base64');
  for (const secret of [
    'hunter2',
    Buffer.from('hunter2').toString('base64'),
    bed.file.token,
    token,
    'hidden',
  ])
    expect(text).not.toContain(secret);
});

test('gates, flags and the version come from the host cluster, or else from the API', async () => {
  const { assumptions } = await answer('failover', 'status', '--host-context', 'member1');
  expect(assumptions).toEqual(
    expect.arrayContaining([
      {
        name: 'karmadaVersion',
        value: 'v1.18.2',
        source: 'Deployment karmada-system/karmada-controller-manager runs v1.18.2',
        assumed: false,
      },
      expect.objectContaining({ name: 'Failover', value: true, assumed: false }),
      expect.objectContaining({ name: 'graceful-eviction-timeout', value: '30m', assumed: false }),
    ]),
  );
  expect((await answer('failover', 'status'))['assumptions']).toEqual(
    expect.arrayContaining([
      {
        name: 'karmadaVersion',
        value: 'v1.18',
        source:
          'the API has overflowAffinities, as in v1.18; its newest patch release is assumed, give --karmada-version for another',
        assumed: true,
      },
      // what the objects imply about it remains an assumption
      expect.objectContaining({ name: 'Failover', assumed: true }),
      expect.objectContaining({ name: 'graceful-eviction-timeout', value: '10m', assumed: true }),
    ]),
  );
});

test('an error reports that the cluster is not a control plane', async () => {
  const { stderr } = await endsWith(bed, 4, 'failover', 'status', '--context', 'member1');
  expect(stderr).toMatch(/^error: context member1 .* is not a Karmada API server: .*--context/);
});
