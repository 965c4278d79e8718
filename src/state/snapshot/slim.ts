import type { KubernetesObject } from '../../karmada/api/meta.ts';

type Fields = Record<string, unknown>;

/** The fields of a spec with the desired counts. */
const COUNTS = ['replicas', 'parallelism', 'completions'] as const;
/** The fields of a pod that determine where it may run and what it needs. */
const OF_PODS = ['nodeSelector', 'tolerations', 'affinity', 'overhead', 'priorityClassName'];

/**
 * A resource template with only the parts of its spec that the interpreter reads: replicas, and the requirements of
 * each.
 */
export function slimTemplate(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, spec } = object as KubernetesObject & { spec?: Fields | null };
  const slim = { apiVersion, kind, metadata };
  if (typeof spec !== 'object' || spec === null) return slim;
  const { template } = spec as { template?: { spec?: Fields | null } | null };
  const ofTemplate = template?.spec ? { template: { spec: slimPod(template.spec) } } : {};
  return { ...slim, spec: { ...picked(spec, COUNTS), ...slimPod(spec), ...ofTemplate } } as KubernetesObject;
}

function slimPod(spec: Fields): Fields {
  const containers = ['containers', 'initContainers'].flatMap((field) => {
    const list = spec[field];
    if (!Array.isArray(list)) return [];
    return [[field, list.map((container: Fields | null) => picked(container ?? {}, ['name', 'resources']))]];
  });
  return { ...picked(spec, OF_PODS), ...Object.fromEntries(containers) } as Fields;
}

function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}

/**
 * A Work whose manifests keep only their identity and their replicas. The rest makes up most of a Work, affects no
 * decision, and may be a Secret.
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
