import { describe, expect, test } from '@jest/globals';
import {
  interpretReplicas as interpret,
  readsReplicas,
  podRequirements,
} from '../../../src/karmada/propagation/interpretReplicas.ts';
import { slimTemplate } from '../../../src/state/snapshot/slim.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';

type Inputs = Omit<Parameters<typeof interpret>[1], 'rules'>;
const interpretReplicas = (template: Parameters<typeof interpret>[0], inputs: Inputs, { rules } = v1_18) =>
  interpret(template, { ...inputs, rules });

const workload = (apiVersion: string, kind: string, spec: object) => ({
  apiVersion,
  kind,
  metadata: { name: 'w', namespace: 'shop' },
  spec,
});
const replicas = (apiVersion: string, kind: string, spec: object) =>
  interpretReplicas(workload(apiVersion, kind, spec), { customizations: [] }).replicas;

describe('replicas', () => {
  test.each([
    ['apps/v1', 'Deployment', { replicas: 3 }, 3],
    ['apps/v1', 'Deployment', {}, 0],
    ['apps/v1', 'StatefulSet', { replicas: 2 }, 2],
    ['apps/v1', 'ReplicaSet', { replicas: 2 }, 2],
    ['batch/v1', 'Job', { parallelism: 4 }, 4],
    ['batch/v1', 'Job', { parallelism: 4, completions: 2 }, 2],
    ['v1', 'Pod', {}, 1],
    ['apps.kruise.io/v1alpha1', 'CloneSet', { replicas: 3 }, 3],
    ['apps.kruise.io/v1alpha1', 'BroadcastJob', {}, 1],
    ['kubeflow.org/v1', 'Notebook', {}, 1],
    ['batch/v1', 'CronJob', { replicas: 3 }, 0],
    ['v1', 'ConfigMap', {}, 0],
  ])('%s %s %j: %d', (apiVersion, kind, spec, expected) => {
    expect(replicas(apiVersion, kind, spec)).toBe(expected);
    // the part kept by snapshots and recordings suffices
    const template = workload(apiVersion, kind, spec);
    const kept = readsReplicas(template, []) ? slimTemplate(template) : { ...template, spec: undefined };
    expect(interpretReplicas(kept, { customizations: [] }).replicas).toBe(expected);
  });

  test.each([
    ['function GetReplicas(obj)\n  return obj.spec.replicas, nil\nend', 7],
    ['function GetReplicas(o)\n  local n = o.spec.size.count\n  return n, nil\nend', 3],
    // scripts that do more than return a field run in Karmada only
    ['function GetReplicas(obj)\n  return obj.spec.replicas + 1, nil\nend', 4],
    ['function GetReplicas(obj)\n  if obj.spec.on then return 1 end\n  return obj.spec.replicas\nend', 4],
  ])('of a kind whose script is %j', (luaScript, replicas) => {
    const customization = {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name: 'queues' },
      spec: {
        target: { apiVersion: 'example.com/v1', kind: 'Queue' },
        customizations: { replicaResource: { luaScript } },
      },
    };
    const queue = workload('example.com/v1', 'Queue', { replicas: 7, size: { count: 3 } });
    const read = interpretReplicas(queue, { customizations: [customization], known: { replicas: 4 } });
    expect(read).toMatchObject({ replicas, evidence: { certainty: 'estimate' } });
  });

  test('of a kind that a customization reads are those of the binding, and said to be an estimate', () => {
    const customization = {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name: 'double' },
      spec: {
        target: { apiVersion: 'apps/v1', kind: 'Deployment' },
        customizations: { replicaResource: { luaScript: '…' } },
      },
    };
    const deployment = workload('apps/v1', 'Deployment', { replicas: 3 });
    const inputs = { customizations: [customization] };
    expect(interpretReplicas(deployment, { ...inputs, known: { replicas: 6 } })).toMatchObject({
      replicas: 6,
      evidence: { certainty: 'estimate', object: { name: 'double' } },
    });
    expect(interpretReplicas(deployment, inputs)).toMatchObject({ replicas: 3, evidence: {} });
  });

  test('of several pod templates are those of the binding', () => {
    const flink = workload('flink.apache.org/v1beta1', 'FlinkDeployment', {});
    expect(interpretReplicas(flink, { customizations: [], known: { replicas: 4 } })).toMatchObject({
      replicas: 4,
      evidence: { certainty: 'estimate' },
    });
    const components = [{ name: 'jobmanager', replicas: 1 }];
    const inputs = {
      customizations: [],
      known: { replicas: 4, components },
      MultiplePodTemplatesScheduling: true,
    };
    expect(interpretReplicas(flink, inputs)).toMatchObject({ replicas: 0, components });
  });
});

describe('what a replica needs', () => {
  const container = (requests: object, limits: object = {}) =>
    ({ resources: { requests, limits } }) as { resources: { requests: Record<string, string> } };

  test('is nothing in particular', () => {
    expect(podRequirements(undefined)).toBeUndefined();
    expect(podRequirements({ containers: [{}] })).toBeUndefined();
  });

  test('is the sum of its containers, limits where there is no request', () => {
    const containers = [container({ cpu: '250m' }, { cpu: '1', memory: '1Gi' }), container({ cpu: '0.5' })];
    expect(podRequirements({ containers })).toEqual({ resourceRequest: { cpu: '750m', memory: '1Gi' } });
  });

  test('is the largest init container if that is more, and the overhead', () => {
    const containers = [container({ cpu: '1', memory: '1Gi' })];
    const initContainers = [container({ cpu: '2' }), container({ memory: '512Mi' })];
    expect(podRequirements({ containers, initContainers, overhead: { cpu: '100m' } })).toEqual({
      resourceRequest: { cpu: '2100m', memory: '1Gi' },
    });
  });

  test('counts scalar resources, and rounds up to whole ones', () => {
    const requests = { 'nvidia.com/gpu': '1500m', 'hugepages-2Mi': '4Mi', watts: '5' };
    expect(podRequirements({ containers: [container(requests)] })).toEqual({
      resourceRequest: { 'nvidia.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
    });
  });

  test('includes where it may run', () => {
    const hardNodeAffinity = { nodeSelectorTerms: [] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: hardNodeAffinity } };
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    expect(podRequirements({ nodeSelector: { disk: 'ssd' }, tolerations, affinity })).toEqual({
      nodeClaim: { nodeSelector: { disk: 'ssd' }, tolerations, hardNodeAffinity },
    });
  });

  test('includes priority class and namespace with ResourceQuotaEstimate', () => {
    const template = { spec: { containers: [container({ cpu: '1' })], priorityClassName: 'high' } };
    const deployment = workload('apps/v1', 'Deployment', { replicas: 1, template });
    expect(
      interpretReplicas(deployment, { customizations: [], ResourceQuotaEstimate: true }).replicaRequirements,
    ).toEqual({ resourceRequest: { cpu: '1' }, priorityClassName: 'high', namespace: 'shop' });
  });
});

describe('in other versions', () => {
  test.each([
    ['v1.10.1', 'batch/v1', 'Job', { parallelism: 4, completions: 2 }, 4],
    ['v1.10.2', 'batch/v1', 'Job', { parallelism: 4, completions: 2 }, 2],
    ['v1.15.9', 'apps/v1', 'ReplicaSet', { replicas: 2 }, 0],
    ['v1.16.0', 'apps/v1', 'ReplicaSet', { replicas: 2 }, 2],
    ['v1.14.10', 'apps.kruise.io/v1alpha1', 'UnitedDeployment', { replicas: 2 }, 0],
    ['v1.15.0', 'apps.kruise.io/v1alpha1', 'UnitedDeployment', { replicas: 2 }, 2],
    ['v1.10.0', 'apps.kruise.io/v1alpha1', 'CloneSet', { replicas: 2 }, 2],
    ['v1.10.0', 'apps/v1', 'Deployment', { replicas: 2 }, 2],
    ['v1.10.0', 'v1', 'Pod', {}, 1],
  ])('%s reads of a %s %s %j: %d', (version, apiVersion, kind, spec, expected) => {
    const { dialect } = dialectOf(version);
    expect(
      interpretReplicas(workload(apiVersion, kind, spec), { customizations: [] }, dialect).replicas,
    ).toBe(expected);
  });

  test('a script that adds up pod templates is not there before its version', () => {
    const inputs = { customizations: [], known: { replicas: 4 } };
    const service = workload('ray.io/v1', 'RayService', {});
    expect(interpretReplicas(service, inputs, dialectOf('v1.16.8').dialect)).toEqual({ replicas: 0 });
    expect(interpretReplicas(service, inputs, dialectOf('v1.17.0').dialect).replicas).toBe(4);
  });
});
