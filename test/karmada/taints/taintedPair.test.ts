import { describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { FailoverBehavior, Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, ResourceBindingSpec } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import type { Evidence } from '../../../src/karmada/evidence.ts';
import { taintEvictionPurgeMode } from '../../../src/karmada/taints/evictionPurgeMode.ts';
import {
  enqueueDecision,
  evictionDue,
  processTaintedPair,
  taintsInForce,
  type TaintManagerConfiguration,
} from '../../../src/karmada/taints/taintedPair.ts';
import { termsOf } from '../../../src/karmada/taints/evictionTerms.ts';
import { appliedPlacement } from '../../../src/karmada/objects/appliedPlacement.ts';
import { v1_18 } from '../../dialects.ts';

const now = Date.UTC(2026, 2, 14);
const cluster: Cluster = {
  metadata: { name: 'm1' },
  spec: { taints: [{ key: 'net', effect: 'NoExecute', timeAdded: rfc3339(now - 100_000) }] },
};
const configuration: TaintManagerConfiguration = {
  controllerManager: {
    'enable-no-execute-taint-eviction': true,
    'no-execute-taint-eviction-purge-mode': 'Gracefully',
  },
  rules: v1_18.rules,
  featureGates: { GracefulEviction: true, StatefulFailoverInjection: true },
};
const switchedOff: TaintManagerConfiguration = {
  ...configuration,
  controllerManager: { ...configuration.controllerManager, 'enable-no-execute-taint-eviction': false },
};

function binding(
  applied: Placement | string | undefined,
  spec: Partial<ResourceBindingSpec> = {},
): ResourceBinding {
  const text = typeof applied === 'object' ? JSON.stringify(applied) : applied;
  return {
    metadata: {
      name: 'web-deployment',
      namespace: 'shop',
      ...(text !== undefined && { annotations: { 'policy.karmada.io/applied-placement': text } }),
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      clusters: [{ name: 'm1', replicas: 2 }, { name: 'm2' }],
      ...spec,
    },
  };
}
const tolerating = (seconds?: number): Placement => ({
  clusterTolerations: [
    { key: 'net', operator: 'Exists', ...(seconds !== undefined && { tolerationSeconds: seconds }) },
  ],
});

describe('a cluster event', () => {
  const enqueue = (one: ResourceBinding, from = configuration) => {
    const taints = taintsInForce(cluster, from);
    const due = evictionDue(taints, one, termsOf(one, appliedPlacement(one.metadata)), now);
    return enqueueDecision(taints, due, v1_18.rules);
  };

  test('queues a binding at once, at the end of its toleration or never', () => {
    expect(enqueue(binding({}))).toEqual({ kind: 'immediate' });
    expect(enqueue(binding(tolerating(100)))).toEqual({ kind: 'immediate' });
    expect(enqueue(binding(tolerating(130)))).toEqual({ kind: 'after', milliseconds: 30_000 });
    expect(enqueue(binding(tolerating()))).toEqual({ kind: 'skip' });
  });

  test('queues a binding with unknown tolerations at once', () => {
    expect(enqueue(binding(undefined))).toEqual({ kind: 'immediate' });
    expect(enqueue(binding('{'))).toEqual({ kind: 'immediate' });
  });

  test('queues nothing without taints in force', () => {
    expect(enqueue(binding({}), switchedOff)).toEqual({ kind: 'skip' });
    expect(taintsInForce({ ...cluster, spec: {} }, configuration)).toEqual([]);
    expect(taintsInForce(undefined, configuration)).toEqual([]);
  });
});

describe('a queued pair of cluster and binding', () => {
  const process = (one: ResourceBinding, changes: Partial<Parameters<typeof processTaintedPair>[0]> = {}) =>
    processTaintedPair({ clusterName: 'm1', cluster, binding: one, now, configuration, ...changes });

  test('is evicted by the removal of the cluster and a new task', () => {
    expect(process(binding({}))).toEqual({
      kind: 'evict',
      spec: {
        ...binding({}).spec,
        clusters: [{ name: 'm2' }],
        gracefulEvictionTasks: [
          {
            fromCluster: 'm1',
            purgeMode: 'Gracefully',
            replicas: 2,
            reason: 'TaintUntolerated',
            producer: 'TaintManager',
          },
        ],
      },
    });
  });

  test('waits for the end of a toleration, and is not evicted without an end', () => {
    expect(process(binding(tolerating(130)))).toEqual({ kind: 'wait', milliseconds: 30_000 });
    expect(process(binding(tolerating()))).toEqual({ kind: 'none' });
  });

  test('is not evicted if the binding, the target cluster or the taint is removed', () => {
    const deleting = binding({});
    deleting.metadata.deletionTimestamp = rfc3339(now);
    expect(process(deleting)).toEqual({ kind: 'none' });
    expect(process(binding({}, { clusters: [{ name: 'm2' }] }))).toEqual({ kind: 'none' });
    expect(process(binding({}), { cluster: { metadata: { name: 'm1' } } })).toEqual({ kind: 'none' });
    expect(process(binding({}), { cluster: undefined })).toEqual({ kind: 'none' });
    expect(process(binding({}), { configuration: switchedOff })).toEqual({ kind: 'none' });
  });

  test('fails without an applied placement, even if eviction is disabled', () => {
    const error = { kind: 'error', message: 'the applied placement for ResourceBining can not be empty' };
    expect(process(binding(undefined))).toEqual(error);
    expect(process(binding(''))).toEqual(error);
    expect(process(binding(undefined), { configuration: switchedOff })).toEqual(error);
  });

  test.each([
    ['{', 'unexpected end of JSON input'],
    ['{]', "invalid character ']' looking for beginning of object key string"],
    ['[]', 'json: cannot unmarshal array into Go value of type v1alpha1.Placement'],
    ['"{}"', 'json: cannot unmarshal string into Go value of type v1alpha1.Placement'],
  ])('fails if the applied placement is %s', (text, message) => {
    expect(process(binding(text))).toEqual({ kind: 'error', message });
  });

  test('uses tolerations only from the applied placement', () => {
    expect(process(binding({}, { placement: tolerating() })).kind).toBe('evict');
    expect(process(binding('null')).kind).toBe('evict');
  });

  test('keeps the existing task of the cluster', () => {
    const task = { fromCluster: 'm1', reason: 'Old', producer: 'P' };
    expect(process(binding({}, { gracefulEvictionTasks: [task] }))).toMatchObject({
      kind: 'evict',
      spec: { clusters: [{ name: 'm2' }], gracefulEvictionTasks: [task] },
    });
  });

  describe('with state to preserve', () => {
    const failover = {
      cluster: {
        purgeMode: 'Directly' as const,
        statePreservation: { rules: [{ aliasLabelName: 'ready', jsonPath: '{.readyReplicas}' }] },
      },
    };
    const withStatus = (status: unknown) => ({
      ...binding({}, { failover }),
      status: { aggregatedStatus: [{ clusterName: 'm1', status }] },
    });

    test('stores the preserved labels in the task', () => {
      expect(process(withStatus({ readyReplicas: 2 }))).toMatchObject({
        kind: 'evict',
        spec: {
          gracefulEvictionTasks: [{ purgeMode: 'Directly', preservedLabelState: { ready: '2' } }],
        },
      });
    });

    test('is not evicted until the status is collected', () => {
      expect(process(binding({}, { failover }))).toEqual({
        kind: 'error',
        message: 'the application status has not yet been collected from Cluster(m1)',
      });
      expect(process(withStatus({}))).toEqual({
        kind: 'error',
        message: 'failed to execute jsonpath "{.readyReplicas}": readyReplicas is not found',
      });
    });

    test('is evicted without preserved labels if the gate StatefulFailoverInjection is off', () => {
      const off = {
        ...configuration,
        rules: v1_18.rules,
        featureGates: { GracefulEviction: true, StatefulFailoverInjection: false },
      };
      const outcome = process(withStatus({}), { configuration: off });
      expect(outcome.kind).toBe('evict');
      expect(outcome).not.toHaveProperty('spec.gracefulEvictionTasks.0.preservedLabelState');
    });
  });

  test('names its inputs as evidence', () => {
    const evidence: Evidence[] = [];
    processTaintedPair({ clusterName: 'm1', cluster, binding: binding({}), now, configuration }, evidence);
    expect(evidence.map(({ rule }) => rule)).toEqual([
      'no toleration for the taint net:NoExecute',
      'the purge mode comes from karmada-controller-manager',
    ]);
  });
});

test('the purge mode of a task comes from failover.cluster, else from the flag', () => {
  const directly: TaintManagerConfiguration = {
    ...configuration,
    controllerManager: {
      ...configuration.controllerManager,
      'no-execute-taint-eviction-purge-mode': 'Directly',
    },
  };
  const modeOf = (failover: FailoverBehavior | undefined, by = directly) =>
    taintEvictionPurgeMode(binding({}, { failover }), by);
  expect(modeOf(undefined)).toBe('Directly');
  expect(modeOf({ application: {} })).toBe('Directly');
  expect(modeOf({ cluster: {} })).toBe('Gracefully');
  expect(modeOf({ cluster: { purgeMode: 'Never' } })).toBe('Never');
  expect(modeOf(undefined, configuration)).toBe('Gracefully');
});
