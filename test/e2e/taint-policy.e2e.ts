import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Taint } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { TargetCluster } from '../../src/karmada/api/work.ts';
import type { Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { assumedOn, evictingBed, runInShop } from './evictingBed.ts';
import { bindings } from './heldAgainstSimulation.ts';
import { groups, on } from './placements.ts';
import { endsWith, type Ended } from './tool.ts';

const workloads: [name: string, placement: Placement][] = [
  ['grouped', groups('member1', 'member2')],
  ['pinned', on('member1')],
  ['elsewhere', on('member3')],
];
const gates = assumedOn('Failover', 'enable-no-execute-taint-eviction');
const POLICIES = '/apis/policy.karmada.io/v1alpha1/clustertaintpolicies';
const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';

let bed: Bed;

beforeAll(async () => {
  bed = await evictingBed();
  await runInShop(bed, workloads);
  for (const member of ['member1', 'member2', 'member3']) await turn(member, 'False');
});

afterAll(() => bed?.down());

interface Condition {
  type: string;
  status: string;
}

/** Gives a member the condition Degraded, as a separate monitor would. */
async function turn(member: string, status: 'True' | 'False'): Promise<void> {
  const cluster = await bed.api().get<{ status?: { conditions?: Condition[] } }>(`${CLUSTERS}/${member}`);
  const others = (cluster.status?.conditions ?? []).filter(({ type }) => type !== 'Degraded');
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
  const degraded = { type: 'Degraded', status, reason: 'Test', message: '', lastTransitionTime };
  await bed.api().merge(`${CLUSTERS}/${member}/status`, { status: { conditions: [...others, degraded] } });
}

async function taintsOf(member: string): Promise<string[]> {
  const { spec } = await bed.api().get<{ spec: { taints?: Taint[] } }>(`${CLUSTERS}/${member}`);
  return (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
}

/** Waits until a member has exactly these taints. */
async function tainted(member: string, wanted: string[]): Promise<void> {
  await eventually(
    `${member} to have ${wanted.join(', ') || 'no taints'}`,
    async () => (await taintsOf(member)).join() === wanted.join(),
  );
}

interface GivenPolicy {
  add?: Condition;
  remove?: Condition;
  members?: string[];
  taints?: { key: string; effect: string; value?: string }[];
}

const degraded = (status: string): Condition => ({ type: 'Degraded', status });
const entry = ({ type, status }: Condition) => ({
  conditionType: type,
  operator: 'In',
  statusValues: [status],
});

/** Writes a file with one policy; returns the value for -f. */
function file(name: string, { add, remove, members = ['member1'], taints = [] }: GivenPolicy): string {
  const path = join(bed.file.directory, `${name}.json`);
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name, labels: { test: 'taint-policy' } },
    spec: {
      targetClusters: { clusterNames: members },
      ...(add ? { addOnConditions: [entry(add)] } : {}),
      ...(remove ? { removeOnConditions: [entry(remove)] } : {}),
      taints,
    },
  };
  writeFileSync(path, JSON.stringify(policy));
  return path;
}

const command = (code: number, ...args: string[]): Promise<Ended> =>
  endsWith(bed, code, 'taint-policy', ...args, ...gates);

const evicting = { key: 'example.com/degraded', effect: 'NoExecute' };

test('a policy is applied, and a matching condition taints the cluster and moves workloads as announced', async () => {
  const path = file('degraded', { add: degraded('True'), remove: degraded('False'), taints: [evicting] });
  const { stdout } = await command(0, 'apply', '-f', path, '--dry-run=server', '-o', 'json');
  const plan = JSON.parse(stdout) as {
    clusters: { name: string; later: { condition: Condition; gains: { taint: object }[] }[] }[];
    turns: {
      cluster: string;
      condition: Condition;
      workloads: { workload: { name: string }; with: { outcome: string; after: TargetCluster[] } }[];
    }[];
  };
  expect(plan.clusters).toMatchObject([
    { name: 'member1', later: [{ condition: degraded('True'), gains: [{ taint: evicting }] }] },
  ]);
  const said = plan.turns.find(({ condition }) => condition.status === 'True')!.workloads;
  const outcomes = said.map(({ workload, with: { outcome } }): [string, string] => [workload.name, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({ grouped: 'moves', pinned: 'lost' });

  await command(0, 'apply', '-f', path, '--wait');
  expect(await taintsOf('member1')).toEqual([]);
  await turn('member1', 'True');
  await tainted('member1', ['example.com/degraded:NoExecute']);
  await eventually('the evictions to end', async () =>
    (await bindings(bed)).every(
      ({ metadata, spec }) =>
        metadata.name === 'elsewhere-deployment' ||
        ((spec.gracefulEvictionTasks ?? []).length === 0 &&
          !spec.clusters?.some(({ name }) => name === 'member1')),
    ),
  );
  const found = new Map((await bindings(bed)).map(({ metadata, spec }) => [metadata.name, spec]));
  for (const { workload, with: after } of said)
    expect([workload.name, found.get(`${workload.name}-deployment`)?.clusters ?? []]).toEqual([
      workload.name,
      after.after,
    ]);

  const explained = await command(0, 'explain', 'degraded', '--cluster', 'member1');
  expect(explained.stdout).toContain('degraded adds it while Degraded=True: holds');
  await turn('member1', 'False');
  await tainted('member1', []);
}, 240_000);

const noted = { key: 'example.com/noted', effect: 'NoSchedule' };

test('given two conflicting policies for a taint key, the newer one wins, as announced', async () => {
  const adder = file('adder', {
    add: degraded('False'),
    remove: degraded('True'),
    members: ['member2', 'member3'],
    taints: [noted],
  });
  await command(0, 'apply', '-f', adder, '--wait');
  expect(await taintsOf('member2')).toEqual(['example.com/noted:NoSchedule']);

  // of policies created in the same second, it is unknown which is newer
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const remover = file('remover', {
    remove: { type: 'Ready', status: 'True' },
    members: ['member2'],
    taints: [noted],
  });
  const refused = await command(1, 'apply', '-f', remover);
  expect(refused.stdout).toMatch(/taint-owned .*policy adder lists it too/);
  expect(refused.stdout).toMatch(/At once\n +member2 +loses example.com\/noted:NoSchedule \(remover\)/);
  const names = /accept (?:it|them) with\s+kubectl .*--accept[= ](\S+)/
    .exec(refused.stdout)![1]!
    .replace(/,$/, '');
  await command(0, 'apply', '-f', remover, '--accept', names, '--wait');
  expect(await taintsOf('member2')).toEqual([]);
  expect(await taintsOf('member3')).toEqual(['example.com/noted:NoSchedule']);
  const { stdout } = await command(0, 'explain', 'adder');
  expect(stdout).toContain('remover is newer and takes precedence over adder');
}, 120_000);

test('an edit leaves orphaned taints, which are listed, and removed on request', async () => {
  const narrower = file('adder', {
    add: degraded('False'),
    remove: degraded('True'),
    members: ['member2'],
    taints: [noted],
  });
  const planned = await command(0, 'apply', '-f', narrower, '--dry-run=client');
  expect(planned.stdout).toMatch(
    /member3 +example.com\/noted:NoSchedule +its policy is no longer for the cluster/,
  );
  const applied = await command(0, 'apply', '-f', narrower, '--with-taints', '-o', 'json');
  expect((JSON.parse(applied.stdout) as { writes: object[] }).writes).toMatchObject([
    { name: 'adder', action: 'configured' },
    { name: 'member3', action: 'untainted' },
  ]);
  expect(await taintsOf('member3')).toEqual([]);
}, 60_000);

test('fields of another manager are conflicts, reported as in kubectl, and overridden by force', async () => {
  const path = file('adder', {
    add: degraded('False'),
    remove: degraded('True'),
    members: ['member2'],
    taints: [noted],
  });
  const theirs = [{ key: 'example.com/theirs', effect: 'NoSchedule' }];
  await bed.api().merge(`${POLICIES}/adder?fieldManager=kubectl-edit`, { spec: { taints: theirs } });
  const refused = await command(1, 'apply', '-f', path);
  expect(refused.stdout).toMatch(
    /conflict with "kubectl-edit".*: \.spec\.taints; take the fields over with --force-conflicts/,
  );
  await command(0, 'apply', '-f', path, '--force-conflicts', '--accept=taint-owned');
  const { spec } = await bed.api().get<{ spec: { taints: object[] } }>(`${POLICIES}/adder`);
  expect(spec.taints).toEqual([noted]);
}, 60_000);

test('a taint that the Cluster API rejects is refused; if accepted anyway, --wait reports the cause', async () => {
  const bad = file('bad', {
    add: degraded('False'),
    remove: degraded('True'),
    members: ['member3'],
    taints: [{ key: 'example.com/bad', effect: 'PreferNoSchedule' }],
  });
  const refused = await command(1, 'apply', '-f', bad);
  expect(refused.stdout).toContain('Unsupported value: "PreferNoSchedule"');
  const names = /accept (?:it|them) with\s+kubectl .*--accept[= ](\S+)/
    .exec(refused.stdout)![1]!
    .replace(/,$/, '');
  const { stdout } = await command(3, 'apply', '-f', bad, '--accept', names, '--wait', '--timeout', '40s');
  expect(stdout).toMatch(
    /Not done yet\n +member3 +does not have example.com\/bad:PreferNoSchedule: .*invalid/,
  );
  await command(0, 'delete', 'bad');
}, 60_000);

test('pruning and deleting remove taints on request, and keep those of others', async () => {
  await bed.api().merge(`${CLUSTERS}/member3`, {
    spec: { taints: [{ key: 'example.com/person', effect: 'NoSchedule' }] },
  });
  const kept = file('kept', {
    add: degraded('False'),
    remove: degraded('True'),
    members: ['member3'],
    taints: [noted],
  });
  const pruned = await command(
    0,
    ...['apply', '-f', kept, '--prune', '-l', 'test=taint-policy', '--with-taints', '--wait'],
  );
  expect(pruned.stdout).toContain('clustertaintpolicy.policy.karmada.io/remover pruned');
  expect((await taintsOf('member3')).sort()).toEqual([
    'example.com/noted:NoSchedule',
    'example.com/person:NoSchedule',
  ]);
  const gone = await command(0, 'delete', 'kept', '--with-taints');
  expect(gone.stdout).toContain('cluster.cluster.karmada.io/member3 untainted: example.com/noted:NoSchedule');
  expect(await taintsOf('member3')).toEqual(['example.com/person:NoSchedule']);
  expect((await command(0, 'list', '-o', 'name')).stdout).toBe('');
}, 120_000);
