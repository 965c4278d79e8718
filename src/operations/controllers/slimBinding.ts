import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { APPLIED_PLACEMENT_ANNOTATION, EVICTION_QUEUED_CONDITION } from '../../karmada/api/names.ts';

const BINDINGS = new Set(['ResourceBinding', 'ClusterResourceBinding']);

/**
 * A binding as controllers cache it: without fields that they neither read nor write, since there may be a hundred
 * thousand. Writes are merge patches of the changes, so nothing is lost. Other objects stay unchanged.
 *
 * @param keepsStatus state preservation reads members' reports
 */
export function slimBinding(object: KubernetesObject, keepsStatus: boolean): KubernetesObject {
  if (!BINDINGS.has(object.kind)) return object;
  const { apiVersion, kind, metadata, spec, status } = object as ResourceBinding & KubernetesObject;
  const { labels: _labels, annotations, ownerReferences: _owners, finalizers: _ends, ...named } = metadata;
  const applied = annotations?.[APPLIED_PLACEMENT_ANNOTATION];
  const { replicaRequirements: _requirements, components: _components, requiredBy: _by, ...decides } = spec;
  const slim: ResourceBinding = {
    apiVersion,
    kind,
    metadata: {
      ...named,
      ...(applied !== undefined && { annotations: { [APPLIED_PLACEMENT_ANNOTATION]: applied } }),
    },
    spec: decides,
  };
  if (status) {
    const { conditions, aggregatedStatus, ...others } = status;
    slim.status = { ...others };
    // an earlier process may have left the condition; hardly any binding has it
    const queued = conditions?.filter(({ type }) => type === EVICTION_QUEUED_CONDITION) ?? [];
    if (queued.length > 0) slim.status.conditions = queued;
    if (aggregatedStatus)
      slim.status.aggregatedStatus = keepsStatus
        ? aggregatedStatus
        : aggregatedStatus.map(({ status: _status, appliedMessage: _message, ...item }) => item);
  }
  return slim as KubernetesObject;
}
