import type { ResourceBindingSpec } from '../api/work.ts';

/** Whether a binding is for an object with replicas or components, unlike a ConfigMap or a Service. */
export function isWorkload(spec: ResourceBindingSpec): boolean {
  return (spec.replicas ?? 0) > 0 || spec.replicaRequirements != null || (spec.components?.length ?? 0) > 0;
}
