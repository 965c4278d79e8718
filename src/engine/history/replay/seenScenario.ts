import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Taint } from '../../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import { sameTaint } from '../../objects/sameTaint.ts';
import { identityOf } from '../../objects/identities.ts';
import type { ScenarioEvent } from '../../scenario.ts';
import type { World } from '../../world.ts';
import type { SeenChange } from '../history.ts';
import { isTold, outsideBindings, type UntoldChange } from './outsideBindings.ts';
import { untoldOfAll } from './outsideClusters.ts';

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
 * What happened from outside, as far as a recording shows it: conditions of clusters (a failure counts from when
 * Karmada saw it), taints that neither Karmada nor a ClusterTaintPolicy added, policies and rebalancers that were
 * applied or deleted, edits of templates, and health that changed by itself. `untold` is what the simulation cannot be told.
 */
export function seenScenario(
  first: World,
  changes: readonly SeenChange[],
): { events: ScenarioEvent[]; untold: UntoldChange[] } {
  const bindings = outsideBindings(first, changes);
  const events = [...writtenEvents(first, changes), ...bindings.events].sort((a, b) => a.at - b.at);
  const untold = [...untoldOfAll(changes), ...bindings.untold].sort((a, b) => a.at - b.at);
  return { events, untold };
}

function writtenEvents(first: World, changes: readonly SeenChange[]): ScenarioEvent[] {
  const policies = new Map(first.taintPolicies.map((one) => [one.metadata.name, one]));
  const events: ScenarioEvent[] = [];
  for (const { at, before, after } of changes) {
    const one = (after ?? before)!;
    if (one.kind === 'ClusterTaintPolicy') {
      if (after) policies.set(one.metadata.name, after as unknown as ClusterTaintPolicy);
    }
    if (one.kind === 'Cluster' && before && after)
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
  const ofPolicies = [...policies].flatMap(({ spec }) => spec?.taints ?? []);
  const isOutside = ({ key, effect }: Taint) =>
    !OWN_TAINT.test(key) && !ofPolicies.some((taint) => taint.key === key && taint.effect === effect);
  const [had, has] = [before, after].map(({ spec }) => (spec?.taints ?? []).filter(isOutside)) as [
    Taint[],
    Taint[],
  ];
  const gone = had.filter((taint) => !has.some((one) => sameTaint(one, taint)));
  const come = has.filter((taint) => !had.some((one) => sameTaint(one, taint) && one.value === taint.value));
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
