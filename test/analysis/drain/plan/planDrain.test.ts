import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { DrainOptions } from '../../../../src/analysis/drain/drainOptions.ts';
import type { DrainPlan, PlannedWorkload } from '../../../../src/analysis/drain/plan/drainPlan.ts';
import { evictFromClusters } from '../../../../src/analysis/drain/drainTasks.ts';
import {
  type DrainProblem,
  planDrain,
  type PlanDrainOptions,
} from '../../../../src/analysis/drain/plan/planDrain.ts';
import { simulate } from '../../../../src/simulator/simulation/simulate.ts';
import type { World } from '../../../../src/karmada/world.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../../src/karmada/api/meta.ts';
import { worldOf } from '../../../state/recording/recorded.ts';
import type { ResourceBinding, Work } from '../../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../../src/karmada/configuration/configuration.ts';
import { cluster, deployment, failoverOn, START, world } from '../../../simulator/simulation/controlPlane.ts';
import { byCapacity, cordonedFor, defaults, everywhere, heldTask, onlyOn, workOf } from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';

const fleet = ['east-1', 'east-2', 'west-1'].map((name) => cluster(name));

interface Given extends Partial<PlanDrainOptions> {
  clusters?: Cluster[];
  options?: DrainOptions;
  configuration?: Configuration;
}

function plan(bindings: ResourceBinding[], given: Given = {}): DrainPlan {
  const { clusters = fleet, options = drainOf(['east-1']), configuration = defaults, ...rest } = given;
  return planDrain({ ...world(clusters, bindings), taintPolicies: [] }, options, configuration, START, {
    karmadaVersion: 'v1.18',
    ...rest,
  });
}
const of = ({ workloads }: DrainPlan, name: string): PlannedWorkload | undefined =>
  workloads.find((one) => one.name === name);
const placed = (targets: { name: string; replicas?: number }[]) =>
  targets.map(({ name, replicas = 0 }) => `${name}=${replicas}`).sort();
const seconds = (time: number | undefined) => time !== undefined && Math.round((time - START) / 1000);

const web = deployment('web', {
  placement: byCapacity,
  replicas: 4,
  clusters: [
    { name: 'east-1', replicas: 2 },
    { name: 'west-1', replicas: 2 },
  ],
});
const pinned = deployment('pinned', {
  placement: onlyOn('east-1'),
  replicas: 3,
  clusters: [{ name: 'east-1', replicas: 3 }],
});
const duplicated = deployment('duplicated', {
  placement: everywhere,
  replicas: 2,
  clusters: fleet.map(({ metadata }) => ({ name: metadata.name, replicas: 2 })),
});

const problem = (expected: DrainProblem['problem']) => expect.objectContaining({ problem: expected });

describe('a drain plan', () => {
  test('cordons first, and lists when and where each workload moves', () => {
    const made = plan([web]);
    expect(made.cordons).toMatchObject([
      {
        object: { kind: 'Cluster', name: 'east-1' },
        patch: { spec: { taints: [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }] } },
      },
    ]);
    const moved = of(made, 'web')!;
    expect(moved).toMatchObject({ fate: 'moves', order: 1, from: [{ name: 'east-1', replicas: 2 }] });
    expect(placed(moved.after).join()).not.toContain('east-1');
    expect(moved.after.reduce((sum, { replicas = 0 }) => sum + replicas, 0)).toBe(4);
    expect([moved.evictedAt, moved.readyAt, moved.goneAt].map(seconds)).toEqual([0, 32, 33]);
    expect(made).toMatchObject({ atRest: true, refusals: [] });
  });

  test('includes a selected workload after any number of unselected ones', () => {
    const others = Array.from({ length: 20 }, (_, at) =>
      deployment(`a${at}`, {
        placement: everywhere,
        replicas: 2,
        clusters: [{ name: 'east-1', replicas: 2 }],
      }),
    );
    const skip = others.map(({ spec }) => `deploy/${spec.resource.name}`);
    const made = plan([...others, web], { options: drainOf(['east-1'], { selection: { skip } }) });
    expect(of(made, 'web')).toMatchObject({ fate: 'moves' });
    expect(of(made, 'a0')).toMatchObject({ fate: 'stays' });
  });

  test('depends on stale health if Karmada ends the tasks, but not if the drain holds them', () => {
    const two = { ...web, spec: { ...web.spec, placement: onlyOn('east-1', 'west-1') } };
    const depends = (hold: boolean) =>
      of(plan([two], { options: drainOf(['east-1'], { hold }) }), 'web')!.dependsOn?.join() ?? '';
    expect(depends(true)).not.toMatch(/stale health, from before the scale-up/);
    expect(depends(false)).toMatch(/stale health, from before the scale-up/);
    expect(of(plan([two]), 'web')!.gap).toBeUndefined();
  });

  test('evicts at the pace, and reports the duration', () => {
    const many = Array.from({ length: 5 }, (_, at) =>
      deployment(`one-${at}`, {
        placement: byCapacity,
        replicas: 1,
        clusters: [{ name: 'east-1', replicas: 1 }],
      }),
    );
    const made = plan(many);
    expect(made.workloads.map(({ evictedAt }) => seconds(evictedAt))).toEqual([0, 2, 4, 6, 8]);
    expect(made.workloads.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5]);
    expect(made.duration.shortest).toBe(10);
    expect(made.duration.expected).toBeCloseTo(8 + 33, 0);
    expect(made.duration).not.toHaveProperty('longest');
    const judged = plan(many, { options: drainOf(['east-1'], { hold: false }) });
    expect(judged.duration.longest).toBeGreaterThanOrEqual(600);
  });

  test.each([
    { maxConcurrent: 1, evictedAt: [0, 33, 66, 99] },
    { maxConcurrent: 2, evictedAt: [0, 2, 33, 35] },
    { maxConcurrent: 4, evictedAt: [0, 2, 4, 6] },
  ])(
    'with at most $maxConcurrent evictions at a time starts the next one when one has ended',
    ({ maxConcurrent, evictedAt }) => {
      const many = Array.from({ length: 4 }, (_, at) =>
        deployment(`one-${at}`, {
          placement: byCapacity,
          replicas: 1,
          clusters: [{ name: 'east-1', replicas: 1 }],
        }),
      );
      const { pace } = drainOf([]);
      const made = plan(many, { options: drainOf(['east-1'], { pace: { ...pace, maxConcurrent } }) });
      expect(made.workloads.map((one) => seconds(one.evictedAt))).toEqual(evictedAt);
      // not faster than the pace, even if everything were ready at once
      expect(made.duration).toEqual({ shortest: 8, expected: expect.any(Number) });
    },
  );

  test('is refused if a workload cannot move, and lists that workload', () => {
    const made = plan([web, pinned]);
    expect(of(made, 'pinned')).toMatchObject({
      fate: 'blocked',
      reason: expect.stringMatching(/^0\/3 clusters/),
    });
    expect(of(made, 'pinned')).not.toHaveProperty('evictedAt');
    expect(made.refusals).toEqual([
      {
        risk: 'blocked',
        accepted: false,
        problem: '1 workload cannot leave',
        workloads: [{ kind: 'Deployment', namespace: 'shop', name: 'pinned' }],
      },
    ]);
  });

  test('shows that a blocked workload depends on the reported capacity', () => {
    const copied = deployment('copied', {
      placement: { clusterAffinity: { clusterNames: ['east-1'] } },
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
    });
    const made = plan([pinned, copied]);
    expect(of(made, 'pinned')).toMatchObject({
      fate: 'blocked',
      certainty: 'estimate',
      dependsOn: [expect.stringMatching(/^reported capacity/)],
    });
    expect(of(made, 'copied')).toMatchObject({ fate: 'blocked', certainty: 'certain' });
  });

  test('evicts a copy of a Duplicated workload without a replacement', () => {
    expect(of(plan([duplicated]), 'duplicated')).toMatchObject({
      fate: 'leaves',
      after: [
        { name: 'east-2', replicas: 2 },
        { name: 'west-1', replicas: 2 },
      ],
    });
    expect(of(plan([duplicated]), 'duplicated')).not.toHaveProperty('gap');
  });

  test('excludes unselected workloads and workloads that tolerate the cordon', () => {
    const tolerant = deployment('tolerant', {
      placement: { ...byCapacity, clusterTolerations: [{ operator: 'Exists' }] },
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
    });
    const options = drainOf(['east-1'], { selection: { skip: ['deploy/web'] } });
    const made = plan([tolerant, web], { options });
    expect(of(made, 'tolerant')).toMatchObject({
      fate: 'stays',
      reason: expect.stringMatching(/^tolerates/),
    });
    expect(of(made, 'web')).toMatchObject({ fate: 'stays', reason: 'excluded: it is on the skip list' });
    expect(made.refusals).toEqual([]);
  });

  test('is refused if a replacement never becomes ready, and shows the held workload as blocked', () => {
    const neverReady = [{ kind: 'Deployment', namespace: 'shop', name: 'web', cluster: 'west-1' }];
    const only = { ...web, spec: { ...web.spec, placement: onlyOn('east-1', 'west-1') } };
    const made = plan([only], { members: { workloadReadyAfter: 20_000, neverReady } });
    expect(of(made, 'web')).toMatchObject({
      fate: 'blocked',
      outcome: 'blocked',
      reason: expect.stringMatching(
        /^evicted and held, its replacement does not become ready: west-1: 2 of 4 replicas ready/,
      ),
    });
    expect(of(made, 'web')).not.toHaveProperty('gap');
    expect(made.refusals.map(({ risk }) => risk)).toEqual(['blocked']);
  });

  test('of a resumed drain is not refused for an earlier eviction without a ready replacement', () => {
    const neverReady = [{ kind: 'Deployment', namespace: 'shop', name: 'web', cluster: 'west-1' }];
    const spec = { ...web.spec, placement: onlyOn('east-1', 'west-1') };
    const evicted = { ...web, spec: evictFromClusters(spec, ['east-1'], drainOf(['east-1'])) };
    const made = plan([evicted], { members: { workloadReadyAfter: 20_000, neverReady } });
    expect(of(made, 'web')).toMatchObject({ fate: 'blocked' });
    expect(made.refusals).toEqual([]);
  });

  test.each([
    ['nothing is held', drainOf(['east-1'], { hold: false })],
    [
      'the loss was accepted',
      drainOf(['east-1'], { accept: { loss: true, blocked: true, overcommit: true, unhealthy: true } }),
    ],
  ])('reports a loss if the replacement never becomes ready and %s', (_what, options) => {
    const alone = deployment('alone', {
      placement: onlyOn('east-1', 'west-1'),
      replicas: 2,
      clusters: [{ name: 'east-1', replicas: 2 }],
    });
    const neverReady = [{ kind: 'Deployment', namespace: 'shop', name: 'alone', cluster: 'west-1' }];
    const made = plan([alone], { options, members: { workloadReadyAfter: 20_000, neverReady } });
    expect(of(made, 'alone')).toMatchObject({ fate: 'lost' });
    expect(seconds(of(made, 'alone')!.until)).toBeGreaterThanOrEqual(600);
    expect(made.refusals).toMatchObject([
      { risk: 'loss', accepted: options.accept.loss, problem: '1 workload would be lost' },
    ]);
  });

  test('for several clusters moves no workload from one drained cluster to another', () => {
    const wide = deployment('wide', {
      placement: byCapacity,
      replicas: 6,
      clusters: fleet.map(({ metadata }) => ({ name: metadata.name, replicas: 2 })),
    });
    const made = plan([wide], { options: drainOf(['east-1', 'east-2']) });
    expect(of(made, 'wide')!.after).toEqual([{ name: 'west-1', replicas: 6 }]);
    const seen = made.events.flatMap(({ clusters = [] }) => clusters).filter(({ name }) => name !== 'west-1');
    expect(seen.every(({ replicas = 0 }) => replicas <= 2)).toBe(true);
  });

  test('continues a drain in progress', () => {
    const begun = deployment('begun', {
      placement: byCapacity,
      replicas: 2,
      clusters: [{ name: 'west-1', replicas: 2 }],
      spec: { gracefulEvictionTasks: [heldTask('east-1')] },
    });
    const made = plan([begun, web]);
    expect(of(made, 'begun')).toMatchObject({ fate: 'moves', from: [{ name: 'east-1', replicas: 2 }] });
    expect(of(made, 'begun')).not.toHaveProperty('order');
    expect(of(made, 'web')).toMatchObject({ fate: 'moves', order: 1 });
  });

  test('uses the reported status of a new Work whose Applied condition is still missing', () => {
    const id = { 'resourcebinding.karmada.io/permanent-id': 'begun' };
    const evicted = deployment('begun', {
      placement: onlyOn('east-1', 'west-1'),
      replicas: 2,
      clusters: [{ name: 'west-1', replicas: 2 }],
      spec: { gracefulEvictionTasks: [heldTask('east-1')] },
    });
    const begun = {
      ...evicted,
      metadata: { ...evicted.metadata, labels: { ...evicted.metadata.labels, ...id } },
      status: { ...evicted.status, lastScheduledTime: new Date(START - 1000).toISOString() },
    };
    const labelled = (work: Work) => ({ ...work, metadata: { ...work.metadata, labels: id } });
    const starting = workOf('west-1', { ready: 0, written: 2, health: 'Unhealthy' });
    const works = [
      labelled(workOf('east-1')),
      labelled({ ...starting, status: { ...starting.status, conditions: [] } }),
    ];
    const made = planDrain(
      { ...world(fleet, [begun]), works, taintPolicies: [] },
      drainOf(['east-1']),
      defaults,
      START,
      { karmadaVersion: 'v1.18' },
    );
    expect(of(made, 'begun')).toMatchObject({ fate: 'moves' });
    expect(made.refusals).toEqual([]);
  });

  test('shows no replicas down while the old copy is held beside its ready replacement', () => {
    const begun = deployment('begun', {
      placement: byCapacity,
      replicas: 2,
      clusters: [{ name: 'west-1', replicas: 2 }],
      spec: { gracefulEvictionTasks: [heldTask('east-1')] },
    });
    const copies = ['west-1', 'east-1'].map((clusterName) => ({
      clusterName,
      applied: true,
      health: 'Healthy' as const,
      status: { replicas: 2, readyReplicas: 2, availableReplicas: 2 },
    }));
    const made = plan([{ ...begun, status: { ...begun.status, aggregatedStatus: copies } }]);
    expect(of(made, 'begun')).toMatchObject({ fate: 'moves' });
    expect(made.refusals).toEqual([]);
  });

  test('for more clusters continues a drain of one of them, including its earlier evictions', () => {
    const begun = deployment('begun', {
      placement: byCapacity,
      replicas: 4,
      clusters: [
        { name: 'east-2', replicas: 2 },
        { name: 'west-1', replicas: 2 },
      ],
      spec: { gracefulEvictionTasks: [heldTask('east-1')] },
    });
    const options = drainOf(['east-1', 'east-2']);
    const clusters = cordonedFor(drainOf(['east-1']), fleet);
    const made = plan([begun, web], { clusters, options });
    for (const name of ['begun', 'web']) {
      expect(of(made, name)).toMatchObject({ fate: 'moves' });
      expect(placed(of(made, name)!.after)).toEqual(['west-1=4']);
    }
  });

  test('lists the dependents and their clusters at the end', () => {
    const parent = { ...web, spec: { ...web.spec, propagateDeps: true } };
    const config: ResourceBinding = {
      ...deployment('config', { placement: byCapacity, clusters: [] }),
      spec: {
        resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'config' },
        requiredBy: [{ namespace: 'shop', name: 'web-deployment', clusters: web.spec.clusters! }],
      },
    };
    const made = plan([parent, config]);
    expect(of(made, 'web')!.takesAlong).toEqual([{ kind: 'ConfigMap', namespace: 'shop', name: 'config' }]);
    expect(of(made, 'web')).not.toHaveProperty('requiredBy');
    expect(of(made, 'config')).toMatchObject({
      fate: 'follows',
      outcome: 'moves',
      certainty: of(made, 'web')!.certainty,
      requiredBy: [{ kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' }],
      reason: expect.stringMatching(
        /^its copy here is kept until the old copy of web-deployment is deleted$/,
      ),
    });
    // the replicas in spec.requiredBy are those of web
    const bare = of(made, 'web')!.after.map(({ name }) => ({ name, replicas: 0 }));
    expect(of(made, 'config')!.after).toEqual(bare);
  });

  test('counts the requests of each cluster before and after, and is refused if a cluster exceeds its capacity', () => {
    const crowded = fleet.map((one) =>
      one.metadata.name === 'west-1'
        ? {
            ...one,
            status: {
              ...one.status,
              resourceSummary: {
                allocatable: { cpu: '1', pods: '100' },
                allocated: { cpu: '900m', pods: '10' },
              },
            },
          }
        : one,
    );
    const weighted = deployment('weighted', {
      placement: {
        ...onlyOn('east-1', 'west-1'),
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: [{ targetCluster: { clusterNames: ['east-1', 'west-1'] }, weight: 1 }],
          },
        },
      },
      replicas: 4,
      clusters: [
        { name: 'east-1', replicas: 2 },
        { name: 'west-1', replicas: 2 },
      ],
    });
    const made = plan([weighted], { clusters: crowded });
    const west = made.clusters.find(({ name }) => name === 'west-1')!;
    expect(west).toMatchObject({
      before: { workloads: 1, replicas: 2 },
      after: { workloads: 1, replicas: 4 },
      capacity: [
        { resource: 'cpu', allocatable: '1', allocatedBefore: '900m', allocatedAfter: '1100m' },
        { resource: 'pods', allocatedBefore: '10', allocatedAfter: '12' },
      ],
    });
    expect(made.refusals).toMatchObject([
      {
        problem: 'west-1 would exceed their allocatable capacity',
        workloads: [{ kind: 'Deployment', namespace: 'shop', name: 'weighted' }],
      },
    ]);
  });

  test('is refused while too many clusters are faulty, and still shows the moves', () => {
    const down = fleet.map((one) =>
      one.metadata.name === 'west-1' ? one : { ...one, status: { ...one.status, conditions: [] } },
    );
    const made = plan([web], { clusters: down });
    expect(of(made, 'web')).toMatchObject({ fate: 'moves' });
    expect(made.refusals).toMatchObject([
      {
        risk: 'unhealthy',
        problem:
          '2 of 3 clusters are faulty, more than 55%, in a control plane of at most 10: east-1, east-2',
      },
    ]);
  });

  test('blocks a move onto a ready object that Karmada does not manage', () => {
    const taint = { key: 'x', effect: 'NoExecute' as const };
    const there = deployment('web', {
      placement: onlyOn('east-1', 'west-1'),
      replicas: 2,
      clusters: [{ name: 'west-1', replicas: 2 }],
      spec: { preserveResourcesOnDeletion: true },
    });
    let saved: World | undefined;
    simulate(
      world(fleet, [there]),
      {
        start: START - 600_000,
        members: { workloadReadyAfter: 1000, neverReady: [] },
        events: [
          { at: START - 500_000, action: { type: 'taint', cluster: 'west-1', taint } },
          { at: START - 100_000, action: { type: 'untaint', cluster: 'west-1', key: 'x' } },
        ],
        until: START,
      },
      failoverOn,
      { save: (one) => (saved = one) },
    );
    expect(saved!.bindings[0]!.spec.clusters).toEqual([{ name: 'east-1', replicas: 2 }]);
    const made = planDrain(saved!, drainOf(['east-1']), failoverOn, START, { karmadaVersion: 'v1.18' });
    expect(of(made, 'web')).toMatchObject({
      fate: 'blocked',
      outcome: 'blocked',
      reason: expect.stringContaining('Karmada will not manage this resource'),
    });
  });

  test('reports the resources that preserveResourcesOnDeletion leaves in the member', () => {
    const preserved = { ...web, spec: { ...web.spec, preserveResourcesOnDeletion: true } };
    expect(of(plan([preserved]), 'web')).toMatchObject({
      fate: 'moves',
      reason: 'its resources on east-1 stay there, unmanaged (preserveResourcesOnDeletion)',
    });
  });

  test('is refused for a cluster that does not exist', () => {
    expect(() => plan([], { options: drainOf(['north-1']) })).toThrow(
      problem({ kind: 'no-cluster', cluster: 'north-1', known: ['east-1', 'east-2', 'west-1'] }),
    );
  });
});

describe('a plan of a drain by taint', () => {
  const byTaint = drainOf(['east-1'], { method: 'taint' });

  test('leaves evictions to the taint manager, and shows tolerations with their end', () => {
    const patient = deployment('patient', {
      placement: {
        ...byCapacity,
        clusterTolerations: [
          { key: 'karmada-failover/drain', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 120 },
        ],
      },
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
    });
    const made = plan([web, patient, pinned], { options: byTaint, configuration: failoverOn });
    expect(made.cordons).toHaveLength(2);
    expect(of(made, 'web')).toMatchObject({ fate: 'moves' });
    expect(of(made, 'patient')).toMatchObject({ fate: 'moves' });
    expect(seconds(of(made, 'patient')!.until)).toBe(120);
    expect(of(made, 'pinned')).toMatchObject({ fate: 'lost' });
    expect(made.refusals.map(({ risk }) => risk)).toContain('loss');
  });

  test('is refused if eviction is off or unverified, or if workloads are selected', () => {
    expect(() => plan([web], { options: byTaint })).toThrow(
      problem({ kind: 'off', switches: ['Failover', 'enable-no-execute-taint-eviction'], confirmed: true }),
    );
    const chosen = drainOf(['east-1'], { method: 'taint', selection: { namespace: 'shop' } });
    expect(() => plan([web], { options: chosen, configuration: failoverOn })).toThrow(
      problem({ kind: 'selection' }),
    );
    const unverified = new Set(['enable-taint-manager']);
    expect(() => plan([web], { options: byTaint, configuration: failoverOn, unverified })).toThrow(
      problem({ kind: 'unverified', switches: ['enable-taint-manager'] }),
    );
  });
});

test('the plan to drain frankfurt in the shop example lists the result of each workload', () => {
  const { items } = JSON.parse(readFileSync('examples/shop/control-plane.json', 'utf8')) as {
    items: KubernetesObject[];
  };
  const made = planDrain(worldOf(items), drainOf(['frankfurt']), defaults, START, {
    karmadaVersion: 'v1.18',
  });
  expect(made.workloads.map(({ name, fate, after }) => `${name} ${fate} ${placed(after).join(' ')}`)).toEqual(
    [
      'search moves dublin=6',
      'session-cache moves dublin=3',
      'checkout moves virginia=6',
      'archive leaves dublin=2',
      'storefront moves dublin=4 oregon=4 virginia=4',
      'cart moves dublin=3 oregon=3 virginia=3',
      'support-readonly leaves virginia=0',
      'metrics-agent leaves dublin=0 oregon=0 virginia=0',
      'translations leaves dublin=0 oregon=0 virginia=0',
      'ledger blocked frankfurt=3',
      'pricing blocked frankfurt=2 virginia=2',
      'recommendations blocked frankfurt=6',
    ],
  );
  expect(made.workloads.some(({ gap }) => gap)).toBe(false);
});

describe('a plan that includes a cluster in deletion', () => {
  const [east, ...others] = fleet;
  const deleted: Cluster = {
    ...east!,
    metadata: { ...east!.metadata, deletionTimestamp: '2026-08-01T00:00:00Z', finalizers: ['karmada.io/x'] },
  };
  const planned = plan([web, pinned], { clusters: [deleted, ...others] });

  test('moves its workloads without an eviction by the drain', () => {
    expect(of(planned, 'web')).toMatchObject({ fate: 'moves' });
    expect(of(planned, 'web')!.order).toBeUndefined();
    expect(of(planned, 'web')!.after.map(({ name }) => name)).not.toContain('east-1');
  });

  test('loses a workload that fits on no other cluster', () => {
    expect(of(planned, 'pinned')).toMatchObject({ fate: 'lost', after: [] });
  });

  test('lists the cluster with its workloads before, and as deleted afterwards', () => {
    expect(planned.clusters).toContainEqual({
      name: 'east-1',
      drained: true,
      ready: 'True',
      deleted: true,
      before: { workloads: 2, replicas: 5 },
      after: { workloads: 0, replicas: 0 },
    });
  });
});
