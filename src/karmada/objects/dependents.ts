import { unmarshal } from '../../kubernetes/goJson.ts';
import type { ObjectIdentity } from '../api/meta.ts';
import { DEPENDENCIES_ANNOTATION } from '../api/names.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../api/work.ts';
import { claimOf } from './claims.ts';
import { bindingIdentity, bindingKey, objectKey, snapshotKey, workloadIdentity } from './identities.ts';

/** An object that is propagated because the workload needs it. */
interface Dependent {
  workload: ObjectIdentity & { apiVersion: string };
  binding: ObjectIdentity;
  /** the clusters on which its own policy places it: there it stays, whatever the workload does */
  ownClusters: TargetCluster[];
}

/** The dependencies of a workload: those that follow it, and those that do not. */
export interface Dependencies {
  /** spec.propagateDeps: without it nothing follows */
  propagateDeps: boolean;
  /** follow at once, without an eviction task: their old copies go before the workload's does */
  follow: Dependent[];
  /** dependencies that the state has no binding for */
  missing: ObjectIdentity[];
  /** workloads that need this one: it follows them, too */
  requiredBy: ObjectIdentity[];
}

/** Reads who depends on whom from spec.requiredBy and the dependencies annotation. */
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

/** The bindings that require one. */
export function requiringBindings({ spec: { requiredBy = [] } }: ResourceBinding): ObjectIdentity[] {
  return requiredBy.map(({ namespace, name }) => ({
    kind: namespace ? 'ResourceBinding' : 'ClusterResourceBinding',
    ...(namespace ? { namespace } : {}),
    name,
  }));
}

/** Whether a binding is attached: it follows the bindings that require it, and no scheduler looks at it. */
export function isAttached({
  requiredBy,
  placement,
}: Pick<ResourceBindingSpec, 'requiredBy' | 'placement'>): boolean {
  return requiredBy !== undefined && requiredBy.length > 0 && !placement;
}

/**
 * When (RFC 3339) it was last decided where the Works of a binding are: by its own scheduling, or that of one which it follows.
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

/** An object that a template needs beside it. */
export interface DependentReference {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
}

/** The objects that a binding with propagateDeps has recorded as needed, in its namespace, by `objectKey`. */
export function neededBy(binding: ResourceBinding | undefined): string[] {
  if (!binding?.spec.propagateDeps) return [];
  const { namespace } = binding.metadata;
  return recordedDependencies(binding).map(({ kind, name }) =>
    objectKey({ kind, ...(namespace && { namespace }), name }),
  );
}

/** The dependencies that Karmada recorded on a binding; those named by a selector are left out. */
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
  /** `takesAlong`: dependents that follow it; `leavesBehind`: objects that it needs and that stay behind */
  of(binding: ResourceBinding): { takesAlong: ObjectIdentity[]; leavesBehind: ObjectIdentity[] };
  /** attached bindings: they have no placement of their own and follow others */
  readonly attached: readonly ResourceBinding[];
}

/**
 * Indexes `spec.requiredBy`. A workload leaves behind a dependency without a binding, and all of them if propagateDeps
 * is off. One with a policy of its own follows as well: its Works follow, whatever its own placement keeps elsewhere.
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
