import { expect, test } from '@jest/globals';
import type { ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import type { ScenarioAction } from '../../../src/simulator/scenario.ts';
import { cluster, deployment, outcomeOf, run, world } from '../simulation/controlPlane.ts';

const tainted: ScenarioAction = {
  type: 'taint',
  cluster: 'east-1',
  taint: { key: 'disk', effect: 'NoExecute' },
};

/** The release bugs that an outcome after a taint depends on. */
function bugs(version: string, spec: Partial<ResourceBindingSpec>, happens = true): string[] {
  const { defaults } = dialectOf(version).dialect;
  const configuration = {
    ...defaults,
    featureGates: { ...defaults.featureGates, Failover: true },
    controllerManager: { ...defaults.controllerManager, 'enable-no-execute-taint-eviction': true },
  };
  const web = deployment('web', {
    placement: { clusterAffinity: { clusterNames: ['east-1', 'west-1'] } },
    clusters: [{ name: 'east-1', replicas: 2 }],
    replicas: 2,
    spec,
  });
  const simulation = run(world([cluster('east-1'), cluster('west-1')], [web]), {
    events: happens ? [[1, tainted]] : [],
    configuration,
  });
  return (outcomeOf(simulation, 'web').dependsOn ?? []).filter((one) => one.startsWith('a bug of this'));
}

test('evictions by two controllers are an estimate in a release that may drop eviction tasks', () => {
  const failover = { application: { decisionConditions: { tolerationSeconds: 300 } } };
  const drops = ['a bug of this Karmada release: a concurrent write may drop an eviction task'];
  expect(bugs('v1.17.0', { failover })).toEqual(drops);
  expect(bugs('v1.17.1', { failover })).toEqual([]);
  expect(bugs('v1.17.0', {})).toEqual([]);
  expect(bugs('v1.17.0', { failover }, false)).toEqual([]);
});

test('workloads with several components are an estimate in a release that may not reschedule them', () => {
  const components = ['job', 'task'].map((name) => ({ name, replicas: 1 }));
  const [forgets] = bugs('v1.16.1', { components });
  expect(forgets).toContain('several components may not be rescheduled');
  expect(bugs('v1.16.2', { components })).toEqual([]);
  expect(bugs('v1.16.1', { components: components.slice(1) })).toEqual([]);
});

test('dependents are an estimate in a release that may lose their changes', () => {
  const requiredBy = [{ namespace: 'shop', name: 'api-deployment' }];
  const [loses] = bugs('v1.15.2', { requiredBy });
  expect(loses).toContain('changes of its dependencies may not reach the clusters');
  expect(bugs('v1.15.3', { requiredBy })).toEqual([]);
  expect(bugs('v1.15.2', {})).toEqual([]);
});
