import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { COUNTS } from './slimTemplate.ts';

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
    const spec = (manifest?.spec ?? {}) as Fields;
    const counts = given(Object.fromEntries(COUNTS.map((name) => [name, spec[name]])));
    return {
      ...given({ apiVersion, kind }),
      metadata: given({ name, namespace, labels }),
      ...(Object.keys(counts).length > 0 ? { spec: counts } : {}),
    };
  });
  return { ...work, spec: { ...spec, workload: { ...spec?.workload, manifests: slim } } } as KubernetesObject;
}

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
