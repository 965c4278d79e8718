import type { KubernetesObject } from '../karmada/api/meta.ts';

type Fields = Record<string, unknown>;

/**
 * A Work whose manifests keep only what they are and how many replicas they ask for. The rest makes up most of a Work,
 * decides nothing, and may be a Secret.
 */
export function slimWork(work: KubernetesObject): KubernetesObject {
  const { spec } = work as { spec?: { workload?: { manifests?: unknown } } };
  const manifests = spec?.workload?.manifests;
  if (!Array.isArray(manifests)) return work;
  const slim = manifests.map((manifest: Fields | null) => {
    const { apiVersion, kind } = manifest ?? {};
    const { name, namespace, labels } = (manifest?.metadata ?? {}) as Fields;
    const replicas = (manifest?.spec as Fields | null | undefined)?.replicas;
    return {
      ...given({ apiVersion, kind }),
      metadata: given({ name, namespace, labels }),
      ...(replicas === undefined ? {} : { spec: { replicas } }),
    };
  });
  return { ...work, spec: { ...spec, workload: { ...spec?.workload, manifests: slim } } } as KubernetesObject;
}

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
