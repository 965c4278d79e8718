import { unmarshal } from '../../kubernetes/goJson.ts';
import type { ObjectIdentity } from '../api/meta.ts';
import { DEPENDENCIES_ANNOTATION } from '../api/names.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../api/work.ts';
import { claimOf } from './claims.ts';
import { bindingIdentity, bindingKey, objectKey, snapshotKey, workloadIdentity } from './identities.ts';

/** An object that is propagated because a workload needs it. */
interface Dependent {
  workload: ObjectIdentity & { apiVersion: string };
  binding: ObjectIdentity;
  /** the clusters where its own policy places it: it stays there wherever the workload goes */
  ownClusters: TargetCluster[];
}

/** A workload's dependencies: those that follow it, and the others. */
export interface Dependencies {
  /** spec.propagateDeps: without it no dependency follows */
  propagateDeps: boolean;
  /** follow at once, without an eviction task: their old copies are deleted before the workload's */
  follow: Dependent[];
  /** dependencies without a binding in the state */
  missing: ObjectIdentity[];
  /** workloads that need this one: it follows them, too */
  requiredBy: ObjectIdentity[];
}

/** Reads dependencies from spec.requiredBy and the dependencies annotation. */
export function dependenciesOf(binding: ResourceBinding, bindings: ResourceBinding[]): Dependencies {
  const { metadata, spec } = binding;
  const dependents = bindings.filter(({ spec: { requiredBy = [] } }) =>
    requiredBy.some(
      ({ namespace, name }) => name === metadata.name && (namespace ?? '') === (metadata.namespace ?? ''),
    ),
  );
  const follow = dependents.map((dependent): Dependent => ({
    workload: workloadIdentity(dependent),
    binding: bindingIdentity(dependent),
    ownClusters: claimOf(dependent.metadata) ? (dependent.spec.clusters ?? []) : [],
  }));
  const isBound = ({ kind, namespace, name }: ObjectIdentity) =>
    follow.some(
      ({ workload }) =>
        workload.kind === kind && workload.name === name && (workload.namespace ?? '') === (namespace ?? ''),
    );
  return {
    propagateDeps: spec.propagateDeps ?? false,
    follow,
    missing: spec.propagateDeps
      ? recordedDependencies(binding)
          .filter((one) => !isBound(one))
          .map(({ kind, namespace, name }) => ({ kind, ...(namespace && { namespace }), name }))
      : [],
    requiredBy: requiringBindings(binding),
  };
}

/** The bindings that require another one. */
export function requiringBindings({ spec: { requiredBy = [] } }: ResourceBinding): ObjectIdentity[] {
  return requiredBy.map(({ namespace, name }) => ({
    kind: namespace ? 'ResourceBinding' : 'ClusterResourceBinding',
    ...(namespace ? { namespace } : {}),
    name,
  }));
}

/** Whether a binding is attached: it follows the bindings that require it, and the scheduler ignores it. */
export function isAttached({
  requiredBy,
  placement,
}: Pick<ResourceBindingSpec, 'requiredBy' | 'placement'>): boolean {
  return requiredBy !== undefined && requiredBy.length > 0 && !placement;
}

/**
 * When (RFC 3339) the clusters of a binding's Works were last decided: by its own scheduling, or that of a parent.
 *
 * @param get a binding by key
 */
export function lastScheduled(
  { spec: { requiredBy = [] }, status }: ResourceBinding,
  get: (key: string) => ResourceBinding | undefined,
): string | undefined {
  const all = [status, ...requiredBy.map((parent) => get(snapshotKey(parent))?.status)];
  return all
    .flatMap((one) => one?.lastScheduledTime ?? [])
    .sort()
    .at(-1);
}

export interface DependentReference {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
}

/** The objects that a binding with propagateDeps has recorded as dependencies, in its namespace, by `objectKey`. */
export function neededBy(binding: ResourceBinding | undefined): string[] {
  if (!binding?.spec.propagateDeps) return [];
  const { namespace } = binding.metadata;
  return recordedDependencies(binding).map(({ kind, name }) =>
    objectKey({ kind, ...(namespace && { namespace }), name }),
  );
}

/** The dependencies that Karmada recorded on a binding, without those given by a selector. */
export function recordedDependencies({ metadata }: ResourceBinding): DependentReference[] {
  const text = metadata.annotations?.[DEPENDENCIES_ANNOTATION];
  const parsed = text ? unmarshal(text) : undefined;
  if (!parsed || 'error' in parsed || !Array.isArray(parsed.value)) return [];
  return (parsed.value as Partial<DependentReference>[]).flatMap(({ apiVersion, kind, namespace, name }) =>
    kind && name ? [{ apiVersion: apiVersion ?? '', kind, ...(namespace && { namespace }), name }] : [],
  );
}

/** An index of the dependents of many bindings. */
export interface DependencyIndex {
  /** `takesAlong`: dependents that follow it; `leavesBehind`: objects that it needs but that stay */
  of(binding: ResourceBinding): { takesAlong: ObjectIdentity[]; leavesBehind: ObjectIdentity[] };
  /** attached bindings: they have no placement of their own and follow others */
  readonly attached: readonly ResourceBinding[];
}

/**
 * Indexes `spec.requiredBy`. A dependency without a binding does not follow the workload, and none does if
 * propagateDeps is off. One with its own policy follows too: its Works follow, in addition to those of its own
 * placement.
 */
export function dependencyIndex(bindings: readonly ResourceBinding[]): DependencyIndex {
  const byParent = new Map<string, ResourceBinding[]>();
  const attached: ResourceBinding[] = [];
  for (const binding of bindings) {
    if (isAttached(binding.spec)) attached.push(binding);
    for (const parent of binding.spec.requiredBy ?? []) {
      const key = snapshotKey(parent);
      const dependents = byParent.get(key);
      if (dependents) dependents.push(binding);
      else byParent.set(key, [binding]);
    }
  }
  return {
    attached,
    of(binding) {
      const dependents = byParent.get(bindingKey(binding));
      if (!dependents && !binding.spec.propagateDeps) return { takesAlong: [], leavesBehind: [] };
      const { follow, missing, propagateDeps } = dependenciesOf(binding, dependents ?? []);
      const names = follow.map(({ workload: { kind, namespace, name } }) => ({
        kind,
        ...(namespace ? { namespace } : {}),
        name,
      }));
      return propagateDeps
        ? { takesAlong: names, leavesBehind: missing }
        : { takesAlong: [], leavesBehind: names };
    },
  };
}
