import { decodeObject } from '../../../karmada/api/decodeObject.ts';
import { apiTypes } from '../../../karmada/api/kinds.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { OverridePolicy } from '../../../karmada/api/override.ts';
import type { ClusterAffinity } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { highestPrioritySelector } from '../../../karmada/propagation/resourceSelector.ts';
import { clusterMatches } from '../../../karmada/selection/clusterAffinity.ts';
import { lazilyFor } from '../../../kubernetes/lazily.ts';
import type { Examined } from './examined.ts';

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

/** The overrides that apply to the resource of a binding. */
export function overridesFor(binding: ResourceBinding, seen: Examined): KubernetesObject[] {
  return overridesOf(seen).filter((one) => isIn(one, binding) && isSelected(one, binding));
}

/** Whether an override may apply to the namespace of a binding. */
export function isIn({ kind, metadata }: Override, binding: ResourceBinding): boolean {
  return kind !== 'OverridePolicy' || metadata.namespace === binding.metadata.namespace;
}

/**
 * Whether an override that may apply to a namespace applies to a binding's resource there, ignoring label selectors.
 */
export function isSelected({ spec }: Override, binding: ResourceBinding): boolean {
  const selectors = (spec?.resourceSelectors ?? []).filter(({ labelSelector }) => !labelSelector);
  return highestPrioritySelector(resourceOf(binding), selectors) !== undefined;
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
  return (overrideRules ?? [{ overriders, targetCluster }])
    .filter((rule) => isFor(rule.targetCluster, cluster, seen))
    .map((rule) => rule.overriders);
}
