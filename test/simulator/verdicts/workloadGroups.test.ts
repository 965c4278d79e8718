import { expect, test } from '@jest/globals';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { cluster, deployment, failoverOn, outcomeOf, run, world } from '../simulation/controlPlane.ts';

const affinityOn: Configuration = {
  ...failoverOn,
  featureGates: { ...failoverOn.featureGates, WorkloadAffinity: true },
};

// The first one that is scheduled finds an empty group, and its own policy alone decides where the others go.
test('the order of scheduling is open for members of a workload affinity group that move together', () => {
  const member = (name: string) =>
    deployment(name, {
      placement: {},
      replicas: 2,
      clusters: [{ name: 'east-1', replicas: 2 }],
      spec: { workloadAffinityGroups: { affinityGroup: 'team=blue' } },
    });
  const dependsOn = (names: string[], configuration: Configuration) => {
    const state = world(
      ['east-1', 'east-2', 'east-3'].map((name) => cluster(name)),
      names.map((name) => member(name)),
    );
    return (
      outcomeOf(run(state, { configuration, events: [[5, { type: 'fail', cluster: 'east-1' }]] }), 'cart')
        .dependsOn ?? []
    );
  };
  const order = expect.stringContaining('the order in which its workload affinity group is scheduled');
  expect(dependsOn(['cart', 'web'], affinityOn)).toContainEqual(order);
  expect(dependsOn(['cart'], affinityOn)).not.toContainEqual(order);
  expect(dependsOn(['cart', 'web'], failoverOn)).not.toContainEqual(order);
});
