import type { ResourceBindingSpec } from '../api/work.ts';
import { rfc3339 } from '../../kubernetes/time.ts';

/**
 * The spec with an eviction from a cluster noted in its activeEvictionHistory: one entry for each cluster, with the
 * newest eviction (Application failover mechanism).
 *
 * @param now epoch milliseconds
 */
export function noteEviction(spec: ResourceBindingSpec, cluster: string, now: number): ResourceBindingSpec {
  const others = (spec.activeEvictionHistory ?? []).filter(({ clusterName }) => clusterName !== cluster);
  const entry = { clusterName: cluster, creationTimestamp: rfc3339(now) };
  return { ...spec, activeEvictionHistory: [...others, entry] };
}

/** The spec without the history of clusters, so that the scheduler leaves it there; the same spec if it has none. */
export function forgetEvictions(
  spec: ResourceBindingSpec,
  clusters: ReadonlySet<string>,
): ResourceBindingSpec {
  const history = spec.activeEvictionHistory;
  const kept = history?.filter(({ clusterName }) => !clusters.has(clusterName));
  return kept?.length === history?.length ? spec : { ...spec, activeEvictionHistory: kept };
}
