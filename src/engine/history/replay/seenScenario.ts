import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Taint } from '../../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import { sameTaint } from '../../objects/sameTaint.ts';
import { identityOf } from '../../objects/identities.ts';
import type { ScenarioEvent } from '../../scenario.ts';
import type { World } from '../../world.ts';
import type { SeenChange } from '../history.ts';
import { conditionsMatch } from '../../taints/matchConditions.ts';
import { listedTaints } from '../../taints/policyFields.ts';
import { CONTROLLER_MANAGER, taintsWriter } from '../taintWriters.ts';
import { isTold, outsideBindings, type UntoldChange } from './outsideBindings.ts';
import { outsideClusters } from './outsideClusters.ts';

/** Kinds that people write and that decide about placements. */
const WRITTEN = new Set([
  'PropagationPolicy',
  'ClusterPropagationPolicy',
  'ClusterTaintPolicy',
  'WorkloadRebalancer',
]);
/** Taints that Karmada's cluster controller adds and removes by itself. */
const OWN_TAINT = /^cluster\.karmada\.io\/(?:not-ready|unreachable|terminating)$/;

/**
 * What happened from outside, as far as a recording shows it: clusters that join, leave or are changed, their conditions
 * (of the failure itself only the moment is known at which Karmada noticed it), taints that neither Karmada nor a
 * ClusterTaintPolicy added, policies and rebalancers that were applied or deleted, edits of templates, and health that
 * changed by itself. `untold` is what the simulation cannot be told.
 */
export function seenScenario(
  first: World,
  changes: readonly SeenChange[],
): { events: ScenarioEvent[]; untold: UntoldChange[] } {
  const [clusters, bindings] = [outsideClusters(changes), outsideBindings(first, changes)];
  const events = [...clusters.events, ...writtenEvents(first, changes), ...bindings.events];
  const untold = [...clusters.untold, ...bindings.untold];
  return { events: events.sort(byTime), untold: untold.sort(byTime) };
}

function byTime(a: { at: number }, b: { at: number }): number {
  return a.at - b.at;
}

function writtenEvents(first: World, changes: readonly SeenChange[]): ScenarioEvent[] {
  const policies = new Map(first.taintPolicies.map((one) => [one.metadata.name, one]));
  const known = new Set(first.clusters.map(({ metadata }) => metadata.name));
  const events: ScenarioEvent[] = [];
  for (const { at, before, after } of changes) {
    const one = (after ?? before)!;
    if (one.kind === 'ClusterTaintPolicy') {
      if (after) policies.set(one.metadata.name, after as unknown as ClusterTaintPolicy);
      else policies.delete(one.metadata.name);
    }
    // one that has joined since may be gone from the simulation earlier than it was
    const isTerminating = one.metadata.deletionTimestamp !== undefined && !known.has(one.metadata.name);
    if (one.kind === 'Cluster' && before && after && !isTerminating)
      events.push(
        ...clusterEvents(at, before as unknown as Cluster, after as unknown as Cluster, policies.values()),
      );
    else if (WRITTEN.has(one.kind)) {
      if (!after) events.push({ at, action: { type: 'delete', target: identityOf(one) } });
      else if (isTold(before, after)) events.push({ at, action: { type: 'apply', objects: [after] } });
    }
  }
  return events;
}

/**
 * Whether a ClusterTaintPolicy did it: one that lists the taint, if its conditions hold. If managedFields show that
 * somebody else wrote the taints then, it was not.
 */
function byPolicy(
  { key, effect }: Taint,
  when: 'addOnConditions' | 'removeOnConditions',
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
): boolean {
  const manager = taintsWriter(cluster)?.manager;
  if (manager !== undefined && manager !== CONTROLLER_MANAGER) return false;
  return policies.some((policy) => {
    if (!listedTaints(policy).some((taint) => taint.key === key && taint.effect === effect)) return false;
    const { spec } = policy;
    const isShipped = spec.addOnConditions !== undefined || spec.removeOnConditions !== undefined;
    return !isShipped || conditionsMatch(cluster.status?.conditions ?? [], spec[when]);
  });
}

function clusterEvents(
  at: number,
  before: Cluster,
  after: Cluster,
  policies: Iterable<ClusterTaintPolicy>,
): ScenarioEvent[] {
  const cluster = after.metadata.name;
  const known = new Map((before.status?.conditions ?? []).map((one) => [one.type, one]));
  const conditions = (after.status?.conditions ?? [])
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
  const all = [...policies];
  const [had, has] = [before, after].map(({ spec }) =>
    (spec?.taints ?? []).filter(({ key }) => !OWN_TAINT.test(key)),
  ) as [Taint[], Taint[]];
  const isGone = (taint: Taint) => !has.some((one) => sameTaint(one, taint));
  const isNew = (taint: Taint) => !had.some((one) => sameTaint(one, taint) && one.value === taint.value);
  const gone = had.filter((taint) => isGone(taint) && !byPolicy(taint, 'removeOnConditions', after, all));
  const come = has.filter((taint) => isNew(taint) && !byPolicy(taint, 'addOnConditions', after, all));
  return [
    ...conditions,
    ...gone.map(({ key, effect }): ScenarioEvent => ({
      at,
      action: { type: 'untaint', cluster, key, effect },
    })),
    ...come.map(({ key, value, effect }): ScenarioEvent => ({
      at,
      action: { type: 'taint', cluster, taint: { key, ...(value ? { value } : {}), effect } },
    })),
  ];
}
