import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { purgesDirectly } from '../../../src/karmada/eviction/evictionTasks.ts';
import { evictionAction } from '../../../src/analysis/evictionAction/evictionAction.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import { declaredHooks } from '../../../src/karmada/status/healthInterpreter.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import { RESOURCE_BINDING_PERMANENT_ID_LABEL } from '../../../src/karmada/api/names.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, START, world } from '../../simulator/simulation/controlPlane.ts';

const NAMES = ['member1', 'member2', 'member3'];
const ID = { [RESOURCE_BINDING_PERMANENT_ID_LABEL]: 'cart-id' };
const configuration = v1_18.defaults;

const placements = fc.constantFrom<Placement>(
  { clusterAffinity: { clusterNames: NAMES } },
  { clusterAffinity: { clusterNames: ['member1', 'member2'] } },
  {
    clusterAffinity: { clusterNames: NAMES },
    replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  },
  {
    clusterAffinity: { clusterNames: ['member1', 'member2'] },
    replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
  },
  { clusterAffinities: NAMES.map((name) => ({ affinityName: name, clusterNames: [name] })) },
);

const situations = fc.record({
  action: fc.constantFrom('hold', 'release', 'cancel', 'complete' as const),
  placement: placements,
  replicas: fc.integer({ min: 1, max: 5 }),
  /** ready replicas in member2, which may have had fewer than now */
  ready: fc.integer({ min: 0, max: 5 }),
  cordoned: fc.boolean(),
  suspended: fc.boolean(),
  purgeMode: fc.constantFrom('Gracefully', 'Directly', undefined),
  suppressDeletion: fc.constantFrom(true, false, undefined),
  /** age of the task, in seconds, of 600; none: Karmada has not processed it yet */
  age: fc.constantFrom(undefined, 10, 300, 700),
  oldCopy: fc.boolean(),
});

function workOn(name: string, replicas: number, ready: number): Work {
  const manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'cart' },
    spec: { replicas },
  };
  const status = { replicas, readyReplicas: ready, availableReplicas: ready };
  return {
    metadata: { namespace: `karmada-es-${name}`, name: 'cart', labels: ID },
    spec: { workload: { manifests: [manifest] } },
    status: {
      conditions: [{ type: 'Applied', status: 'True' }],
      manifestStatuses: [{ status, health: ready >= replicas ? 'Healthy' : 'Unhealthy' }],
    },
  };
}

const at = (affinityName: string | undefined) =>
  affinityName === undefined ? {} : { schedulerObservingAffinityName: affinityName };

test('an action has its predicted effect when the controllers run', () => {
  let changes = 0;
  fc.assert(
    fc.property(situations, (given) => {
      const { placement, replicas, age, suppressDeletion, purgeMode } = given;
      const divided = placement.replicaScheduling?.replicaSchedulingType === 'Divided';
      const task: GracefulEvictionTask = {
        fromCluster: 'member1',
        replicas,
        reason: 'ByHand',
        producer: 'somebody',
        ...(purgeMode && { purgeMode }),
        ...(suppressDeletion === undefined ? {} : { suppressDeletion }),
        ...(age === undefined ? {} : { creationTimestamp: rfc3339(START - age * 1000) }),
      };
      const scheduled = deployment('cart', {
        placement,
        replicas,
        clusters: [{ name: 'member2', replicas }],
        spec: {
          gracefulEvictionTasks: [task],
          ...(given.suspended ? { suspension: { scheduling: true } } : {}),
        },
      });
      const works = [
        workOn('member2', replicas, Math.min(given.ready, replicas)),
        ...(given.oldCopy ? [workOn('member1', replicas, replicas)] : []),
      ];
      const binding: ResourceBinding = {
        ...scheduled,
        metadata: { ...scheduled.metadata, labels: { ...scheduled.metadata.labels, ...ID } },
        status: {
          ...scheduled.status,
          ...(placement.clusterAffinities ? { schedulerObservingAffinityName: 'member2' } : {}),
          aggregatedStatus: works.map(({ metadata, status }) => ({
            clusterName: metadata.namespace!.replace('karmada-es-', ''),
            applied: true,
            ...status!.manifestStatuses![0],
          })),
        },
      };
      const cordon = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' } as const;
      const clusters = NAMES.map((name) =>
        cluster(name, name === 'member1' && given.cordoned ? [cordon] : []),
      );
      const said = evictionAction(given.action, binding, 'member1', {
        now: START,
        configuration,
        snapshot: createClusterSnapshot(clusters, schedulerOptions(configuration)),
        clusters: new Map(clusters.map((one) => [one.metadata.name, one])),
        works: new Map(works.map((one) => [one.metadata.namespace!.replace('karmada-es-', ''), one])),
        hooks: declaredHooks([], v1_18.rules),
      });
      if (said.verdict !== 'change') return;
      changes++;
      const written = {
        ...binding,
        metadata: { ...binding.metadata, generation: (binding.metadata.generation ?? 0) + 1 },
        spec: said.after,
        status: { ...binding.status, ...at(said.affinityName) },
      };
      const members = { workloadReadyAfter: 3_600_000, neverReady: [] };
      const { workloads, events } = simulate(
        { ...world(clusters, [written]), works, taintPolicies: [] },
        { start: START, until: START + 20_000, members, events: [] },
        configuration,
      );
      const [{ after, evicting }] = workloads as [(typeof workloads)[0]];
      const ends = events.find(({ type }) => type === 'TaskEnded');
      expect({ ...given, ends: ends !== undefined }).toEqual({ ...given, ends: said.taskEnds === 'now' });
      if (said.taskEnds === 'never' || said.taskEnds === 'later')
        expect(evicting).toEqual(purgesDirectly(purgeMode, configuration.rules) ? [] : ['member1']);
      // what the scheduler does with it before the task ends
      const placed = ends?.clusters ?? after;
      const byName = (targets: { name: string; replicas?: number }[]) =>
        Object.fromEntries(targets.map((one) => [one.name, one.replicas ?? 0]));
      if (!ends || divided) expect(byName(placed)).toEqual(byName(said.clusters));
      // and afterwards
      if (ends)
        expect({ ...given, back: after.some(({ name }) => name === 'member1') }).toEqual({
          ...given,
          back: / again, where it restarts/.test(said.next),
        });
      const kept = !events.some(({ type, cluster: on }) => type === 'WorkDeleted' && on === 'member1');
      if (given.oldCopy && said.oldCopy !== 'gone')
        expect({ ...given, kept }).toEqual({ ...given, kept: said.oldCopy === 'stays' });
    }),
    { numRuns: 300 },
  );
  expect(changes).toBeGreaterThan(100);
});
