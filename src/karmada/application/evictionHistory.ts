import type { ResourceBindingSpec } from '../api/work.ts';
import { rfc3339 } from '../../kubernetes/time.ts';

/**
 * The spec with an eviction from a cluster recorded in its activeEvictionHistory: one entry per cluster, with the
 * latest eviction (Application failover mechanism).
 *
 * @param now epoch milliseconds
 */
export function recordEviction(spec: ResourceBindingSpec, cluster: string, now: number): ResourceBindingSpec {
  const others = (spec.activeEvictionHistory ?? []).filter(({ clusterName }) => clusterName !== cluster);
  const entry = { clusterName: cluster, creationTimestamp: rfc3339(now) };
  return { ...spec, activeEvictionHistory: [...others, entry] };
}

/**
 * The spec without these clusters in its history, so that its workload may stay there; the same spec if it contains
 * none.
 */
export function forgetEvictions(
  spec: ResourceBindingSpec,
  clusters: ReadonlySet<string>,
): ResourceBindingSpec {
  const history = spec.activeEvictionHistory;
  const kept = history?.filter(({ clusterName }) => !clusters.has(clusterName));
  return kept?.length === history?.length ? spec : { ...spec, activeEvictionHistory: kept };
}
