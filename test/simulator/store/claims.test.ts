import { describe, expect, test } from '@jest/globals';
import { claimedWithId, withClaim, claimedBy, unclaimedFor } from '../../../src/karmada/objects/claims.ts';
import { bindingKey, objectKey } from '../../../src/karmada/objects/identities.ts';
import type { Write } from '../../../src/karmada/controllers/write.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { DEPENDENCIES_ANNOTATION } from '../../../src/karmada/api/names.ts';
import { keyOf, onStage } from '../../karmada/controllers/onStage.ts';
import { cluster, deployment, world } from '../simulation/controlPlane.ts';

const gold: PropagationPolicy = {
  kind: 'PropagationPolicy',
  metadata: {
    name: 'gold',
    namespace: 'shop',
    labels: { 'propagationpolicy.karmada.io/permanent-id': 'id' },
  },
  spec: {},
};
const template = (name: string): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop' },
});
const web = template('web');
const byKind = { apiVersion: 'apps/v1', kind: 'Deployment' };
const byName = { ...byKind, namespace: 'shop', name: 'web' };

const taken = <T extends KubernetesObject | ResourceBinding>(object: T): T => ({
  ...object,
  metadata: withClaim(object.metadata, gold),
});
const update = (base: KubernetesObject, object: KubernetesObject): Write => ({
  verb: 'update',
  kind: 'Object',
  key: objectKey({ kind: base.kind, ...base.metadata }),
  part: 'object',
  lock: false,
  base,
  object,
});
const plane = (...others: KubernetesObject[]) => ({
  ...world([cluster('east')], [deployment('web', { placement: {}, clusters: [{ name: 'east' }] })]),
  others,
});
const names = (objects: readonly { metadata: { name: string } }[]) =>
  objects.map(({ metadata }) => metadata.name);

describe('templates are found', () => {
  test('by kind and by matching selectors, until a policy claims them', () => {
    const { store, write } = onStage(plane(web, template('api')));
    expect(names(store.objectsOf('Deployment'))).toEqual(['api', 'web']);
    expect(names(store.templatesIn(unclaimedFor(byKind)))).toEqual(['api', 'web']);
    expect(names(store.templatesIn(unclaimedFor(byName), unclaimedFor(byKind)))).toEqual(['api', 'web']);

    write(update(web, taken(web)));
    expect(store.templatesIn(unclaimedFor(byName))).toEqual([]);
    expect(names(store.templatesIn(unclaimedFor(byKind)))).toEqual(['api']);
    expect(store.templatesIn(claimedWithId('PropagationPolicy', 'id'))).toEqual([taken(web)]);
    expect(store.templatesIn(claimedBy('PropagationPolicy', 'shop', 'gold'))).toEqual([taken(web)]);
  });

  test('but not after their deletion', () => {
    const { store, write } = onStage(plane(taken(web)));
    expect(names(store.templatesIn(claimedWithId('PropagationPolicy', 'id')))).toEqual(['web']);
    write({ verb: 'delete', kind: 'Object', key: 'Deployment/shop/web', base: taken(web) });
    expect(store.templatesIn(claimedWithId('PropagationPolicy', 'id'))).toEqual([]);
    expect(store.objectsOf('Deployment')).toEqual([]);
  });
});

test('bindings are found by their current policy', () => {
  const { store, binding, changeBinding } = onStage(plane());
  expect(store.bindingsIn(claimedWithId('PropagationPolicy', 'id'))).toEqual([]);
  changeBinding(keyOf('web'), taken);
  expect(store.bindingsIn(claimedWithId('PropagationPolicy', 'id'))).toEqual([binding(keyOf('web'))]);
});

test('bindings are found by their recorded dependencies, while they propagate them', () => {
  const { store, changeBinding } = onStage(plane());
  const secret = { kind: 'Secret', namespace: 'shop', name: 'certs' };
  const recorded = (propagateDeps: boolean) => (one: ResourceBinding) => ({
    ...one,
    metadata: { ...one.metadata, annotations: { [DEPENDENCIES_ANNOTATION]: JSON.stringify([secret]) } },
    spec: { ...one.spec, propagateDeps },
  });
  changeBinding(keyOf('web'), recorded(true));
  expect(store.needing(secret).map(bindingKey)).toEqual([keyOf('web')]);
  expect(store.needing({ ...secret, namespace: 'data' })).toEqual([]);
  changeBinding(keyOf('web'), recorded(false));
  expect(store.needing(secret)).toEqual([]);
});
