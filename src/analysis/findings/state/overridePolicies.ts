import { decodeObject } from '../../../karmada/api/decodeObject.ts';
import { apiTypes } from '../../../karmada/api/kinds.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { OverridePolicy } from '../../../karmada/api/override.ts';
import type { ClusterAffinity } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { highestPrioritySelector } from '../../../karmada/propagation/resourceSelector.ts';
import { clusterMatches } from '../../../karmada/selection/clusterAffinity.ts';
import { lazilyFor } from '../../../kubernetes/lazily.ts';
import { groupedBy } from '../../../kubernetes/nonEmpty.ts';
import type { Examined } from './examined.ts';

/** A policy of either kind that Karmada can read. */
export type Override = OverridePolicy & {
  apiVersion: string;
  kind: 'OverridePolicy' | 'ClusterOverridePolicy';
};

/** Paths of the replicas of workloads. */
export const REPLICA_PATHS: ReadonlySet<string> = new Set(['/spec/replicas', '/spec/parallelism']);

/** The overrides of a state that Karmada can read. */
export const overridesOf: (seen: Examined) => readonly Override[] = lazilyFor((seen) => {
  const types = apiTypes(seen.configuration.rules);
  return (['OverridePolicy', 'ClusterOverridePolicy'] as const).flatMap((kind) =>
    seen.ofKind(kind).flatMap((object) => {
      const decoded = decodeObject(kind, object, types);
      return 'value' in decoded ? [{ ...decoded.value, apiVersion: object.apiVersion, kind }] : [];
    }),
  );
});

/** The bindings in question whose resource has the kind and the name in a selector of an override; all without one. */
export function namedBindings({ spec }: Override, seen: Examined): readonly ResourceBinding[] {
  const { byKind, byName } = indexed(seen);
  const selectors = spec?.resourceSelectors ?? [];
  if (selectors.length === 0) return seen.bindings;
  const named = selectors.flatMap(
    ({ kind, name }) => (name ? byName.get(`${kind} ${name}`) : byKind.get(kind)) ?? [],
  );
  return [...new Set(named)];
}

const indexed = lazilyFor(({ bindings }: Examined) => ({
  byKind: groupedBy(bindings, ({ spec: { resource } }) => resource.kind),
  byName: groupedBy(bindings, ({ spec: { resource } }) => `${resource.kind} ${resource.name}`),
}));

/** The bindings in question whose resource an override changes, on any cluster. */
export function overriddenBindings(override: Override, seen: Examined): readonly ResourceBinding[] {
  return overridden(seen).get(override) ?? [];
}

const overridden = lazilyFor((seen: Examined) => {
  const changed = (override: Override) =>
    namedBindings(override, seen).filter((one) => isSelected(override, one));
  return new Map(overridesOf(seen).map((override) => [override, changed(override)]));
});

/** The overrides that apply to the resource of a binding in question. */
export function overridesFor(binding: ResourceBinding, seen: Examined): readonly Override[] {
  return applying(seen).get(binding) ?? [];
}

const applying = lazilyFor((seen: Examined) => {
  const found = new Map<ResourceBinding, Override[]>();
  for (const [override, bindings] of overridden(seen))
    for (const binding of bindings) getOrAdd(found, binding, () => []).push(override);
  return found;
});

/**
 * Whether an override applies to the resource of a binding: without resourceSelectors to each one in its scope (v1.18,
 * overridemanager). Selectors with labels are ignored: a binding lacks the labels of its resource.
 */
function isSelected({ kind, metadata, spec }: Override, binding: ResourceBinding): boolean {
  if (kind === 'OverridePolicy' && metadata.namespace !== binding.metadata.namespace) return false;
  const selectors = spec?.resourceSelectors ?? [];
  if (selectors.length === 0) return true;
  const byName = selectors.filter(({ labelSelector }) => !labelSelector);
  return highestPrioritySelector(resourceOf(binding), byName) !== undefined;
}

/** The resource that a binding refers to, without its labels. */
export function resourceOf({ spec: { resource } }: ResourceBinding): KubernetesObject {
  const { apiVersion, kind, namespace, name } = resource;
  return { apiVersion, kind, metadata: { ...(namespace && { namespace }), name } };
}

/** Whether a rule is for a cluster. */
export function isFor(target: ClusterAffinity | undefined, name: string, seen: Examined): boolean {
  if (!target) return true;
  const cluster = seen.clusters().get(name);
  return cluster !== undefined && clusterMatches(cluster, target, seen.configuration.rules.scheduling);
}

/** The overriders of an override for a cluster, one for each of its rules. */
export function overridersFor({ spec = {} }: Override, cluster: string, seen: Examined): unknown[] {
  const { overrideRules, overriders, targetCluster } = spec;
  return (overrideRules?.length ? overrideRules : [{ overriders, targetCluster }])
    .filter((rule) => isFor(rule.targetCluster, cluster, seen))
    .map((rule) => rule.overriders);
}
