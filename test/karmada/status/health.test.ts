import { describe, expect, test } from '@jest/globals';
import {
  declaredHooks,
  hasHealthInterpreter,
  hasReplicaRevision,
} from '../../../src/karmada/status/healthInterpreter.ts';
import { interpretHealth } from '../../../src/karmada/status/memberObject.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';

const bundled = declaredHooks([], v1_18.rules);

const object = (apiVersion: string, kind: string, rest: object = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', generation: 2 },
  ...rest,
});

const deployment = (spec: object, status: object) => object('apps/v1', 'Deployment', { spec, status });

describe('the interpreted health', () => {
  const rolledOut = { observedGeneration: 2, updatedReplicas: 3, availableReplicas: 3 };
  test.each([
    ['is Healthy with all replicas updated and available', { replicas: 3 }, rolledOut, 'Healthy'],
    ['is Healthy with more updated replicas than requested', { replicas: 2 }, rolledOut, 'Healthy'],
    ['is Healthy without a replica count in its spec', {}, rolledOut, 'Healthy'],
    [
      'is Unhealthy with an older observed generation',
      { replicas: 3 },
      { ...rolledOut, observedGeneration: 1 },
      'Unhealthy',
    ],
    ['is Unhealthy with too few updated replicas', { replicas: 4 }, rolledOut, 'Unhealthy'],
    [
      'is Unhealthy with unavailable updated replicas',
      { replicas: 3 },
      { ...rolledOut, availableReplicas: 2 },
      'Unhealthy',
    ],
    ['is Unhealthy without a status', { replicas: 0 }, {}, 'Unhealthy'],
    ['is Unknown with a field of the wrong type', { replicas: '3' }, rolledOut, 'Unknown'],
  ])('of a Deployment %s', (_state, spec, status, health) => {
    expect(interpretHealth(deployment(spec, status), bundled)).toBe(health);
  });

  test('of a StatefulSet follows the same rules', () => {
    const half = {
      spec: { replicas: 2 },
      status: { ...rolledOut, updatedReplicas: 2, availableReplicas: 1 },
    };
    expect(interpretHealth(object('apps/v1', 'StatefulSet', half), bundled)).toBe('Unhealthy');
  });

  const loadBalancer = (...ingress: object[]) => ({ status: { loadBalancer: { ingress } } });
  const ready = (status: string) => ({ conditions: [{ type: 'Ready', status }] });
  test.each<[string, string, object, string]>([
    [
      'apps/v1',
      'ReplicaSet',
      { spec: { replicas: 1 }, status: { observedGeneration: 2, availableReplicas: 1 } },
      'Healthy',
    ],
    [
      'apps/v1',
      'ReplicaSet',
      { spec: { replicas: 2 }, status: { observedGeneration: 2, availableReplicas: 1 } },
      'Unhealthy',
    ],
    ['apps/v1', 'DaemonSet', { status: { observedGeneration: 2 } }, 'Healthy'],
    ['apps/v1', 'DaemonSet', { status: { observedGeneration: 2, desiredNumberScheduled: 1 } }, 'Unhealthy'],
    ['apps/v1', 'DaemonSet', { status: { observedGeneration: 2, updatedNumberScheduled: 1 } }, 'Unhealthy'],
    ['v1', 'Service', {}, 'Healthy'],
    ['v1', 'Service', { spec: { type: 'LoadBalancer' } }, 'Unhealthy'],
    ['v1', 'Service', { spec: { type: 'LoadBalancer' }, ...loadBalancer({}, { ip: '10.0.0.1' }) }, 'Healthy'],
    ['networking.k8s.io/v1', 'Ingress', loadBalancer({}), 'Unhealthy'],
    ['networking.k8s.io/v1', 'Ingress', loadBalancer({ hostname: 'shop.example.com' }), 'Healthy'],
    ['v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }, 'Healthy'],
    ['v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }, 'Unhealthy'],
    ['v1', 'Pod', { status: { phase: 'Succeeded' } }, 'Healthy'],
    ['v1', 'Pod', { status: { phase: 'Running', ...ready('True') } }, 'Healthy'],
    ['v1', 'Pod', { status: { phase: 'Running', ...ready('False') } }, 'Unhealthy'],
    ['v1', 'Pod', { status: { phase: 'Pending', ...ready('True') } }, 'Unhealthy'],
    ['policy/v1', 'PodDisruptionBudget', {}, 'Healthy'],
    ['policy/v1', 'PodDisruptionBudget', { status: { desiredHealthy: 1 } }, 'Unhealthy'],
    ['v1', 'ConfigMap', {}, 'Healthy'],
    ['batch/v1', 'Job', { status: { failed: 3 } }, 'Healthy'],
  ])('of %s %s %j is %s', (apiVersion, kind, rest, health) => {
    expect(interpretHealth(object(apiVersion, kind, rest), bundled)).toBe(health);
  });

  test('is undefined if only a script can interpret it', () => {
    expect(interpretHealth(object('flink.apache.org/v1beta1', 'FlinkDeployment'), bundled)).toBeUndefined();
  });
});

describe('interpreter hooks', () => {
  test.each([
    ['apps/v1', 'Deployment', true, true],
    ['apps/v1', 'DaemonSet', true, false],
    ['batch/v1', 'Job', false, true],
    ['batch.volcano.sh/v1alpha1', 'Job', true, false],
    ['apps.kruise.io/v1alpha1', 'AdvancedCronJob', false, false],
    ['apps.kruise.io/v1alpha1', 'CloneSet', true, true],
    ['v1', 'ConfigMap', false, false],
  ])('of %s %s exist for health: %s, for replicas: %s', (apiVersion, kind, health, replicas) => {
    expect(hasHealthInterpreter({ apiVersion, kind }, bundled)).toBe(health);
    expect(hasReplicaRevision({ apiVersion, kind }, bundled)).toBe(replicas);
  });

  const target = { apiVersion: 'example.com/v1', kind: 'Game' };

  test('include the hooks for which a customization has a script', () => {
    const hooks = declaredHooks(
      [
        object('config.karmada.io/v1alpha1', 'ResourceInterpreterCustomization', {
          spec: {
            target,
            customizations: {
              healthInterpretation: { luaScript: 'function InterpretHealth(o) return true end' },
              replicaRevision: { luaScript: '' },
            },
          },
        }),
      ],
      v1_18.rules,
    );
    expect(hasHealthInterpreter(target, hooks)).toBe(true);
    expect(hasReplicaRevision(target, hooks)).toBe(false);
    expect(hasHealthInterpreter({ ...target, kind: 'Match' }, hooks)).toBe(false);
    expect(interpretHealth(object(target.apiVersion, target.kind), hooks)).toBeUndefined();
  });

  test.each([
    [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], kinds: ['*'] }, true],
    [
      { operations: ['InterpretHealth'], apiGroups: ['example.com'], apiVersions: ['v1'], kinds: ['Game'] },
      true,
    ],
    [{ operations: ['Retain'], apiGroups: ['*'], apiVersions: ['*'], kinds: ['*'] }, false],
    [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], kinds: ['*'] }, false],
    [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['v2'], kinds: ['*'] }, false],
    [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], kinds: ['Match'] }, false],
  ])('include the health hook of a webhook with the rule %j: %s', (rule, enabled) => {
    const hooks = declaredHooks(
      [
        object('config.karmada.io/v1alpha1', 'ResourceInterpreterWebhookConfiguration', {
          webhooks: [{ name: 'w', rules: [rule] }],
        }),
      ],
      v1_18.rules,
    );
    expect(hasHealthInterpreter(target, hooks)).toBe(enabled);
  });
});

describe('bundled interpreters', () => {
  const of = (version: string) => declaredHooks([], dialectOf(version).dialect.rules);

  test('report a kind without an interpreter as Healthy from v1.12 on and as Unknown before', () => {
    const configMap = object('v1', 'ConfigMap');
    expect(interpretHealth(configMap, of('v1.11.9'))).toBe('Unknown');
    expect(interpretHealth(configMap, of('v1.12.0'))).toBe('Healthy');
  });

  test('support more kinds in newer versions', () => {
    const since = (apiVersion: string, kind: string) =>
      ['v1.10', 'v1.11', 'v1.14', 'v1.15', 'v1.16', 'v1.17', 'v1.18', 'head'].find((version) =>
        hasHealthInterpreter({ apiVersion, kind }, of(version)),
      );
    expect(since('apps/v1', 'Deployment')).toBe('v1.10');
    expect(since('flink.apache.org/v1beta1', 'FlinkDeployment')).toBe('v1.11');
    expect(since('apps.kruise.io/v1alpha1', 'UnitedDeployment')).toBe('v1.15');
    expect(since('ray.io/v1', 'RayCluster')).toBe('v1.16');
    expect(since('ray.io/v1', 'RayService')).toBe('v1.17');
    const replicaSet = { apiVersion: 'apps/v1', kind: 'ReplicaSet' };
    expect(hasReplicaRevision(replicaSet, of('v1.15.9'))).toBe(false);
    expect(hasReplicaRevision(replicaSet, of('v1.16.0'))).toBe(true);
  });
});
