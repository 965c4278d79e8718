import { expect, test } from '@jest/globals';
import { emptyWorld, type World } from '../../src/karmada/world.ts';
import { sameVersions } from '../../src/karmada/sameVersions.ts';

const cluster = (name: string, resourceVersion?: string, uid = name) => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
});
const world = (...clusters: ReturnType<typeof cluster>[]): World => ({ ...emptyWorld(), clusters });

test('two reads without a change in between have the same versions', () => {
  expect(
    sameVersions(
      world(cluster('m1', '7'), cluster('m2', '8')),
      world(cluster('m1', '7'), cluster('m2', '8')),
    ),
  ).toBe(true);
});

test.each([
  ['a state with another resourceVersion', world(cluster('m1', '9'))],
  ['a state with a recreated object', world(cluster('m1', '7', 'other'))],
  ['a state with an additional object', world(cluster('m1', '7'), cluster('m2', '8'))],
  ['an empty state', emptyWorld()],
])('a state differs from %s', (_, other) => {
  expect(sameVersions(world(cluster('m1', '7')), other)).toBe(false);
  expect(sameVersions(other, world(cluster('m1', '7')))).toBe(false);
});

test('objects without a resourceVersion have the same version only if they are the same object', () => {
  const [one, other] = [cluster('m1'), cluster('m1')];
  expect(sameVersions(world(one), world(one))).toBe(true);
  expect(sameVersions(world(one), world(other))).toBe(false);
});
