import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { View } from '../../../src/engine/controllers/view.ts';
import type { ScenarioAction } from '../../../src/engine/scenario.ts';
import { karmadaControllers } from '../../../src/engine/simulation/karmadaControllers.ts';
import { scenarioWrites } from '../../../src/engine/simulation/scenarioWrites.ts';
import { createStartingWorld } from '../../../src/engine/store/startingWorld.ts';
import { canonicalOrdering } from '../../../src/engine/virtualTime/ordering.ts';
import { createVirtualTime } from '../../../src/engine/virtualTime/virtualTime.ts';
import type { World } from '../../../src/engine/world.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, failoverOn, START, world } from '../../engine/simulation/controlPlane.ts';
import { runControllers } from '../../../src/operations/controllers/runControllers.ts';
import { endsOf } from './endsOf.ts';
import { faultyHost } from './faultyHost.ts';
import { faultsOf, outside } from './faults.ts';

const members = { workloadReadyAfter: 20_000, neverReady: [] };
const MINUTE = 60_000;

/** Placements whose result does not hang on the order in which bindings are scheduled. */
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

const incident = fc.record({
  pull: fc.boolean(),
  directly: fc.boolean(),
  sick: fc.boolean(),
  workloads: fc.array(fc.constantFrom(...Object.keys(placements)), { minLength: 1, maxLength: 5 }),
  comesBack: fc.boolean(),
  taint: fc.boolean(),
  seed: fc.nat(),
});

test('an API that refuses, conflicts, answers late, loses answers and repeats itself ends in the same world', async () => {
  await fc.assert(
    fc.asyncProperty(incident, async ({ workloads, pull, directly, sick, comesBack, taint, seed }) => {
      const state: World = world(
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
      const actions: [at: number, action: ScenarioAction][] = [
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
          ? ([
              [2 * MINUTE, { type: 'taint', cluster: 'east-2', taint: { key: 'net', effect: 'NoExecute' } }],
            ] as [number, ScenarioAction][])
          : []),
        ...(comesBack
          ? ([[25 * MINUTE, { type: 'recover', cluster: 'east-1' }]] as [number, ScenarioAction][])
          : []),
      ];
      const start = createStartingWorld(state, failoverOn, { start: START, members });
      const events = actions.map(([at, action]) => ({
        at: START + at,
        writes: (view: View, now: number) => scenarioWrites(action, view, failoverOn, now),
      }));
      // Back-offs of up to 1000 s have to come round more than once.
      const until = START + 300 * MINUTE;

      const controllers = karmadaControllers(members);
      const time = createVirtualTime(start, { controllers, ordering: canonicalOrdering, explained: false });
      for (const { at, writes } of events)
        time.plan(at, () => {
          for (const write of writes(time.view, time.now())) time.write('somebody', [write]);
        });
      time.run(until);
      const host = faultyHost(start, faultsOf(seed));
      const stop = new AbortController();
      const run = runControllers(controllers, host, stop.signal);
      for (const { at, writes } of events)
        host.plan(at, () => {
          for (const write of writes(host.view, host.now())) void outside(host, write);
        });
      await host.runUntil(until);
      stop.abort();
      await run;

      expect(endsOf(host.view)).toEqual(endsOf(time.view));
    }),
    {
      numRuns: 20,
      examples: [
        [
          // the old copy is removed late, when the new Work has taken it over already
          {
            workloads: ['twoOfEast', 'tolerant', 'fallback'],
            pull: true,
            directly: true,
            sick: false,
            comesBack: true,
            taint: false,
            seed: 28,
          },
        ],
      ],
    },
  );
});
