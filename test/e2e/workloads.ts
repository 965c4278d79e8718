import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import type { Api } from './controlPlane/api.ts';
import { READY_AFTER } from './members/replicas.ts';

/** The API path of a kind's objects. */
export function collectionOf(apiVersion: string, kind: string, namespace?: string): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies').replace(/sss$/, 'sses');
  return `${root}${namespace ? `/namespaces/${namespace}` : ''}/${plural}`;
}

/** Creates objects through the API. */
export async function createAll(api: Api, objects: KubernetesObject[]): Promise<void> {
  for (const object of objects)
    await api.create(collectionOf(object.apiVersion, object.kind, object.metadata.namespace), object);
}

export function namespace(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** @param readyAfter when new replicas are ready, in the format of members/replicas.ts */
export function deployment(
  ns: string,
  name: string,
  replicas: number,
  readyAfter?: string,
): KubernetesObject {
  const labels = { app: name };
  const containers = [
    {
      name: 'main',
      image: 'registry.example/app:1',
      resources: { requests: { cpu: '100m', memory: '64Mi' } },
    },
  ];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace: ns,
      labels,
      ...(readyAfter ? { annotations: { [READY_AFTER]: readyAfter } } : {}),
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  } as KubernetesObject;
}

/** A PropagationPolicy for one object, named after it. */
export function policyFor(
  { apiVersion, kind, metadata: { name, namespace: ns } }: KubernetesObject,
  placement: Placement,
  more: object = {},
): KubernetesObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace: ns },
    spec: { resourceSelectors: [{ apiVersion, kind, name }], placement, ...more },
  } as KubernetesObject;
}

/** Taints a cluster NoExecute while its Ready condition has that status. */
export function taintWhileReadyIs(name: string, status: 'False' | 'Unknown', key: string): KubernetesObject {
  const condition = { conditionType: 'Ready', operator: 'In', statusValues: [status] };
  const back = { ...condition, statusValues: ['True'] };
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name },
    spec: {
      addOnConditions: [condition],
      removeOnConditions: [back],
      taints: [{ key, effect: 'NoExecute' }],
    },
  } as KubernetesObject;
}
