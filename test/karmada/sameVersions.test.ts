import { expect, test } from '@jest/globals';
import { emptyWorld, type World } from '../../src/karmada/world.ts';
import { sameVersions } from '../../src/karmada/sameVersions.ts';

const cluster = (name: string, resourceVersion?: string, uid = name) => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
});
const world = (...clusters: ReturnType<typeof cluster>[]): World => ({ ...emptyWorld(), clusters });

test('reading twice gives the same', () => {
  expect(
    sameVersions(
      world(cluster('m1', '7'), cluster('m2', '8')),
      world(cluster('m1', '7'), cluster('m2', '8')),
    ),
  ).toBe(true);
});

test.each([
  ['another version', world(cluster('m1', '9'))],
  ['an object made anew', world(cluster('m1', '7', 'other'))],
  ['one object more', world(cluster('m1', '7'), cluster('m2', '8'))],
  ['nothing', emptyWorld()],
])('%s is not', (_, other) => {
  expect(sameVersions(world(cluster('m1', '7')), other)).toBe(false);
  expect(sameVersions(other, world(cluster('m1', '7')))).toBe(false);
});

test('objects without a version, as of files, are the same only if they are the very objects', () => {
  const [one, other] = [cluster('m1'), cluster('m1')];
  expect(sameVersions(world(one), world(one))).toBe(true);
  expect(sameVersions(world(one), world(other))).toBe(false);
});
