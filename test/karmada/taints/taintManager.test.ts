import { describe, expect, test } from '@jest/globals';
import { isStarted } from '../../../src/karmada/controllers/registry.ts';
import { bindingEviction } from '../../../src/karmada/taints/bindingEviction.ts';
import { taintManager } from '../../../src/karmada/taints/taintManager.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';
import { keyOf, onStage } from '../controllers/onStage.ts';

const net: Taint = { key: 'net', effect: 'NoExecute', timeAdded: rfc3339(START) };
const on = (...names: string[]) => names.map((name) => ({ name, replicas: 1 }));
const tolerating = (seconds?: number): Placement => ({
  clusterTolerations: [
    { key: 'net', operator: 'Exists', ...(seconds !== undefined && { tolerationSeconds: seconds }) },
  ],
});
const web = deployment('web', { placement: {}, clusters: on('east-1', 'west-1'), replicas: 1 });
const shop = deployment('shop', { placement: {}, clusters: on('east-1'), replicas: 1 });
const patient = deployment('patient', { placement: tolerating(300), clusters: on('east-1') });
const stoic = deployment('stoic', { placement: tolerating(), clusters: on('east-1') });
const east = cluster('east-1', [net]);
const west = cluster('west-1');

describe('the taint manager', () => {
  test('queues bindings without a toleration at once, and others after their toleration or never', () => {
    const stage = onStage(world([east, west], [web, patient, stoic]));
    const step = stage.reconcile(taintManager, 'east-1', { now: START + 20_000 });
    expect(step.enqueues).toEqual([
      { queue: 'binding-eviction', key: `east-1|${keyOf('patient')}`, after: 280_000 },
      { queue: 'binding-eviction', key: `east-1|${keyOf('web')}` },
    ]);
    expect(step.writes).toBeUndefined();
  });

  test('queues ClusterResourceBindings in a separate queue', () => {
    const binding = {
      ...web,
      kind: 'ClusterResourceBinding',
      metadata: { ...web.metadata, namespace: undefined as never, name: 'web-namespace' },
    };
    delete (binding.metadata as { namespace?: string }).namespace;
    const stage = onStage(world([east], [binding]));
    expect(stage.reconcile(taintManager, 'east-1').enqueues).toEqual([
      { queue: 'cluster-binding-eviction', key: 'east-1|/web-namespace' },
    ]);
  });

  test('reports a toleration once, and again if its end changes', () => {
    const stage = onStage(world([east, west], [patient, stoic]));
    const first = stage.reconcile(taintManager, 'east-1', { now: START });
    expect(first.notes).toMatchObject([
      {
        type: 'Tolerated',
        binding: keyOf('patient'),
        cluster: 'east-1',
        until: START + 300_000,
        taints: ['net'],
      },
      { type: 'Tolerated', binding: keyOf('stoic'), cluster: 'east-1' },
    ]);
    expect(first.notes![1]).not.toHaveProperty('until');
    const later = { now: START + 10_000, memory: first.memory! };
    expect(stage.reconcile(taintManager, 'east-1', later).notes).toEqual([]);
    stage.changeBinding(keyOf('patient'), (binding) => ({
      ...binding,
      metadata: {
        ...binding.metadata,
        annotations: { 'policy.karmada.io/applied-placement': JSON.stringify(tolerating(60)) },
      },
    }));
    expect(stage.reconcile(taintManager, 'east-1', later).notes).toMatchObject([{ until: START + 60_000 }]);
  });

  test('notes that the order of several due bindings is random', () => {
    const stage = onStage(world([east, west], [web, shop]));
    const first = stage.reconcile(taintManager, 'east-1');
    expect(first.notes).toEqual([{ type: 'FreeChoice', cluster: 'east-1', choice: 'turn in a paced queue' }]);
    expect(stage.reconcile(taintManager, 'east-1', { memory: first.memory! }).notes).toEqual([]);
    expect(onStage(world([east, west], [web])).reconcile(taintManager, 'east-1').notes).toEqual([]);
  });

  test('reconciles a tainted cluster every ten seconds if one of its bindings changes', () => {
    const stage = onStage(world([east, west], [web]));
    expect(stage.reconcile(taintManager, 'east-1').requeue).toEqual({
      after: 10_000,
      unless: [{ kind: 'Binding', on: 'east-1' }],
    });
    expect(stage.reconcile(taintManager, 'west-1')).toEqual({});
  });

  test('queues every binding at each reconcile up to v1.18.1', () => {
    const stageOf = (version: string, ...bindings: ResourceBinding[]) =>
      onStage(world([east, west], bindings), { ...failoverOn, rules: dialectOf(version).dialect.rules });
    const { enqueues, requeue } = stageOf('v1.18.1', patient, stoic).reconcile(taintManager, 'east-1');
    expect(enqueues).toEqual([
      { queue: 'binding-eviction', key: `east-1|${keyOf('patient')}` },
      { queue: 'binding-eviction', key: `east-1|${keyOf('stoic')}` },
    ]);
    expect(requeue).toEqual({ after: 10_000 });
    expect(stageOf('v1.18.1', stoic).reconcile(taintManager, 'east-1').requeue).toHaveProperty('unless');
    expect(stageOf('v1.15.0', patient).reconcile(taintManager, 'east-1').requeue).toHaveProperty('unless');
  });

  test('reconciles after any event of a tainted cluster, and resumes with tainted clusters', () => {
    const stage = onStage(world([east, west], [web]));
    expect(stage.wakes(taintManager, { kind: 'Cluster', key: 'east-1', before: east, after: east })).toEqual([
      { key: 'east-1' },
    ]);
    expect(stage.wakes(taintManager, { kind: 'Cluster', key: 'west-1', before: west, after: west })).toEqual(
      [],
    );
    expect(stage.wakes(taintManager, { kind: 'Binding', key: keyOf('web'), after: web })).toEqual([]);
    expect(stage.resumes(taintManager)).toEqual([{ key: 'east-1' }]);
  });

  test('requires the gate Failover, and queues nothing without enable-no-execute-taint-eviction', () => {
    const off = { ...failoverOn, featureGates: { ...failoverOn.featureGates, Failover: false } };
    const controllerManager = { ...failoverOn.controllerManager, 'enable-no-execute-taint-eviction': false };
    for (const name of ['taint-manager', 'binding-eviction', 'cluster-binding-eviction'] as const) {
      expect(isStarted(name, failoverOn)).toBe(true);
      expect(isStarted(name, off)).toBe(false);
    }
    const stage = onStage(world([east], [web]), { ...failoverOn, controllerManager });
    expect(stage.reconcile(taintManager, 'east-1')).toEqual({});
  });
});

describe('an eviction worker', () => {
  const pair = `east-1|${keyOf('web')}`;

  test('removes the cluster and adds a task in one locked update', () => {
    const stage = onStage(world([east, west], [web]));
    const { writes } = stage.reconcile(bindingEviction, pair);
    expect(writes).toMatchObject([{ verb: 'update', part: 'object', lock: true, key: keyOf('web') }]);
    stage.write(...writes!);
    const { spec, metadata } = stage.binding(keyOf('web'));
    expect(spec.clusters).toEqual(on('west-1'));
    expect(spec.gracefulEvictionTasks).toMatchObject([
      { fromCluster: 'east-1', reason: 'TaintUntolerated', producer: 'TaintManager', replicas: 1 },
    ]);
    expect(metadata.generation).toBe(3);
    expect(stage.reconcile(bindingEviction, pair)).toEqual({});
  });

  test('evicts nothing if the taint, the target cluster or the binding is removed', () => {
    expect(onStage(world([cluster('east-1'), west], [web])).reconcile(bindingEviction, pair)).toEqual({});
    expect(onStage(world([east, west], [])).reconcile(bindingEviction, pair)).toEqual({});
    const stage = onStage(world([east, west], [web]));
    stage.changeBinding(keyOf('web'), (binding) => ({
      ...binding,
      spec: { ...binding.spec, clusters: on('west-1') },
    }));
    expect(stage.reconcile(bindingEviction, pair)).toEqual({});
  });

  test('waits for the end of a toleration and then evicts', () => {
    const stage = onStage(world([east, west], [patient]));
    const key = `east-1|${keyOf('patient')}`;
    expect(stage.reconcile(bindingEviction, key, { now: START + 1000 })).toEqual({
      requeue: { after: 299_000 },
    });
    expect(stage.reconcile(bindingEviction, key, { now: START + 300_000 }).writes).toHaveLength(1);
  });

  test('fails without the applied placement until the binding or the cluster changes', () => {
    const unscheduled = deployment('web', { placement: {}, applied: null, clusters: on('east-1') });
    const { failure, writes } = onStage(world([east], [unscheduled])).reconcile(bindingEviction, pair);
    expect(writes).toBeUndefined();
    expect(failure).toMatchObject({
      reason: 'EvictWorkloadFromClusterFailed',
      unless: [
        { kind: 'Binding', key: keyOf('web') },
        { kind: 'Cluster', key: 'east-1' },
      ],
    });
  });

  test('is one of three for its queue, each limited by resource-eviction-rate', () => {
    expect(bindingEviction.queue!(failoverOn)).toEqual({ rate: 0.5, workers: 3 });
  });
});

describe('the taint manager of a captured state', () => {
  const scheduled = (binding: ResourceBinding, secondsAgo: number): ResourceBinding => ({
    ...binding,
    status: { ...binding.status, lastScheduledTime: rfc3339(START - secondsAgo * 1000) },
  });
  // processed when the taint was added 24s ago, and every 10s since then
  const tainted = cluster('east-1', [{ ...net, timeAdded: rfc3339(START - 24_000) }]);
  const stage = onStage(world([tainted], [scheduled(web, 60), scheduled(shop, 2)]));
  const resume = (unseen?: () => number | undefined) => stage.resumes(taintManager, unseen)[0]!;

  test('has queued the bindings due at its last reconcile, and queues the others at its next', () => {
    const { memory } = resume(() => undefined);
    const step = stage.reconcile(taintManager, 'east-1', { memory: memory as never });
    expect(step.enqueues).toEqual([{ queue: 'binding-eviction', key: `east-1|${keyOf('web')}` }]);
    expect(step.requeue).toEqual({ after: 6000 });
    const next = stage.reconcile(taintManager, 'east-1', { now: START + 6000, memory: step.memory! });
    expect(next.enqueues).toContainEqual({ queue: 'binding-eviction', key: `east-1|${keyOf('shop')}` });
  });

  test('may have reconciled at any time within its period', () => {
    const { memory } = resume(() => 0.1);
    expect(stage.reconcile(taintManager, 'east-1', { memory: memory as never }).requeue).toEqual({
      after: 9000,
    });
  });

  test('reconciles all tainted clusters in a new process', () => {
    expect(resume()).toEqual({ key: 'east-1' });
  });
});
