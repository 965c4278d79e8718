import type { Toleration } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { Chance } from './chance.ts';

/** Keys of the taints put on clusters, by hand and by ClusterTaintPolicies. */
export const taintKeys = ['maintenance', 'disk', 'not-ready', 'unreachable'] as const;

/**
 * A placement of any kind that Karmada admits.
 * @param wide whether to include overflow affinities, several regions and workload affinity
 */
export function placementOfSeed(chance: Chance, members: readonly string[], wide = false): Placement {
  const scheduling = replicaScheduling(chance, members);
  const spread = spreadConstraints(chance, wide);
  const tolerations = clusterTolerations(chance);
  const together = wide ? workloadAffinity(chance) : undefined;
  return {
    ...affinity(chance, members, wide),
    ...(spread ? { spreadConstraints: spread } : {}),
    ...(tolerations ? { clusterTolerations: tolerations } : {}),
    ...(scheduling ? { replicaScheduling: scheduling } : {}),
    ...(together ? { workloadAffinity: together } : {}),
  };
}

/** With or apart from the workloads of the same team; without the gate it has no effect. */
function workloadAffinity(chance: Chance): Placement['workloadAffinity'] {
  const term = { groupByLabelKey: 'team' };
  return chance.weighted<Placement['workloadAffinity']>([
    [10, undefined],
    [1, { affinity: term }],
    [1, { antiAffinity: term }],
  ]);
}

function affinity(
  chance: Chance,
  members: readonly string[],
  wide: boolean,
): Pick<Placement, 'clusterAffinity' | 'clusterAffinities'> {
  const named = () => ({ clusterNames: chance.someOf(members, chance.between(1, members.length - 1)) });
  return chance.weighted<() => Pick<Placement, 'clusterAffinity' | 'clusterAffinities'>>([
    [4, () => ({ clusterAffinity: named() })],
    [1, () => ({})],
    [
      1,
      () => ({
        clusterAffinity: { labelSelector: { matchLabels: { tier: chance.oneOf(['gold', 'silver']) } } },
      }),
    ],
    [1, () => ({ clusterAffinity: { exclude: [chance.oneOf(members)] } })],
    [
      3,
      () => ({
        clusterAffinities: Array.from({ length: chance.between(2, 3) }, (_, i) => ({
          affinityName: `group-${i + 1}`,
          clusterNames: chance.someOf(members, chance.between(1, 2)),
        })),
      }),
    ],
    [
      wide ? 2 : 0,
      () => ({
        clusterAffinities: Array.from({ length: chance.between(1, 2) }, (_, i) => ({
          affinityName: `group-${i + 1}`,
          clusterNames: chance.someOf(members, chance.between(1, 2)),
          overflowAffinities: Array.from({ length: chance.between(1, 2) }, (_, k) => ({
            affinityName: `overflow-${i + 1}-${k + 1}`,
            clusterNames: chance.someOf(members, chance.between(1, 2)),
          })),
        })),
      }),
    ],
  ])();
}

function spreadConstraints(chance: Chance, wide: boolean): Placement['spreadConstraints'] {
  return chance.weighted<() => Placement['spreadConstraints']>([
    [5, () => undefined],
    [2, () => [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }]],
    [2, () => [{ spreadByField: 'cluster', minGroups: 1, maxGroups: chance.between(2, 3) }]],
    [1, () => [{ spreadByField: 'cluster', minGroups: 2, maxGroups: chance.between(2, 4) }]],
    [
      1,
      () => [
        { spreadByField: 'region', minGroups: 1, maxGroups: chance.between(1, 2) },
        { spreadByField: 'cluster', minGroups: 1, maxGroups: chance.between(2, 3) },
      ],
    ],
    [
      wide ? 1 : 0,
      () => [
        { spreadByField: 'region', minGroups: 2, maxGroups: 2 },
        { spreadByField: 'cluster', minGroups: 2, maxGroups: chance.between(2, 3) },
      ],
    ],
  ])();
}

function clusterTolerations(chance: Chance): Toleration[] | undefined {
  const key = chance.oneOf(taintKeys);
  return chance.weighted<() => Toleration[] | undefined>([
    [6, () => undefined],
    [2, () => [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: chance.between(3, 30) }]],
    [1, () => [{ key, operator: 'Exists', effect: 'NoExecute' }]],
    [1, () => [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: chance.between(3, 30) }]],
    [1, () => [{ key, operator: 'Exists', effect: 'NoSchedule' }]],
  ])();
}

function replicaScheduling(chance: Chance, members: readonly string[]): Placement['replicaScheduling'] {
  const divided = { replicaSchedulingType: 'Divided' } as const;
  return chance.weighted<() => Placement['replicaScheduling']>([
    [4, () => undefined],
    [
      2,
      () => ({
        ...divided,
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: chance.someOf(members, chance.between(2, members.length)).map((name) => ({
            targetCluster: { clusterNames: [name] },
            weight: chance.between(1, 3),
          })),
        },
      }),
    ],
    [
      2,
      () => ({
        ...divided,
        replicaDivisionPreference: 'Weighted',
        weightPreference: { dynamicWeight: 'AvailableReplicas' },
      }),
    ],
    [2, () => ({ ...divided, replicaDivisionPreference: 'Aggregated' })],
  ])();
}
