import { describe, expect, test } from '@jest/globals';
import {
  redactedObject,
  redactedObjects,
  wholeObjects,
} from '../../../src/state/snapshot/snapshotRedaction.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';

const object = (apiVersion: string, kind: string, fields: object = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'one' },
  ...fields,
});
const worldOf = (world: Partial<World>): World => ({
  clusters: [],
  bindings: [],
  works: [],
  policies: [],
  taintPolicies: [],
  others: [],
  ...world,
});
const kinds = (objects: Iterable<KubernetesObject>) => [...objects].map(({ kind }) => kind);

const cluster = object('cluster.karmada.io/v1alpha1', 'Cluster', {
  spec: { syncMode: 'Push', proxyHeader: { 'Proxy-Authorization': 'hidden' } },
}) as World['clusters'][number];
const customization = object('config.karmada.io/v1alpha1', 'ResourceInterpreterCustomization', {
  spec: {
    target: { apiVersion: 'example.com/v1', kind: 'Game' },
    customizations: { replicaResource: { luaScript: 'return 1' } },
  },
});

test('every snapshot, redacted or whole, omits Secrets', () => {
  const others = [object('v1', 'Secret'), object('apps/v1', 'Deployment')];
  expect(kinds(redactedObjects(worldOf({ others })))).toEqual(['Deployment']);
  expect(kinds(wholeObjects(worldOf({ others })))).toEqual(['Deployment']);
});

test('every snapshot has the replicas of Karmada’s components, and of their arguments the known ones', () => {
  const started = (container: object, name: string, more: object = {}) =>
    object('apps/v1', 'Deployment', {
      metadata: { name },
      spec: { replicas: 1, template: { spec: { containers: [container] } } },
      status: { replicas: 1, readyReplicas: 0, ...more },
    });
  const image = 'karmada-scheduler:v1.18.2';
  const name = 'karmada-scheduler';
  const own = {
    name,
    image: `registry.example/private/${image}`,
    env: [{ name: 'PASSWORD', value: 'hidden' }],
    command: ['/bin/sh', '-c', 'TOKEN=hidden exec /bin/karmada-scheduler --kubeconfig=hidden --v=4'],
    args: ['--kubeconfig', 'hidden', '--scheduler-name=default-scheduler', 'hidden', 1],
  };
  const slim = {
    name,
    image,
    command: ['/bin/sh', '-c', '*** exec /bin/karmada-scheduler --kubeconfig=*** --v=***'],
    args: ['--kubeconfig', '***', '--scheduler-name=default-scheduler', '***', ''],
  };
  for (const snapshot of [redactedObjects, wholeObjects])
    for (const component of ['karmada-scheduler', 'karmada-scheduler-estimator-a', 'karmada-descheduler'])
      expect([
        ...snapshot(worldOf({ others: [started(own, component, { observedGeneration: 2 })] })),
      ]).toEqual([started(slim, component)]);
});

test('every snapshot, redacted or whole, omits the proxy headers of clusters', () => {
  for (const snapshot of [redactedObjects, wholeObjects]) {
    const [kept] = snapshot(worldOf({ clusters: [cluster] }));
    expect(kept).toEqual({ ...cluster, spec: { syncMode: 'Push' } });
  }
  const bare = object('cluster.karmada.io/v1alpha1', 'Cluster');
  expect(redactedObject(bare, [])).toEqual(bare);
});

test('a whole snapshot keeps bindings, Works and ConfigMaps unchanged', () => {
  const world = worldOf({
    bindings: [object('work.karmada.io/v1alpha2', 'ResourceBinding', { spec: { a: 1 } })] as never,
    works: [object('work.karmada.io/v1alpha1', 'Work', { spec: { b: 1 } })] as never,
    others: [object('v1', 'ConfigMap', { data: { a: 'kept' } })],
  });
  expect([...wholeObjects(world)]).toEqual([...world.bindings, ...world.works, ...world.others]);
});

describe('a redacted snapshot keeps', () => {
  test.each([
    ['coordination.k8s.io/v1', 'Lease'],
    ['scheduling.k8s.io/v1', 'PriorityClass'],
    ['autoscaling.karmada.io/v1alpha1', 'FederatedHPA'],
    ['autoscaling.karmada.io/v1alpha1', 'CronFederatedHPA'],
    ['apps.karmada.io/v1alpha1', 'WorkloadRebalancer'],
    ['config.karmada.io/v1alpha1', 'ResourceInterpreterCustomization'],
    ['work.karmada.io/v1alpha2', 'ResourceBinding'],
    ['policy.karmada.io/v1alpha1', 'ClusterTaintPolicy'],
  ])('all fields of the relevant kind %s, %s', (apiVersion, kind) => {
    const one = object(apiVersion, kind, { spec: { a: 1 }, value: 2 });
    expect(redactedObject(one, [])).toEqual(one);
  });

  test('only the metadata of irrelevant kinds, also with the name of a relevant kind', () => {
    for (const [apiVersion, kind] of [
      ['v1', 'ConfigMap'],
      ['cluster.x-k8s.io/v1beta1', 'Cluster'],
      ['example.com/v1', 'Lease'],
    ] as const) {
      const one = object(apiVersion, kind, { spec: { a: 'hidden' }, data: { a: 'hidden' } });
      expect(redactedObject(one, [])).toEqual(object(apiVersion, kind));
    }
  });

  test('the replicas of kinds with a ResourceInterpreterCustomization', () => {
    const game = object('example.com/v1', 'Game', { spec: { replicas: 3, key: 'hidden' } });
    const kept = [...redactedObjects(worldOf({ others: [game, customization] }))];
    expect(kept[0]).toEqual(object('example.com/v1', 'Game', { spec: { replicas: 3 } }));
    expect([...redactedObjects(worldOf({ others: [game] }))]).toEqual([object('example.com/v1', 'Game')]);
    const like = { ...customization, kind: 'Other' };
    expect([...redactedObjects(worldOf({ others: [game, like] }))][0]).toEqual(
      object('example.com/v1', 'Game'),
    );
  });

  test('the names and rules of interpreter webhooks, without their clientConfig', () => {
    const webhooks = (list: unknown) =>
      object('config.karmada.io/v1alpha1', 'ResourceInterpreterWebhookConfiguration', { webhooks: list });
    const rules = [{ operations: ['*'], kinds: ['Game'] }];
    const given = webhooks([{ name: 'a', rules, clientConfig: { caBundle: 'hidden' } }, null]);
    expect(redactedObject(given, [])).toEqual(webhooks([{ name: 'a', rules }, {}]));
    // malformed: its reader will report that
    expect(redactedObject(webhooks('none'), [])).toEqual(webhooks('none'));
  });

  describe('of Events', () => {
    const event = (reason: string, more: object = {}) =>
      object('v1', 'Event', {
        involvedObject: { kind: 'ResourceBinding', namespace: 'shop', name: 'web' },
        reason,
        message: 'Binding has been scheduled successfully.',
        lastTimestamp: '2026-09-01T10:00:00Z',
        ...more,
      });
    const foreign = { host: 'hidden', reportingInstance: 'hidden', related: { name: 'hidden' } };

    test('reason, message, times, count and component for actions of Karmada', () => {
      const source = { component: 'default-scheduler' };
      const more = { count: 2, firstTimestamp: '2026-09-01T09:00:00Z' };
      const given = event('ScheduleBindingSucceed', {
        ...foreign,
        ...more,
        source: { ...source, host: 'hidden' },
      });
      expect(redactedObject(given, [])).toStrictEqual(event('ScheduleBindingSucceed', { ...more, source }));
    });

    test('an Event of Karmada without a component', () => {
      expect(redactedObject(event('ScheduleBindingSucceed'), [])).toStrictEqual(
        event('ScheduleBindingSucceed', { source: { component: '' } }),
      );
    });

    test('failures of Karmada without a later success', () => {
      const failed = event('GetReplicasFailed', { type: 'Warning', source: { component: '' } });
      const ended = event('ApplyPolicyFailed', { type: 'Warning' });
      const others = [failed, ended, event('ApplyPolicySucceed', { lastTimestamp: '2026-09-01T10:01:00Z' })];
      const bare = object('v1', 'Event');
      expect([...redactedObjects(worldOf({ others }))]).toStrictEqual([failed, bare, bare]);
    });

    test('only the metadata of an Event with another reason', () => {
      expect(redactedObject(event('Pulled', foreign), [])).toEqual(object('v1', 'Event'));
    });
  });

  test.each([
    ['policy.karmada.io/applied-placement', true],
    ['karmada.io/managed', true],
    ['karmada-failover/drain', true],
    ['notkarmada.io/token', false],
    ['karmada.io.example.com/token', false],
    ['example.com/karmada.io', false],
    ['karmada.io', false],
    ['token', false],
  ])('the annotation %s: %s', (name, isKept) => {
    const metadata = { name: 'one', annotations: { [name]: 'value' } };
    const kept = redactedObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, []);
    expect(kept!.metadata).toEqual(isKept ? metadata : { name: 'one' });
  });
});
