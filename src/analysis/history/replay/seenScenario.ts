import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { identityOf } from '../../../karmada/objects/identities.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import type { World } from '../../../karmada/world.ts';
import type { SeenChange } from '../history.ts';
import { isTold, outsideBindings, type UntoldChange } from './outsideBindings.ts';
import { outsideClusters } from './outsideClusters.ts';
import { outsideTaints } from './outsideTaints.ts';

/** Kinds that people write and that decide about placements. */
const WRITTEN = new Set([
  'PropagationPolicy',
  'ClusterPropagationPolicy',
  'ClusterTaintPolicy',
  'WorkloadRebalancer',
]);

/**
 * What happened from outside, as far as a recording shows it: clusters that join, leave or are changed, their conditions
 * (of the failure itself only the moment is known at which Karmada noticed it), taints that neither Karmada nor a
 * ClusterTaintPolicy added, policies and rebalancers that were applied or deleted, edits of templates, and health that
 * changed by itself. `untold` is what the simulation cannot be told.
 */
export function seenScenario(
  first: World,
  changes: readonly SeenChange[],
  rules: Rules,
): { events: ScenarioEvent[]; untold: UntoldChange[] } {
  const [clusters, bindings] = [outsideClusters(changes), outsideBindings(first, changes)];
  const taints = outsideTaints(first, changes, rules);
  const events = [...clusters.events, ...writtenEvents(first, changes), ...taints.events, ...bindings.events];
  const untold = [...clusters.untold, ...taints.untold, ...bindings.untold];
  return { events: events.sort(byTime), untold: untold.sort(byTime) };
}

function byTime(a: { at: number }, b: { at: number }): number {
  return a.at - b.at;
}

function writtenEvents(first: World, changes: readonly SeenChange[]): ScenarioEvent[] {
  const known = new Set(first.clusters.map(({ metadata }) => metadata.name));
  return changes.flatMap(({ at, before, after }): ScenarioEvent[] => {
    const one = (after ?? before)!;
    if (one.kind === 'Cluster' && before && after && !isLeaving(one, known))
      return conditionEvents(at, before as unknown as Cluster, after as unknown as Cluster);
    if (!WRITTEN.has(one.kind)) return [];
    if (!after) return [{ at, action: { type: 'delete', target: identityOf(one) } }];
    return isTold(before, after) ? [{ at, action: { type: 'apply', objects: [after] } }] : [];
  });
}

/** Whether a cluster that has joined since is being deleted: it may be gone from the simulation earlier than it was. */
function isLeaving({ metadata }: KubernetesObject, known: ReadonlySet<string>): boolean {
  return metadata.deletionTimestamp !== undefined && !known.has(metadata.name);
}

function conditionEvents(at: number, before: Cluster, after: Cluster): ScenarioEvent[] {
  const cluster = after.metadata.name;
  const known = new Map((before.status?.conditions ?? []).map((one) => [one.type, one]));
  return (after.status?.conditions ?? [])
    .filter(({ type, status, reason }) => {
      const old = known.get(type);
      return old?.status !== status || old.reason !== reason;
    })
    .map(({ type, status, reason, message }): ScenarioEvent => ({
      at,
      action: {
        type: 'condition',
        cluster,
        condition: { type, status, ...(reason ? { reason } : {}), ...(message ? { message } : {}) },
      },
    }));
}
