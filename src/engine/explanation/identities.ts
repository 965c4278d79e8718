import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';

/** A binding as it is named in answers. */
export function bindingIdentity({ kind, metadata }: ResourceBinding): ObjectIdentity {
  const { namespace, name } = metadata;
  return namespace
    ? { kind: kind ?? 'ResourceBinding', namespace, name }
    : { kind: kind ?? 'ClusterResourceBinding', name };
}

/** The workload that a binding is for, with its group and version. */
export function workloadIdentity({ spec }: ResourceBinding): ObjectIdentity & { apiVersion: string } {
  const { apiVersion, kind, namespace, name } = spec.resource;
  return namespace ? { apiVersion, kind, namespace, name } : { apiVersion, kind, name };
}
