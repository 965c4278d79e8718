import { expect, test } from '@jest/globals';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { touchedBindings } from '../../../src/simulator/verdicts/workloadCourse.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { cluster, deployment, failoverOn, START, world } from '../simulation/controlPlane.ts';

const on = (name: string, ...clusters: string[]): ResourceBinding =>
  deployment(name, { placement: {}, clusters: clusters.map((one) => ({ name: one, replicas: 1 })) });

/** A ConfigMap that these depend on. */
const neededBy = (name: string, ...parents: string[]): ResourceBinding => {
  const { metadata, ...binding } = on(name);
  const requiredBy = parents.map((parent) => ({
    namespace: 'shop',
    name: `${parent}-deployment`,
    clusters: [],
  }));
  const { placement: _, ...spec } = binding.spec;
  return { ...binding, metadata, spec: { ...spec, requiredBy } };
};

const bindings = [
  on('web', 'east'),
  on('api', 'west'),
  neededBy('settings', 'web'),
  neededBy('more-settings', 'settings'),
  neededBy('api-settings', 'api'),
  neededBy('hen', 'egg'),
  neededBy('egg', 'hen'),
  neededBy('chick', 'egg'),
];
const start = createStartingWorld(
  world(
    ['east', 'west'].map((name) => cluster(name)),
    bindings,
  ),
  failoverOn,
  {
    start: START,
    members: { workloadReadyAfter: 20_000, neverReady: [] },
  },
);
const touched = (seen: { bindings?: string[]; clusters?: string[] }) =>
  [...touchedBindings(start, { bindings: [seen.bindings ?? []], clusters: seen.clusters ?? [] })]
    .map((key) => key.replace(/^shop\/(.*)-deployment$/, '$1'))
    .sort();
const inCircle = ['chick', 'egg', 'hen'];

test('without observations, only circular dependents are touched', () => {
  expect(touched({})).toEqual(inCircle);
});

test('a workload on a cluster in trouble is touched, and so are its dependents', () => {
  expect(touched({ clusters: ['east'] })).toEqual([...inCircle, 'more-settings', 'settings', 'web']);
});

test('a workload with observed changes is touched, and so are its dependents on any cluster', () => {
  expect(touched({ bindings: ['shop/api-deployment'] })).toEqual(['api', 'api-settings', ...inCircle]);
});
