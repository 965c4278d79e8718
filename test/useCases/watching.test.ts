import { describe, expect, test } from '@jest/globals';
import type { FailoverStatus, FailoverStatusChange } from '../../src/analysis/explanation/failoverStatus.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import type { ApiServer } from '../../src/state/live/apiServer.ts';
import { watchEvictionTasks } from '../../src/useCases/eviction/watchEvictionTasks.ts';
import { explainFailover } from '../../src/useCases/explanation/explainFailover.ts';
import type { LiveRequest } from '../../src/useCases/state/stateRequest.ts';
import { statusOfFailover } from '../../src/useCases/status/failoverStatus.ts';
import { watchFailoverStatus } from '../../src/useCases/status/watchFailoverStatus.ts';
import { bindingFilter, runWatch, type WatchRequest } from '../../src/useCases/watching.ts';
import { cluster, deployment } from '../simulator/simulation/controlPlane.ts';
import { servingObjects } from '../state/live/servingObjects.ts';
import { problemOf, quietPorts } from './quietPorts.ts';

const CLUSTER = '/apis/cluster.karmada.io/v1alpha1/clusters/east';
const CART = '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/cart-deployment';
const cart = deployment('cart', { placement: {}, clusters: [{ name: 'east', replicas: 2 }], replicas: 2 });
const other = deployment('other', { placement: {}, clusters: [{ name: 'west', replicas: 2 }], replicas: 2 });
const task = { fromCluster: 'west', producer: 'p', reason: 'r', creationTimestamp: '2026-09-01T09:59:00Z' };
const evicted: ResourceBinding = { ...cart, spec: { ...cart.spec, gracefulEvictionTasks: [task] } };

function serving(...bindings: ResourceBinding[]) {
  const clusters = [cluster('east'), cluster('west')];
  const server = servingObjects([...clusters, ...bindings] as unknown as KubernetesObject[]);
  const source = { connect: () => Promise.resolve<ApiServer>(server) };
  const state: LiveRequest = { source, version: 'v1.18' };
  return { server, state };
}

/** Keeps received events, and ends the watch after this many calls. */
function listening<Change>(times: number, then: (calls: number) => void = () => undefined) {
  const received: Change[][] = [];
  const onChanges = async (changes: Change[]) => {
    received.push(changes);
    if (received.length === times) throw new Error('heard enough');
    then(received.length);
  };
  return { received, onChanges };
}

describe('a watch of the failover status', () => {
  test('reports the whole status first, then each changed cluster', async () => {
    const { server, state } = serving(cart);
    const taint = { key: 'maintenance', effect: 'NoSchedule' as const };
    const { received, onChanges } = listening<FailoverStatusChange>(2, () =>
      server.store.patch(CLUSTER, { spec: { taints: [taint] } }, { fieldManager: 'somebody' }),
    );
    let forecast: boolean | undefined;
    const ports = quietPorts();
    const watching = watchFailoverStatus(
      { state, selection: {} },
      (first) => {
        forecast = first.forecast;
        expect(first.status.clusters.map(({ name }) => name).sort()).toEqual(['east', 'west']);
        return onChanges;
      },
      ports,
    );
    await expect(watching).rejects.toThrow('heard enough');
    expect(forecast).toBe(true);
    expect(received[0]!.map(({ type, cluster: one }) => `${type} ${one?.name}`)).toEqual([
      // whether failover is on
      'ADDED undefined',
      'ADDED east',
      'ADDED west',
    ]);
    expect(received[1]).toMatchObject([
      { type: 'MODIFIED', cluster: { name: 'east', taints: [{ taint: 'maintenance:NoSchedule' }] } },
    ]);
  });

  test('counts the workloads of the selected namespace', async () => {
    const elsewhere = { ...other, metadata: { ...other.metadata, namespace: 'data' } };
    const { state } = serving(cart, elsewhere);
    const { onChanges } = listening<FailoverStatusChange>(1);
    let counted: unknown;
    const watching = watchFailoverStatus(
      { state, selection: { namespace: 'data' } },
      ({ status }) => {
        counted = Object.fromEntries(status.clusters.map(({ name, workloads }) => [name, workloads]));
        return onChanges;
      },
      quietPorts(),
    );
    await expect(watching).rejects.toThrow('heard enough');
    expect(counted).toEqual({ east: 0, west: 1 });
  });

  test('reads autoscalers, as failover status without a watch does', async () => {
    const { server, state } = serving(cart);
    const { onChanges } = listening<FailoverStatusChange>(1);
    const watching = watchFailoverStatus({ state, selection: {} }, () => onChanges, quietPorts());
    await expect(watching).rejects.toThrow('heard enough');
    const hpas = '/apis/autoscaling.karmada.io/v1alpha1/federatedhpas';
    expect(server.requests.filter((path) => path === hpas)).toHaveLength(2);
    // read only for the forecast, and once
    const works = '/apis/work.karmada.io/v1alpha1/works';
    expect(server.requests.filter((path) => path === works)).toHaveLength(1);
  });

  test.each(['a leader renews its Lease', 'no leader renews its Lease'])(
    'reports whether the controller manager runs, as all answers do: %s',
    async (what) => {
      const isStopped = what.startsWith('no');
      const { state, server } = serving(cart);
      const renewed = server.now() - (isStopped ? 600_000 : 1000);
      const record = {
        holderIdentity: 'it',
        leaseDurationSeconds: 15,
        renewTime: new Date(renewed).toISOString(),
      };
      await server.create('/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases', {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { namespace: 'karmada-system', name: 'karmada-controller-manager' },
        spec: record,
      });
      const request = { state, cluster: 'east', selection: {} };
      const doubtsOf = ({ clusters }: FailoverStatus) =>
        clusters[0]!.bindings![0]!.ifItFails!.dependsOn ?? [];
      const { onChanges } = listening<FailoverStatusChange>(1);
      let watched: FailoverStatus | undefined;
      const watching = watchFailoverStatus(
        request,
        ({ status }) => {
          watched = status;
          return onChanges;
        },
        quietPorts(),
      );
      await expect(watching).rejects.toThrow('heard enough');
      const { status } = await statusOfFailover(request, quietPorts());
      const target = `rb/${cart.metadata.name}`;
      const asked = { state, target, namespace: cart.metadata.namespace };
      const { explanation } = await explainFailover({ ...asked, failures: [], clusters: [] }, quietPorts());
      const { dependsOn = [] } = explanation.ifItFails!.find((loss) => loss.cluster === 'east')!;
      const leaders = [doubtsOf(watched!), doubtsOf(status), dependsOn].map((doubts) =>
        doubts.some((doubt) => /karmada-controller-manager has not renewed its Lease/.test(doubt)),
      );
      expect(leaders).toEqual([isStopped, isStopped, isStopped]);
    },
  );

  test('is refused for an unknown cluster', async () => {
    const watching = () =>
      watchFailoverStatus(
        { state: serving().state, cluster: 'mars', selection: {} },
        () => () => Promise.resolve(),
        quietPorts(),
      );
    expect(await problemOf(watching)).toMatchObject({ code: 'unknown-cluster', input: 'status' });
  });
});

const neverCalled = () => Promise.reject(new Error('nobody should be called'));

describe('a watch of evictions', () => {
  test('reports existing evictions first, then their changes, and warns of assumptions once', async () => {
    const { server, state } = serving(evicted, other);
    const { received, onChanges } = listening<{ type: string; task: { workload: { name: string } } }>(2, () =>
      server.store.patch(CART, { spec: { gracefulEvictionTasks: null } }, { fieldManager: 'karmada' }),
    );
    const ports = quietPorts();
    const versions: string[] = [];
    const watching = watchEvictionTasks(
      { state, targets: [], selection: {} },
      ({ karmadaVersion }) => {
        versions.push(karmadaVersion);
        return { tasks: onChanges, queue: neverCalled };
      },
      ports,
    );
    await expect(watching).rejects.toThrow('heard enough');
    expect(versions).toEqual(['v1.18']);
    expect(received.map((changes) => changes.map((one) => [one.type, one.task.workload.name]))).toEqual([
      [['ADDED', 'cart']],
      [['DELETED', 'cart']],
    ]);
    expect(ports.warnings.filter((text) => text.startsWith('deadlines depend on'))).toHaveLength(1);
  });

  test('reports only the selected workloads, also without an eviction', async () => {
    const { state } = serving(evicted, other);
    const { received, onChanges } = listening<object>(1);
    const watching = watchEvictionTasks(
      { state, targets: ['deployment/other'], selection: {} },
      () => ({ tasks: onChanges, queue: neverCalled }),
      quietPorts(),
    );
    await expect(watching).rejects.toThrow('heard enough');
    expect(received).toEqual([[]]);
  });

  test('is refused for an unknown workload', async () => {
    const watching = () =>
      watchEvictionTasks(
        { state: serving(cart).state, targets: ['deployment/crat'], selection: {} },
        () => ({ tasks: neverCalled, queue: neverCalled }),
        quietPorts(),
      );
    expect(await problemOf(watching)).toMatchObject({ code: 'no-binding', target: 'deployment/crat' });
  });
});

describe('a watch of evictions includes', () => {
  const about = (...given: Parameters<typeof bindingFilter>) => [cart, other].map(bindingFilter(...given));

  test.each<[string, Parameters<typeof bindingFilter>, boolean[]]>([
    ['all workloads by default', [[], {}], [true, true]],
    ['only the named workloads', [['deployment/cart'], {}], [true, false]],
    [
      'only the named workloads of the namespace',
      [['deployment/cart'], { namespace: 'data' }],
      [false, false],
    ],
    [
      'only the workloads that match the fields',
      [[], { fields: [{ field: 'metadata.name', value: 'other-deployment', equal: true }] }],
      [false, true],
    ],
  ])('%s', (_, given, expected) => {
    expect(about(...given)).toEqual(expected);
  });
});

describe('running a watch', () => {
  const server = { ...servingObjects([]), url: 'https://karmada.example' };

  test('processes changes in order, and fails with the error of the first failure', async () => {
    const received: string[] = [];
    let signal: AbortSignal | undefined;
    const watch = ({ enqueue, signal: stopped }: WatchRequest) => {
      signal = stopped;
      enqueue(async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        received.push('slow');
      });
      enqueue(async () => void received.push('quick'));
      enqueue(() => Promise.reject(new Error('nobody listens')));
      return Promise.resolve();
    };
    await expect(runWatch(server, watch, quietPorts())).rejects.toThrow('nobody listens');
    expect(received).toEqual(['slow', 'quick']);
    expect(signal?.aborted).toBe(true);
  });

  test('warns when the server stops responding, and when it responds again', async () => {
    const ports = quietPorts();
    await runWatch(
      server,
      async ({ onSilence, onWarning }) => {
        onWarning('Works cannot be read');
        onSilence(true);
        onSilence(false);
        onSilence(true, 'the login has expired');
      },
      ports,
    );
    expect(ports.warnings).toEqual([
      'Works cannot be read',
      'https://karmada.example does not answer; the output may be stale',
      'the login has expired; the output may be stale',
    ]);
    expect(ports.notes).toEqual(['https://karmada.example answers again.']);
  });
});
