import type { AggregatedStatusItem, ResourceBinding, ResourceHealth } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';

/** The progress of an evicted copy's replacement. */
export interface Replacement {
  /** whether the scheduler has processed the current spec; until then, health is meaningless */
  scheduled: boolean;
  /** whether it is healthy on all of spec.clusters; if spec.clusters is empty, the version decides */
  healthy(): boolean;
  /** whether the scheduling result has a cluster */
  has(cluster: string): boolean;
}

/**
 * The replacement according to the binding's status, however old. Versions that reconcile only scheduled bindings treat
 * every binding that they reconcile as scheduled.
 */
export function replacementOf(binding: ResourceBinding, { eviction }: Rules): Replacement {
  let healthy: boolean | undefined;
  let placed: Set<string> | undefined;
  return {
    scheduled: eviction.taskAssessment === 'scheduledBindings' || isScheduled(binding),
    healthy: () => (healthy ??= isHealthy(binding, eviction.emptyResult)),
    has: (cluster) => (placed ??= new Set(binding.spec.clusters?.map(({ name }) => name))).has(cluster),
  };
}

/** Whether the scheduler's last success was with the current spec. */
export function isScheduled({ metadata, status }: ResourceBinding): boolean {
  return (status?.schedulerObservedGeneration ?? 0) === (metadata.generation ?? 0);
}

function isHealthy(binding: ResourceBinding, emptyResult: Rules['eviction']['emptyResult']): boolean {
  if (emptyResult === 'unscheduled' && !binding.spec.clusters?.length) return false;
  return unhealthyTargets(binding).length === 0;
}

/** The clusters in spec.clusters that have not reported it Healthy, with the health that they reported. */
export function unhealthyTargets({
  spec,
  status,
}: ResourceBinding): { cluster: string; health?: ResourceHealth }[] {
  const reported = firstHealths(status?.aggregatedStatus ?? []);
  return (spec.clusters ?? [])
    .map(({ name }) => ({ cluster: name, health: reported.get(name) }))
    .filter(({ health }) => health !== 'Healthy');
}

/** By cluster. If a cluster is listed twice, the first item counts. */
function firstHealths(
  aggregatedStatus: readonly AggregatedStatusItem[],
): Map<string, ResourceHealth | undefined> {
  const healths = new Map<string, ResourceHealth | undefined>();
  for (const { clusterName, health } of aggregatedStatus)
    if (!healths.has(clusterName)) healths.set(clusterName, health);
  return healths;
}
