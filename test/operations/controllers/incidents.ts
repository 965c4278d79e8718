import fc from 'fast-check';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, world } from '../../simulator/simulation/controlPlane.ts';

/** Worlds of three clusters with events whose result does not depend on races. */

export const members = { workloadReadyAfter: 20_000, neverReady: [] };
export const MINUTE = 60_000;

/** Placements whose result does not depend on the scheduling order of bindings. */
const placements: Record<string, Placement> = {
  anywhere: {},
  twoOfEast: { clusterAffinity: { clusterNames: ['east-1', 'east-2'] } },
  weighted: {
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: {
        staticWeightList: [
          { targetCluster: { clusterNames: ['east-1'] }, weight: 2 },
          { targetCluster: { clusterNames: ['west-1'] }, weight: 1 },
        ],
      },
    },
  },
  fallback: {
    clusterAffinities: [
      { affinityName: 'primary', clusterNames: ['east-1'] },
      { affinityName: 'backup', clusterNames: ['west-1'] },
    ],
  },
  tolerant: {
    clusterAffinity: { clusterNames: ['east-1', 'west-1'] },
    clusterTolerations: [
      { key: 'cluster.karmada.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 40 },
    ],
  },
  pinned: { clusterAffinity: { clusterNames: ['east-1'] } },
};

function pulled(name: string): Cluster {
  const one = cluster(name);
  return { ...one, spec: { ...one.spec, syncMode: 'Pull' } };
}

const NAMES = ['east-1', 'east-2', 'west-1'];

function targets(placement: string): { name: string; replicas: number }[] {
  const on = (names: string[], replicas: number[]) =>
    names.map((name, i) => ({ name, replicas: replicas[i]! }));
  switch (placement) {
    case 'anywhere':
      return on(NAMES, [3, 3, 3]);
    case 'twoOfEast':
      return on(['east-1', 'east-2'], [3, 3]);
    case 'weighted':
      return on(['east-1', 'west-1'], [2, 1]);
    case 'tolerant':
      return on(['east-1', 'west-1'], [3, 3]);
    default:
      return on(['east-1'], [3]);
  }
}

export const incident = fc.record({
  pull: fc.boolean(),
  directly: fc.boolean(),
  sick: fc.boolean(),
  workloads: fc.array(fc.constantFrom(...Object.keys(placements)), { minLength: 1, maxLength: 5 }),
  comesBack: fc.boolean(),
  taint: fc.boolean(),
  seed: fc.nat(),
});

export type Incident = typeof incident extends fc.Arbitrary<infer T> ? T : never;

export function worldOf({ workloads, pull, directly }: Incident): World {
  return world(
    NAMES.map((name) => (pull && name === 'east-1' ? pulled(name) : cluster(name))),
    workloads.map((name, index) =>
      deployment(`${name}-${index}`, {
        placement: placements[name]!,
        clusters: targets(name),
        replicas: 3,
        spec: {
          propagateDeps: true,
          failover: {
            ...(directly && { cluster: { purgeMode: 'Directly' } }),
            application: {
              decisionConditions: { tolerationSeconds: 60 },
              purgeMode: 'Gracefully',
              gracePeriodSeconds: 600,
            },
          },
        },
      }),
    ),
  );
}

/** Events and their times: milliseconds after the start. */
export function actionsOf({
  workloads,
  sick,
  taint,
  comesBack,
}: Incident): [at: number, action: ScenarioAction][] {
  return [
    [10_000, { type: 'fail', cluster: 'east-1' }],
    ...(sick
      ? ([
          [
            20 * MINUTE,
            {
              type: 'health',
              workload: { kind: 'Deployment', namespace: 'shop', name: `${workloads[0]}-0` },
              cluster: 'west-1',
              health: 'Unhealthy',
            },
          ],
        ] as [number, ScenarioAction][])
      : []),
    ...(taint
      ? ([[2 * MINUTE, { type: 'taint', cluster: 'east-2', taint: { key: 'net', effect: 'NoExecute' } }]] as [
          number,
          ScenarioAction,
        ][])
      : []),
    ...(comesBack
      ? ([[25 * MINUTE, { type: 'recover', cluster: 'east-1' }]] as [number, ScenarioAction][])
      : []),
  ];
}
