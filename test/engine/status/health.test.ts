import { describe, expect, test } from '@jest/globals';
import {
  declaredHooks,
  hasHealthInterpreter,
  hasReplicaRevision,
} from '../../../src/engine/status/healthInterpreter.ts';
import { interpretHealth } from '../../../src/engine/status/interpretHealth.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';

const object = (apiVersion: string, kind: string, rest: object = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', generation: 2 },
  ...rest,
});

const deployment = (spec: object, status: object) => object('apps/v1', 'Deployment', { spec, status });

describe('health of an object in a member cluster', () => {
  const rolledOut = { observedGeneration: 2, updatedReplicas: 3, availableReplicas: 3 };
  test.each([
    ['all replicas updated and available', { replicas: 3 }, rolledOut, 'Healthy'],
    ['more updated than asked for', { replicas: 2 }, rolledOut, 'Healthy'],
    ['replicas left to the default', {}, rolledOut, 'Healthy'],
    ['an older generation observed', { replicas: 3 }, { ...rolledOut, observedGeneration: 1 }, 'Unhealthy'],
    ['too few updated', { replicas: 4 }, rolledOut, 'Unhealthy'],
    ['updated ones not available', { replicas: 3 }, { ...rolledOut, availableReplicas: 2 }, 'Unhealthy'],
    ['no status yet', { replicas: 0 }, {}, 'Unhealthy'],
    ['a field of the wrong type', { replicas: '3' }, rolledOut, 'Unknown'],
  ])('Deployment, %s', (_state, spec, status, health) => {
    expect(interpretHealth(deployment(spec, status))).toBe(health);
  });

  test('a StatefulSet goes by the same rules', () => {
    const half = {
      spec: { replicas: 2 },
      status: { ...rolledOut, updatedReplicas: 2, availableReplicas: 1 },
    };
    expect(interpretHealth(object('apps/v1', 'StatefulSet', half))).toBe('Unhealthy');
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
  ])('%s %s %j is %s', (apiVersion, kind, rest, health) => {
    expect(interpretHealth(object(apiVersion, kind, rest))).toBe(health);
  });

  test('is not for us to tell where a script decides', () => {
    expect(interpretHealth(object('flink.apache.org/v1beta1', 'FlinkDeployment'))).toBeUndefined();
  });
});

describe('hooks', () => {
  test.each([
    ['apps/v1', 'Deployment', true, true],
    ['apps/v1', 'DaemonSet', true, false],
    ['batch/v1', 'Job', false, true],
    ['batch.volcano.sh/v1alpha1', 'Job', true, false],
    ['apps.kruise.io/v1alpha1', 'AdvancedCronJob', false, false],
    ['apps.kruise.io/v1alpha1', 'CloneSet', true, true],
    ['v1', 'ConfigMap', false, false],
  ])('%s %s: health %s, replicas %s', (apiVersion, kind, health, replicas) => {
    expect(hasHealthInterpreter({ apiVersion, kind })).toBe(health);
    expect(hasReplicaRevision({ apiVersion, kind })).toBe(replicas);
  });

  const target = { apiVersion: 'example.com/v1', kind: 'Game' };

  test('a customization adds those that it has a script for', () => {
    const hooks = declaredHooks([
      object('config.karmada.io/v1alpha1', 'ResourceInterpreterCustomization', {
        spec: {
          target,
          customizations: {
            healthInterpretation: { luaScript: 'function InterpretHealth(o) return true end' },
            replicaRevision: { luaScript: '' },
          },
        },
      }),
    ]);
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
  ])('a webhook with the rule %j: %s', (rule, enabled) => {
    const hooks = declaredHooks([
      object('config.karmada.io/v1alpha1', 'ResourceInterpreterWebhookConfiguration', {
        webhooks: [{ name: 'w', rules: [rule] }],
      }),
    ]);
    expect(hasHealthInterpreter(target, hooks)).toBe(enabled);
  });
});
