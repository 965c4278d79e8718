import { describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { applyObject, type ApplyObjectOptions } from '../../src/operations/applyObject.ts';
import type { ApiResource } from '../../src/state/live/resources.ts';
import { servingObjects, type ServingOptions } from '../state/live/servingObjects.ts';
import { lossyServer, type Mishap } from './lossyServer.ts';

const PATH = '/apis/policy.karmada.io/v1alpha1/clustertaintpolicies/zone';
const POLICIES: ApiResource = {
  kind: 'ClusterTaintPolicy',
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  resource: 'clustertaintpolicies',
  namespaced: false,
};

interface Policy extends KubernetesObject {
  spec: object;
}
const policy = (spec: object, labels?: Record<string, string>): Policy => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'zone', ...(labels ? { labels } : {}) },
  spec,
});
const taints = (key: string) => [{ key, effect: 'NoSchedule' }];

function given(mishaps: Mishap[] = [], objects: KubernetesObject[] = [], serving: ServingOptions = {}) {
  const fake = servingObjects(objects, serving);
  const server = lossyServer(fake, mishaps);
  const apply = (manifest: Policy, options: Partial<ApplyObjectOptions<Policy>> = {}) =>
    applyObject(server, POLICIES, manifest, {
      fieldManager: 'karmada-failover',
      pause: async () => undefined,
      ...options,
    });
  const { store, writes } = fake;
  const edit = (patch: object) => void store.patch(PATH, patch, { fieldManager: 'kubectl-edit' });
  return { store, writes, apply, edit, now: () => store.get(PATH) as Policy };
}

describe('a server-side apply', () => {
  test('reports whether the object was created, changed or unchanged', async () => {
    const { apply, now } = given();
    expect((await apply(policy({ taints: taints('a') }))).result).toBe('created');
    expect((await apply(policy({ taints: taints('b') }))).result).toBe('applied');
    expect((await apply(policy({ taints: taints('b') }))).result).toBe('unchanged');
    expect(now().spec).toEqual({ taints: taints('b') });
  });

  test('of a cluster-scoped kind ignores the namespace in the manifest', async () => {
    const { apply, writes } = given();
    const manifest = policy({ taints: taints('a') });
    await apply({ ...manifest, metadata: { ...manifest.metadata, namespace: 'default' } });
    expect(writes).toEqual([`apply ${PATH}`]);
  });

  test('removes only the fields that it no longer sets', async () => {
    const { apply, edit, now } = given();
    await apply(policy({ taints: taints('a'), mine: 1 }, { team: 'shop' }));
    edit({ metadata: { labels: { theirs: 'yes' } } });
    await apply(policy({ taints: taints('a') }));
    expect(now()).toMatchObject({ spec: { taints: taints('a') }, metadata: { labels: { theirs: 'yes' } } });
    expect(now().spec).not.toHaveProperty('mine');
    expect(now().metadata.labels).not.toHaveProperty('team');
  });

  test('reports a conflict by manager and field, and overwrites the field with force', async () => {
    const { apply, edit, now } = given();
    await apply(policy({ taints: taints('a') }));
    edit({ spec: { taints: taints('theirs') } });
    expect(await apply(policy({ taints: taints('b') }))).toMatchObject({
      result: 'conflicts',
      conflicts: [
        { manager: 'kubectl-edit', apiVersion: 'policy.karmada.io/v1alpha1', field: '.spec.taints' },
      ],
      message: expect.stringContaining('Apply failed with 1 conflict: conflict with "kubectl-edit" using'),
    });
    expect(now().spec).toEqual({ taints: taints('theirs') });
    expect((await apply(policy({ taints: taints('b') }), { force: true })).result).toBe('applied');
    expect(now().spec).toEqual({ taints: taints('b') });
    expect((await apply(policy({ taints: taints('c') }))).result).toBe('applied');
  });

  test('succeeds if another manager has set the same value', async () => {
    const { apply, edit } = given();
    await apply(policy({ taints: taints('a') }));
    edit({ spec: { taints: taints('theirs') } });
    expect((await apply(policy({ taints: taints('theirs') }))).result).toBe('applied');
  });

  test('conflicts with the fields of an object that was never applied', async () => {
    const { apply } = given([], [policy({ taints: taints('a') })]);
    expect(await apply(policy({ taints: taints('b') }))).toMatchObject({
      result: 'conflicts',
      conflicts: [{ manager: 'before-first-apply' }],
    });
  });

  test('as a dry run reports the result without a change', async () => {
    const { apply, store, now } = given();
    expect(await apply(policy({ taints: taints('a') }), { dryRun: true })).toMatchObject({
      result: 'created',
      object: { spec: { taints: taints('a') } },
    });
    expect(store.has(PATH)).toBe(false);
    await apply(policy({ taints: taints('a') }));
    expect((await apply(policy({ taints: taints('a') }), { dryRun: true })).result).toBe('unchanged');
    expect((await apply(policy({ taints: taints('b') }), { dryRun: true })).result).toBe('applied');
    expect(now().spec).toEqual({ taints: taints('a') });
  });

  test('does not recreate an object that was deleted since the decision', async () => {
    const { apply, store, now } = given();
    await apply(policy({ taints: taints('a') }));
    const before = now();
    store.delete(PATH);
    expect(await apply(policy({ taints: taints('b') }), { before })).toEqual({
      result: 'changed',
      object: undefined,
    });
    expect(store.has(PATH)).toBe(false);
  });

  test('with a version precondition fails if the object has another version', async () => {
    const { apply, edit, now } = given();
    await apply(policy({ taints: taints('a') }));
    const before = now();
    edit({ metadata: { labels: { theirs: 'yes' } } });
    const wanted = policy({ taints: taints('b') });
    expect(await apply(wanted, { before, unchanged: true })).toMatchObject({
      result: 'changed',
      object: { metadata: { labels: { theirs: 'yes' } } },
    });
    expect((await apply(wanted, { before })).result).toBe('applied');
  });

  test('of a kind that the server does not serve is refused', async () => {
    const message = 'the server could not find the requested resource';
    const { apply } = given([{ verb: 'apply', when: 'before', status: 404, message }]);
    expect(await apply(policy({}), { before: 'gone' })).toEqual({ result: 'refused', message });
  });

  test('fails if the object was deleted and recreated, even with force', async () => {
    const { apply, store, now } = given();
    await apply(policy({ taints: taints('a') }));
    const before = now();
    store.delete(PATH);
    store.create(PATH.replace('/zone', ''), policy({ taints: taints('anew') }));
    expect(await apply(policy({ taints: taints('b') }), { before, force: true })).toMatchObject({
      result: 'changed',
      object: { spec: { taints: taints('anew') } },
    });
    expect(now().spec).toEqual({ taints: taints('anew') });
  });

  test('without permission names the missing permission', async () => {
    const { apply } = given([], [], { readOnly: ['clustertaintpolicies.policy.karmada.io'] });
    await expect(apply(policy({}))).rejects.toThrow(
      'needed: apiGroups [policy.karmada.io], resources [clustertaintpolicies], verbs [get patch create]',
    );
  });

  test('reports the message of a webhook that denies it', async () => {
    const message = 'admission webhook "clustertaintpolicy.karmada.io" denied the request: no';
    const { apply } = given([{ verb: 'apply', when: 'before', status: 403, message }]);
    expect(await apply(policy({}))).toEqual({ result: 'refused', message });
  });
});

describe('a server-side apply whose response is lost', () => {
  for (const when of ['before', 'after'] as const)
    test(`has the same result if the connection is reset ${when} the server acts`, async () => {
      const { apply, now, writes } = given([
        { verb: 'apply', when },
        { verb: 'apply', when },
      ]);
      expect((await apply(policy({ taints: taints('a') }))).result).toBe('created');
      const versions = new Set([now().metadata.generation]);
      expect((await apply(policy({ taints: taints('a') }))).result).toBe('unchanged');
      versions.add(now().metadata.generation);
      expect(versions).toEqual(new Set([1]));
      expect(writes.every((write) => write.startsWith(`apply ${PATH}`))).toBe(true);
    });

  test('with a version precondition succeeds if a dry run shows no difference', async () => {
    const { apply, now } = given();
    await apply(policy({ taints: taints('a') }));
    const before = now();
    const again = given([{ verb: 'apply', when: 'after' }], [before]);
    const wanted = policy({ taints: taints('b') });
    expect((await again.apply(wanted, { before, unchanged: true })).result).toBe('applied');
    expect(again.writes).toEqual([`apply ${PATH}`, `apply ${PATH} (dry run)`]);
  });

  test('with a version precondition does not claim the write of another client', async () => {
    const { apply, now } = given();
    await apply(policy({ taints: taints('a') }));
    const before = now();
    const other = given(
      [{ verb: 'apply', when: 'before', then: () => other.edit({ spec: { taints: taints('theirs') } }) }],
      [before],
    );
    expect(await other.apply(policy({ taints: taints('b') }), { before, unchanged: true })).toMatchObject({
      result: 'changed',
      object: { spec: { taints: taints('theirs') } },
    });
  });

  test('without a version precondition is repeated, even after a write of another client', async () => {
    const { apply, now } = given();
    await apply(policy({ taints: taints('a') }));
    const before = now();
    const other = given(
      [
        {
          verb: 'apply',
          when: 'before',
          then: () => other.edit({ metadata: { labels: { theirs: 'yes' } } }),
        },
      ],
      [before],
    );
    expect(await other.apply(policy({ taints: taints('b') }), { before })).toMatchObject({
      result: 'applied',
      object: { spec: { taints: taints('b') }, metadata: { labels: { theirs: 'yes' } } },
    });
  });

  test('is not reported as applied if the server rejects the dry run', async () => {
    const { apply, now } = given();
    await apply(policy({ taints: taints('a') }));
    const before = now();
    const other = given(
      [
        { verb: 'apply', when: 'before', then: () => other.edit({ spec: { more: 1 } }) },
        { verb: 'apply', when: 'before', status: 422, message: 'no' },
      ],
      [before],
    );
    expect(await other.apply(policy({ taints: taints('b') }), { before, unchanged: true })).toMatchObject({
      result: 'changed',
      object: { spec: { more: 1 } },
    });
  });

  test('does not recreate an object that was deleted since the first try', async () => {
    const first = given();
    await first.apply(policy({ taints: taints('a') }));
    const plane = given(
      [{ verb: 'apply', when: 'after', then: () => void plane.store.delete(PATH) }],
      [first.now()],
    );
    expect(await plane.apply(policy({ taints: taints('b') }))).toEqual({
      result: 'changed',
      object: undefined,
    });
    expect(plane.store.has(PATH)).toBe(false);
  });

  test('has an unknown result if the server stops responding', async () => {
    const away: Mishap[] = Array.from({ length: 30 }, () => ({ verb: 'get', when: 'before' }));
    const { apply } = given([{ verb: 'apply', when: 'after' }, ...away]);
    expect(await apply(policy({}), { before: 'gone', patience: 5_000 })).toEqual({
      result: 'unknown',
      message: 'socket hang up',
    });
  });
});
