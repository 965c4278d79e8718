import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { applyObject, type ApplyObjectOptions } from '../../src/operations/applyObject.ts';
import { deleteObject } from '../../src/operations/deleteObject.ts';
import { createEventRecorder } from '../../src/operations/events/eventRecorder.ts';
import { whileLeading } from '../../src/operations/leaderElection.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import { connect } from '../../src/state/live/connect.ts';
import { apiPath, WORKS, type ApiResource } from '../../src/state/live/resources.ts';
import { realTiming } from '../../src/state/live/mirrors/timing.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';

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
const policy = (name: string, key: string): Policy => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name },
  spec: {
    addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
    taints: [{ key, effect: 'NoSchedule' }],
  },
});

let bed: Bed;
let server: ApiServer;
beforeAll(async () => {
  bed = await up({ ...defaultOptions, members: [] });
  server = await connect({ kubeconfig: bed.kubeconfig });
});
afterAll(async () => {
  server?.close();
  await bed?.down();
});

const apply = (manifest: Policy, options: Partial<ApplyObjectOptions<Policy>> = {}) =>
  applyObject(server, POLICIES, manifest, { fieldManager: 'karmada-failover', ...options });
const read = (name: string) => server.get<Policy>(apiPath(POLICIES, undefined, name));

test('a policy is applied; applying it again changes nothing, with or without a dry run', async () => {
  expect((await apply(policy('a', 'one'), { dryRun: true })).result).toBe('created');
  expect((await apply(policy('a', 'one'))).result).toBe('created');
  expect((await apply(policy('a', 'one'))).result).toBe('unchanged');
  expect((await apply(policy('a', 'one'), { dryRun: true })).result).toBe('unchanged');
  expect((await apply(policy('a', 'two'), { dryRun: true })).result).toBe('applied');
  expect((await read('a')).spec).toMatchObject({ taints: [{ key: 'one' }] });
});

test('a conflict is reported with manager and field, and force overrides it', async () => {
  await apply(policy('b', 'one'));
  const path = apiPath(POLICIES, undefined, 'b');
  await server.patch(
    path,
    { spec: { taints: [{ key: 'theirs', effect: 'NoSchedule' }] } },
    { fieldManager: 'somebody' },
  );
  expect(await apply(policy('b', 'two'))).toMatchObject({
    result: 'conflicts',
    conflicts: [{ manager: 'somebody', apiVersion: 'policy.karmada.io/v1alpha1', field: '.spec.taints' }],
  });
  expect((await apply(policy('b', 'two'), { force: true })).result).toBe('applied');
});

test('a deleted object is not recreated, and a changed one is not overwritten', async () => {
  await apply(policy('c', 'one'));
  const before = await read('c');
  await server.patch(apiPath(POLICIES, undefined, 'c'), { metadata: { labels: { theirs: 'yes' } } });
  expect(await apply(policy('c', 'two'), { before, unchanged: true })).toMatchObject({
    result: 'changed',
    object: { metadata: { labels: { theirs: 'yes' } } },
  });
  expect(await deleteObject(server, POLICIES, before, { unchanged: true })).toMatchObject({
    result: 'conflict',
  });
  expect(await deleteObject(server, POLICIES, before, { dryRun: true })).toEqual({ result: 'deleted' });
  expect(await deleteObject(server, POLICIES, before)).toEqual({ result: 'deleted' });
  expect(await deleteObject(server, POLICIES, before)).toEqual({ result: 'gone' });
  expect(await apply(policy('c', 'two'), { before })).toEqual({ result: 'changed', object: undefined });
  await apply(policy('c', 'anew'));
  expect(await deleteObject(server, POLICIES, before)).toMatchObject({ result: 'conflict' });
});

test('a deletion waits for finalizers', async () => {
  await apply(policy('d', 'one'));
  const path = apiPath(POLICIES, undefined, 'd');
  const held = await server.patch<Policy>(path, { metadata: { finalizers: ['example.com/held'] } });
  expect((await deleteObject(server, POLICIES, held)).result).toBe('deleting');
  await server.patch(path, { metadata: { finalizers: null } });
  expect(await deleteObject(server, POLICIES, held)).toEqual({ result: 'gone' });
});

test('violations of the schema and of strict validation are reported in the words of the API server', async () => {
  const wrong = policy('e', 'one');
  wrong.spec = {
    ...wrong.spec,
    addOnConditions: [{ conditionType: 'Ready', operator: 'In' }],
  };
  expect(await apply(wrong)).toMatchObject({
    result: 'refused',
    message: expect.stringContaining('spec.addOnConditions[0].statusValues: Required value'),
  });
  const unknown = { ...policy('e', 'one'), spec: { ...policy('e', 'one').spec, tains: [] } };
  expect(await apply(unknown, { fieldValidation: 'Strict' })).toMatchObject({
    result: 'refused',
    message: expect.stringContaining('tains'),
  });
});

test('a status patch changes only the status', async () => {
  const work = {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'w', namespace: 'default' },
    spec: { workload: { manifests: [] } },
  };
  await server.create(apiPath(WORKS, 'default'), work);
  const condition = {
    type: 'Applied',
    status: 'True',
    reason: 'Test',
    message: '',
    lastTransitionTime: '2026-09-01T10:00:00Z',
  };
  const path = apiPath(WORKS, 'default', 'w');
  const patch = { metadata: { labels: { no: 'no' } }, status: { conditions: [condition] } };
  const after = await server.patch<{ metadata: object; status: object }>(path, patch, {
    subresource: 'status',
  });
  expect(after.status).toEqual({ conditions: [condition] });
});

test('a repeated Event is created once, and counted', async () => {
  const { metadata, apiVersion, kind } = await read('a');
  const { events } = await server.typed();
  const ended = new AbortController();
  const recorder = createEventRecorder({
    events,
    component: 'karmada-failover',
    host: 'here',
    timing: realTiming,
    signal: ended.signal,
    onFailure: (_, error) => {
      throw error;
    },
  });
  const subject = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  for (let n = 0; n < 3; n++) recorder.record(subject, 'Normal', 'Applied', 'it was applied');
  await recorder.written();
  const { items } = await server.list('/api/v1/namespaces/default/events', {
    query: { fieldSelector: `involvedObject.name=${metadata.name},reason=Applied` },
  });
  expect(items).toMatchObject([
    { count: 3, message: 'it was applied', source: { component: 'karmada-failover' } },
  ]);
});

test('a Lease has one holder despite clock skew, and its holder releases it at the end', async () => {
  const leases = (await server.typed()).leases('default');
  const working = new Set<string>();
  const spells: string[] = [];
  const candidate = (identity: string, skew: number) => {
    const stop = new AbortController();
    const timing = { ...realTiming, now: () => realTiming.now() + skew };
    const ended = whileLeading(
      {
        leases,
        name: 'live-writes',
        identity,
        timing,
        signal: stop.signal,
        leaseDuration: 6_000,
        renewDeadline: 4_000,
        retryPeriod: 500,
      },
      async (signal) => {
        working.add(identity);
        spells.push([...working].join(' and '));
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        );
        working.delete(identity);
      },
    );
    return { ended, stop: () => stop.abort() };
  };
  const one = candidate('one', 0);
  await eventually('one holds the lease', async () => working.has('one'), { within: 20_000 });
  const two = candidate('two', 3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  expect([...working]).toEqual(['one']);
  one.stop();
  expect(await one.ended).toBe('stopped');
  await eventually('two holds the lease', async () => working.has('two'), { within: 20_000 });
  two.stop();
  expect(await two.ended).toBe('stopped');
  expect((await leases.read('live-writes'))?.record).toMatchObject({
    holderIdentity: '',
    leaseTransitions: expect.any(Number),
  });
  expect(spells).toEqual(['one', 'two']);
});
