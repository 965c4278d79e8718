import { describe, expect, test } from '@jest/globals';
import { startAudit } from '../../../src/analysis/audit/audit.ts';
import { contingenciesOf } from '../../../src/analysis/audit/contingencies.ts';
import { breachesOf, judgedOf } from '../../../src/analysis/audit/gate.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const LARGE = 'large';

/** A cluster in which each of this many nodes has at least 2 CPUs free. */
function modelled(name: string, count: number) {
  const plain = cluster(name);
  const grades = [0, 2, 8];
  return {
    ...plain,
    spec: {
      ...plain.spec,
      resourceModels: grades.map((min, grade) => ({
        grade,
        ranges: [{ name: 'cpu', min: `${min}`, max: `${grades[grade + 1] ?? 1000}` }],
      })),
    },
    status: {
      ...plain.status,
      resourceSummary: {
        allocatable: { cpu: '40', pods: '1000' },
        allocated: { cpu: '10' },
        allocatableModelings: grades.map((_, grade) => ({ grade, count: grade === 1 ? count : 0 })),
      },
    },
  };
}

/** On east, with an affinity that allows west too; each replica requests this much CPU. */
const on = (name: string, at: string, cpu: string, replicas: number) =>
  deployment(name, {
    placement: {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
    },
    replicas,
    clusters: [{ name: at, replicas }],
    spec: { replicaRequirements: { resourceRequest: { cpu } } },
  });

function modelsOf(count: number, bindings = [on(LARGE, 'east', '1500m', 3)], configuration = failoverOn) {
  const clusters = [cluster('east'), modelled('west', count)];
  const { step, result } = startAudit(
    world(clusters, bindings),
    bindings,
    { start: START, members: { workloadReadyAfter: 20_000, neverReady: [] } },
    configuration,
    { contingencies: contingenciesOf(clusters) },
  );
  while (step());
  const audit = result();
  const [east, west] = audit.clusters;
  const named = (of: typeof west) => of?.headroom.find(({ resource }) => resource === 'models');
  expect(named(east)).toBeUndefined();
  return { audit, models: named(west) };
}

describe('headroom on the nodes of resource models', () => {
  test('counts the replicas of the workload with the least headroom, as the scheduler does', () => {
    // 10 nodes with capacity for one each; the sums have capacity for 20, the empty cluster for 26
    const worst = { contingency: 'east', free: 7 };
    expect(modelsOf(10).models).toMatchObject({
      workload: { name: LARGE },
      allocatable: 26,
      free: 10,
      worst,
    });
  });

  test('is reduced by the share of each arriving workload', () => {
    // 20 small ones fit, or 10 large ones: 4 of 20 and 3 of 10 leave a half
    const { models } = modelsOf(10, [on(LARGE, 'east', '1500m', 3), on('small', 'east', '1', 4)]);
    expect(models).toMatchObject({ workload: { name: LARGE }, free: 10, worst: { free: 5 } });
  });

  test('is negative if workloads fit one by one, but not together', () => {
    const { audit, models } = modelsOf(4, [on(LARGE, 'east', '1500m', 3), on('other', 'east', '1500m', 3)]);
    expect(models).toMatchObject({ free: 4, worst: { contingency: 'east', free: -2 } });
    expect(breachesOf(judgedOf(audit), [{ headroom: 0 }])).toEqual([
      { condition: 'headroom', cluster: 'west', resource: 'models', share: -2 / 26 },
    ]);
  });

  test('is absent if the gate is off, or without workloads', () => {
    const off: Configuration = {
      ...failoverOn,
      featureGates: { ...failoverOn.featureGates, CustomizedClusterResourceModeling: false },
    };
    expect(modelsOf(10, undefined, off).models).toBeUndefined();
    expect(modelsOf(10, []).models).toBeUndefined();
  });
});
