import { expect, test } from '@jest/globals';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, outcomeOf, run, world } from '../simulation/controlPlane.ts';

/** The gap of a Duplicated workload with its only copy on east, if nothing happens. */
function gap(placement: Placement, ...others: ReturnType<typeof cluster>[]) {
  const web = deployment('web', { placement, clusters: [{ name: 'east', replicas: 2 }], replicas: 2 });
  return outcomeOf(run(world([cluster('east'), ...others], [web]), {}), 'web').gap;
}
const failed = cluster('west');
failed.status!.conditions = [{ ...failed.status!.conditions![0]!, status: 'False' }];
const missing = { replicas: 2, open: true, permanent: true };

test('a copy that minGroups demands and forbids is missing from the start on', () => {
  const constraint = { spreadByField: 'cluster', minGroups: 2 } as const;
  expect(gap({ spreadConstraints: [constraint] })).toMatchObject(missing);
  expect(gap({ spreadConstraints: [{ ...constraint, minGroups: 1 }] })).toBeUndefined();
});

test('a copy on a failed cluster of the placement is missing from the start on', () => {
  expect(gap({}, failed)).toMatchObject(missing);
  expect(gap({ clusterAffinity: { clusterNames: ['east'] } }, failed)).toBeUndefined();
});
