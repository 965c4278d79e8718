import { describe, expect, test } from '@jest/globals';
import type { View } from '../../../src/karmada/controllers/view.ts';
import { placementOf } from '../../../src/karmada/objects/placement.ts';
import type { Scenario } from '../../../src/simulator/scenario.ts';
import { karmadaControllers } from '../../../src/karmada/running/karmadaControllers.ts';
import { setStage } from '../../../src/simulator/simulation/stage.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { runControllers } from '../../../src/operations/controllers/runControllers.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { faultsOf, planEvents } from './faults.ts';
import { faultyHost } from './faultyHost.ts';

const MINUTE = 60_000;
const duplicated = {
  clusterAffinity: {},
  replicaScheduling: { replicaSchedulingType: 'Duplicated' as const },
};
const ordered = {
  clusterAffinities: [
    { affinityName: 'first', clusterNames: ['east-1'] },
    { affinityName: 'then', clusterNames: ['west-1'] },
  ],
  replicaScheduling: { replicaSchedulingType: 'Duplicated' as const },
};
const tolerating = {
  ...duplicated,
  clusterTolerations: [{ operator: 'Exists' as const, effect: 'NoExecute' as const }],
};

const state = world(
  ['east-1', 'east-2', 'west-1'].map((name) => cluster(name)),
  [
    deployment('web', {
      placement: duplicated,
      replicas: 2,
      clusters: [
        { name: 'east-1', replicas: 2 },
        { name: 'east-2', replicas: 2 },
        { name: 'west-1', replicas: 2 },
      ],
    }),
    deployment('shop', { placement: ordered, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] }),
    deployment('pinned', {
      placement: { ...duplicated, clusterAffinity: { clusterNames: ['east-1'] } },
      replicas: 1,
      clusters: [{ name: 'east-1', replicas: 1 }],
    }),
    deployment('steady', {
      placement: tolerating,
      replicas: 1,
      clusters: [
        { name: 'east-1', replicas: 1 },
        { name: 'east-2', replicas: 1 },
        { name: 'west-1', replicas: 1 },
      ],
    }),
  ],
);

const scenario: Scenario = {
  start: START,
  until: START + 90 * MINUTE,
  members: { workloadReadyAfter: 20_000, neverReady: [] },
  events: [
    { at: START + 1000, action: { type: 'fail', cluster: 'east-1' } },
    { at: START + 15 * MINUTE, action: { type: 'recover', cluster: 'east-1' } },
  ],
};

/** The result of an incident: everything but times and versions. */
function endOf(view: View) {
  return {
    clusters: [...view.all('Cluster')].map(({ metadata, spec }) => [
      metadata.name,
      spec?.taints?.map(({ key }) => key),
    ]),
    bindings: [...view.all('Binding')].map((binding) => ({
      name: binding.metadata.name,
      ...placementOf(binding.spec),
      health: binding.status?.aggregatedStatus?.map(({ clusterName, health }) => [clusterName, health]),
      works: [...view.worksOf(binding).keys()].sort(),
    })),
  };
}

describe('an incident with running controllers', () => {
  const starting = createStartingWorld(state, failoverOn, scenario);
  const stage = setStage(starting, scenario, { outcomesAlone: true });
  stage.time.run(scenario.until!);
  const calm = endOf(stage.time.view);

  test('without API errors moves workloads and returns them after recovery', () => {
    expect(calm.bindings.find(({ name }) => name === 'shop-deployment')).toMatchObject({
      clusters: [{ name: 'west-1', replicas: 3 }],
      evicting: [],
      works: ['west-1'],
    });
    expect(calm.bindings.find(({ name }) => name === 'web-deployment')!.works).toEqual([
      'east-1',
      'east-2',
      'west-1',
    ]);
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'with refusals, lost responses and delays ends in the same state (seed %i)',
    async (seed) => {
      const host = faultyHost(starting, faultsOf(seed));
      const stop = new AbortController();
      const run = runControllers(karmadaControllers(scenario.members), host, { signal: stop.signal });
      planEvents(host, scenario.events);
      // what fails repeatedly is finally retried every 1000 s
      await host.runUntil(scenario.until! + 120 * MINUTE);
      stop.abort();
      await run;
      expect(host.faults).toBeGreaterThan(10);
      expect(endOf(host.view)).toEqual(calm);
    },
  );
});
