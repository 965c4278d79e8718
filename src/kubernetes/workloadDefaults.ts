interface Workload {
  apiVersion?: string;
  kind?: string;
  spec?: { replicas?: number | null; parallelism?: number | null; completions?: number | null } | null;
}

/**
 * A workload from a file with the API server's defaults: one replica; for a Job parallelism 1, and completions 1 if it
 * sets neither. Returns other objects unchanged.
 */
export function defaultWorkload<Object extends object>(object: Object): Object {
  const { apiVersion, kind = '', spec: written } = object as Workload;
  const spec = written ?? {};
  if (apiVersion === 'apps/v1' && ['Deployment', 'ReplicaSet', 'StatefulSet'].includes(kind))
    return { ...object, spec: { ...spec, replicas: spec.replicas ?? 1 } };
  if (apiVersion !== 'batch/v1' || kind !== 'Job') return object;
  const completions = spec.completions ?? (spec.parallelism == null ? 1 : undefined);
  return {
    ...object,
    spec: { ...spec, parallelism: spec.parallelism ?? 1, ...(completions !== undefined && { completions }) },
  };
}
