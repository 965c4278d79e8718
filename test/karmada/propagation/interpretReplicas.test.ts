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

describe('the replicas of a workload', () => {
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
  ])('are read from %s %s %j: %d', (apiVersion, kind, spec, expected) => {
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
  ])('are read from a simple script, else taken from the binding: %j', (luaScript, replicas) => {
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

  test('are taken from the binding as an estimate if a customization reads them', () => {
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

  test('are taken from the binding if there are several pod templates', () => {
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

describe('the requirements of a replica', () => {
  const container = (requests: object, limits: object = {}) =>
    ({ resources: { requests, limits } }) as { resources: { requests: Record<string, string> } };

  test('are absent if its containers request nothing', () => {
    expect(podRequirements(undefined)).toBeUndefined();
    expect(podRequirements({ containers: [{}] })).toBeUndefined();
  });

  test('are the sum of its containers, with limits in place of missing requests', () => {
    const containers = [container({ cpu: '250m' }, { cpu: '1', memory: '1Gi' }), container({ cpu: '0.5' })];
    expect(podRequirements({ containers })).toEqual({ resourceRequest: { cpu: '750m', memory: '1Gi' } });
  });

  test('include a larger init container and the overhead', () => {
    const containers = [container({ cpu: '1', memory: '1Gi' })];
    const initContainers = [container({ cpu: '2' }), container({ memory: '512Mi' })];
    expect(podRequirements({ containers, initContainers, overhead: { cpu: '100m' } })).toEqual({
      resourceRequest: { cpu: '2100m', memory: '1Gi' },
    });
  });

  test('include scalar resources, rounded up to whole units', () => {
    const requests = { 'nvidia.com/gpu': '1500m', 'hugepages-2Mi': '4Mi', watts: '5' };
    expect(podRequirements({ containers: [container(requests)] })).toEqual({
      resourceRequest: { 'nvidia.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
    });
  });

  test('include its node selector, tolerations and node affinity', () => {
    const hardNodeAffinity = { nodeSelectorTerms: [] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: hardNodeAffinity } };
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    expect(podRequirements({ nodeSelector: { disk: 'ssd' }, tolerations, affinity })).toEqual({
      nodeClaim: { nodeSelector: { disk: 'ssd' }, tolerations, hardNodeAffinity },
    });
  });

  test('include its priority class and namespace with the gate ResourceQuotaEstimate', () => {
    const template = { spec: { containers: [container({ cpu: '1' })], priorityClassName: 'high' } };
    const deployment = workload('apps/v1', 'Deployment', { replicas: 1, template });
    expect(
      interpretReplicas(deployment, { customizations: [], ResourceQuotaEstimate: true }).replicaRequirements,
    ).toEqual({ resourceRequest: { cpu: '1' }, priorityClassName: 'high', namespace: 'shop' });
  });
});

describe('the replicas of a workload by version', () => {
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
  ])('in %s, a %s %s with %j: %d', (version, apiVersion, kind, spec, expected) => {
    const { dialect } = dialectOf(version);
    expect(
      interpretReplicas(workload(apiVersion, kind, spec), { customizations: [] }, dialect).replicas,
    ).toBe(expected);
  });

  test('v1.16 has no script that sums the pod templates of a RayService', () => {
    const inputs = { customizations: [], known: { replicas: 4 } };
    const service = workload('ray.io/v1', 'RayService', {});
    expect(interpretReplicas(service, inputs, dialectOf('v1.16.8').dialect)).toEqual({ replicas: 0 });
    expect(interpretReplicas(service, inputs, dialectOf('v1.17.0').dialect).replicas).toBe(4);
  });
});
