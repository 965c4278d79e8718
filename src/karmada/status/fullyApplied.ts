import { setCondition, type StatedCondition } from '../objects/conditions.ts';
import type { Condition } from '../api/meta.ts';
import type { AggregatedStatusItem, ResourceBindingSpec } from '../api/work.ts';
import type { Rules } from '../dialects/rules.ts';
import { entitledClusters } from '../eviction/works.ts';

/**
 * Whether all Works of the binding are applied: each of its clusters has an item, each item is applied, and there is no
 * other. A cluster with a gracefulEvictionTask counts, too; without any cluster the answer is no.
 */
function isFullyApplied(spec: ResourceBindingSpec, items: AggregatedStatusItem[], rules: Rules): boolean {
  const entitled = entitledClusters(spec, rules);
  if (entitled.size === 0 || entitled.size !== items.length) return false;
  return items.every(({ applied, clusterName }) => applied === true && entitled.has(clusterName));
}

/** The binding's conditions with FullyApplied as it is at `now` (epoch milliseconds). */
export function withFullyApplied(
  conditions: Condition[] | undefined,
  spec: ResourceBindingSpec,
  items: AggregatedStatusItem[],
  rules: Rules,
  now: number,
): Condition[] {
  const fullyApplied = isFullyApplied(spec, items, rules);
  const stated: StatedCondition = {
    type: 'FullyApplied',
    status: fullyApplied ? 'True' : 'False',
    reason: fullyApplied ? 'FullyAppliedSuccess' : 'FullyAppliedFailed',
    message: fullyApplied
      ? 'All works have been successfully applied'
      : 'Failed to apply all works, see status.aggregatedStatus for details',
  };
  return setCondition(conditions, stated, now);
}
