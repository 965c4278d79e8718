import fc from 'fast-check';
import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';
import { createClusterSnapshot } from '../../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../../src/karmada/scheduling/scheduleBinding.ts';
import { schedulerOptions } from '../../../src/karmada/scheduling/schedulerOptions.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { cluster, deployment, START } from '../../simulator/simulation/controlPlane.ts';
import { defaults, type Stage } from './aDrain.ts';
import { drainOf } from './drainOf.ts';

export const names = ['east-1', 'east-2', 'west-1', 'west-2', 'north-1'];

const affinity = fc.oneof(
  fc.constant({}),
  fc.subarray(names, { minLength: 1 }).map((clusterNames) => ({ clusterNames })),
);
const spread = fc.option(
  fc.record({ minGroups: fc.integer({ min: 1, max: 3 }), more: fc.integer({ min: 0, max: 2 }) }),
  { nil: undefined },
);
const replicaScheduling = fc.constantFrom<Placement['replicaScheduling']>(
  { replicaSchedulingType: 'Duplicated' },
  { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
  {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
);
const placement = fc
  .record({ affinity, spread, replicaScheduling, tolerates: fc.boolean(), groups: fc.boolean() })
  .map(({ affinity: clusterAffinity, spread: groups, tolerates, ...rest }): Placement => {
    const { groups: affinityGroups, replicaScheduling: scheduling } = rest;
    return {
      ...(affinityGroups
        ? {
            clusterAffinities: [
              { affinityName: 'first', ...clusterAffinity },
              { affinityName: 'second', clusterNames: ['west-1', 'west-2', 'north-1'] },
            ],
          }
        : { clusterAffinity }),
      replicaScheduling: scheduling,
      ...(groups
        ? {
            spreadConstraints: [
              {
                spreadByField: 'cluster',
                minGroups: groups.minGroups,
                maxGroups: groups.minGroups + groups.more,
              },
            ],
          }
        : {}),
      ...(tolerates && groups ? { clusterTolerations: [{ operator: 'Exists' }] } : {}),
    };
  });

/** With so little capacity that not everything fits everywhere. */
const clusters = fc
  .tuple(...names.map((name) => fc.record({ cpu: fc.integer({ min: 1, max: 15 }), name: fc.constant(name) })))
  .map((rooms) =>
    rooms.map(({ name, cpu }): Cluster => {
      const one = cluster(name);
      const resourceSummary = { allocatable: { cpu: `${cpu}00m`, pods: '200' }, allocated: { pods: '10' } };
      return { ...one, status: { ...one.status, resourceSummary } };
    }),
  );

/** A settled control plane: everything is where the scheduler placed it, and ready there. */
export const stages: fc.Arbitrary<Stage> = fc
  .record({
    clusters,
    wanted: fc.array(fc.record({ placement, replicas: fc.integer({ min: 1, max: 8 }) }), {
      minLength: 1,
      maxLength: 6,
    }),
  })
  .map(({ clusters: fleet, wanted }) => {
    const snapshot = createClusterSnapshot(fleet, schedulerOptions(defaults));
    const bindings = wanted.flatMap(({ placement: own, replicas }, at): ResourceBinding[] => {
      const fresh = deployment(`work-${at}`, { placement: own, replicas, clusters: [], applied: null });
      const { spec, failure, annotations, status } = scheduleBinding({
        snapshot,
        binding: fresh,
        now: START - 1e6,
      });
      const targets = spec.clusters ?? [];
      if (failure || targets.length === 0) return [];
      const binding = deployment(`work-${at}`, { placement: own, replicas, clusters: targets });
      return [
        {
          ...binding,
          metadata: { ...binding.metadata, annotations: { ...binding.metadata.annotations, ...annotations } },
          status: {
            ...binding.status,
            ...(status?.schedulerObservingAffinityName
              ? { schedulerObservingAffinityName: status.schedulerObservingAffinityName }
              : {}),
          },
        },
      ];
    });
    return { clusters: fleet, bindings };
  });

export const options = fc
  .record({
    drained: fc.subarray(names, { minLength: 1, maxLength: 3 }),
    rate: fc.constantFrom(0.5, 5),
    maxConcurrent: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map(({ drained, rate, maxConcurrent }): DrainOptions => {
    const drain = drainOf(drained);
    const pace = { ...drain.pace, evictionRate: rate, ...(maxConcurrent ? { maxConcurrent } : {}) };
    return { ...drain, pace };
  });
