import { describe, expect, test } from '@jest/globals';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { resolveConfiguration } from '../../../src/karmada/configuration/resolveConfiguration.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import type { World } from '../../../src/karmada/world.ts';
import {
  compareSides,
  hasDifferences,
  type ComparedSide,
} from '../../../src/simulator/comparison/compareSides.ts';
import type { Scenario } from '../../../src/simulator/scenario.ts';
import { cluster, deployment, START, world } from '../simulation/controlPlane.ts';

const common: Omit<Scenario, 'events'> = {
  start: START,
  members: { workloadReadyAfter: 20_000, neverReady: [] },
};
const ago = (minutes: number) => new Date(START - minutes * 60_000).toISOString();

/** A control plane of a version with gate Failover on. */
function side(version: string, state: World): ComparedSide {
  const { dialect } = dialectOf(version);
  const failover = { part: 'featureGates', name: 'Failover', value: true, source: 'the test' } as const;
  return {
    title: version,
    world: state,
    dialect,
    resolved: resolveConfiguration(dialect, [], [failover]),
    changes: [],
  };
}

const upgrade = (from: string, to: string, state: World) => ({
  from: side(from, state),
  to: side(to, state),
});

const outcomes = ({ scenarios }: ReturnType<typeof compareSides>) =>
  scenarios.map(({ title, workloads }) => [
    title,
    ...workloads.map(({ from, to }) => `${from?.outcome} → ${to?.outcome}`),
  ]);

describe('the comparison without events', () => {
  /** south is not Ready, and still runs two of four replicas */
  const south = cluster('south');
  const oneIsDown = {
    ...world(
      [
        cluster('north'),
        {
          ...south,
          status: {
            ...south.status,
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'ClusterNotReachable',
                lastTransitionTime: ago(2),
              },
            ],
          },
        },
      ],
      [
        deployment('svc', {
          placement: {
            clusterTolerations: [
              {
                key: 'cluster.karmada.io/not-ready',
                operator: 'Exists',
                effect: 'NoExecute',
                tolerationSeconds: 60,
              },
            ],
            replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' },
          },
          replicas: 4,
          clusters: [
            { name: 'north', replicas: 2 },
            { name: 'south', replicas: 2 },
          ],
        }),
      ],
    ),
    taintPolicies: [],
  };

  test('includes a cluster that is already down: v1.13 evicts from it, v1.14 only with a flag', () => {
    const diff = compareSides(upgrade('v1.13.10', 'v1.14.10', oneIsDown), common);
    expect(outcomes(diff)[0]).toEqual(['nothing happens', 'moves → stays']);
    // a cluster that is already down cannot fail
    expect(diff.scenarios.map(({ cluster: failing }) => failing)).toEqual([undefined, 'north']);
    expect(diff).not.toHaveProperty('nothingToFail');
  });

  test('includes an eviction in progress without a placement, which v1.12.5 continues and v1.12.1 skips', () => {
    const placement = { clusterAffinity: { clusterNames: ['m1'] } };
    const evicted = deployment('api', { placement, replicas: 2, clusters: [{ name: 'm1', replicas: 2 }] });
    const stuck: ResourceBinding = {
      ...evicted,
      metadata: { ...evicted.metadata, generation: 3 },
      spec: {
        ...evicted.spec,
        clusters: [],
        gracefulEvictionTasks: [
          { fromCluster: 'm1', replicas: 2, reason: 'TaintUntolerated', producer: 'TaintManager' },
        ],
      },
    };
    const diff = compareSides(upgrade('v1.12.1', 'v1.12.5', world([cluster('m1')], [stuck])), common);
    expect(outcomes(diff)).toEqual([['nothing happens', 'blocked → restarted']]);
    expect(hasDifferences(diff)).toBe(true);
    expect(diff.nothingToFail).toBe(true);
  });

  test('is listed before a given scenario, and is identical to a scenario without events', () => {
    const sides = upgrade('v1.13.10', 'v1.14.10', oneIsDown);
    const fails: Scenario = {
      ...common,
      events: [{ at: START, action: { type: 'fail', cluster: 'north' } }],
    };
    const both = compareSides(sides, common, { given: { title: 'north fails', from: fails, to: fails } });
    expect(both.scenarios.map(({ title }) => title)).toEqual(['nothing happens', 'north fails']);
    const soon: Scenario = { ...common, until: START + 5000, events: [] };
    const alone = compareSides(sides, common, { given: { title: 'nothing happens', from: soon, to: soon } });
    expect(outcomes(alone)).toEqual([['nothing happens']]);
    expect(alone).not.toHaveProperty('nothingToFail');
  });

  test('has the same differences as each scenario that does not affect the workload', () => {
    const own = deployment('other', {
      placement: { clusterAffinity: { clusterNames: ['west'] } },
      replicas: 1,
      clusters: [{ name: 'west', replicas: 1 }],
    });
    const state = {
      ...oneIsDown,
      clusters: [...oneIsDown.clusters, cluster('west')],
      bindings: [...oneIsDown.bindings, own],
    };
    const { scenarios } = compareSides(upgrade('v1.13.10', 'v1.14.10', state), common);
    const svc = (title: string) =>
      scenarios.find((one) => one.title === title)?.workloads.find(({ workload }) => workload.name === 'svc');
    expect(svc('nothing happens')?.from?.outcome).toBe('moves');
    expect(svc('west fails')?.from?.outcome).toBe('moves');
  });
});
