import type { TaintReconcile, TaintMove } from '../../analysis/taintPolicy/taintReconcile.ts';
import type { ConditionTurn } from '../../analysis/taintPolicy/conditionTurns.ts';
import type { ExplainedCluster, ExplainedTurn } from '../../analysis/taintPolicy/explain.ts';
import type { ExplainedTaint } from '../../analysis/taintPolicy/explainedTaint.ts';
import type {
  ExplainedWindow,
  MatchedList,
  PolicyOnTaint,
} from '../../analysis/taintPolicy/policyOnTaint.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { NamedTaint } from '../../karmada/evidence.ts';
import type { TaintOwnership } from '../../karmada/taints/taintOwnership.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { duration } from '../words/duration.ts';

/** "key=value:effect" */
export const taintText = (taint: NamedTaint | Taint): string => formatTaint(taint);

/** A taint in documents. */
export function taintDocument({ key, value, effect }: NamedTaint): {
  key: string;
  value?: string;
  effect: string;
} {
  return { key, ...(value ? { value } : {}), effect };
}

/** The owner of a taint in documents. */
export function ownershipDocument({ owner, policies, listedBy, certainty, evidence }: TaintOwnership) {
  return { owner, policies, listedBy, certainty, evidence };
}

/** The effect of one reconcile in documents. */
export function reconcileDocument({ gains, loses, renews, refused, contested }: TaintReconcile) {
  return {
    gains: moveDocuments(gains),
    loses: moveDocuments(loses),
    renews: moveDocuments(renews),
    ...(refused === undefined ? {} : { refused }),
    contested: contested.map(({ taint, policies }) => ({ taint: taintDocument(taint), policies })),
  };
}

/** Added, removed and renewed taints in documents. */
export function moveDocuments(moves: readonly TaintMove[]) {
  return moves.map(({ taint, policy, after, undone, evidence }) => ({
    taint: taintDocument(taint),
    policy,
    ...(after === undefined ? {} : { afterSeconds: after / 1000 }),
    ...(undone ? { undone } : {}),
    evidence,
  }));
}

/**
 * The effect of one reconcile, in a few phrases: "gains a:NoSchedule (network)", "loses it in 2m50s (network)"; empty
 * if there is none.
 * @param about the policy in question: effects of other policies name them
 * @param when only immediate effects, or those at the end of a window; absent: all
 */
export function reconcilePhrases(
  reconcile: TaintReconcile,
  { about, when }: { about?: string | undefined; when?: 'at once' | 'later' } = {},
): string[] {
  const { gains, loses, renews, refused } = reconcile;
  const isShown = ({ after }: TaintMove) =>
    when === undefined || (after === undefined) === (when === 'at once');
  const moved = (verb: string, list: readonly TaintMove[]) =>
    list.filter(isShown).map(({ taint, policy, after, undone }) => {
      const time = after === undefined ? '' : ` in ${duration(after)}`;
      const whose = about === undefined || about === policy ? '' : ', another policy';
      return `${verb} ${taintText(taint)}${time} (${policy}${whose})${undone ? `, which Karmada undoes at once` : ''}`;
    });
  if (refused !== undefined)
    return when === 'later' ? [] : [`nothing: the Cluster API refuses the write: ${refused}`];
  return [...moved('gains', gains), ...moved('loses', loses), ...moved('renews', renews)];
}

/** A cluster with its conditions, taints and changes in documents. */
export function clusterDocument({
  cluster,
  conditions,
  taints,
  nextReconcile,
  turns,
  asked,
}: ExplainedCluster) {
  return {
    name: cluster,
    conditions: conditions.map(({ type, status, lastTransitionTime }) => ({
      type,
      status,
      since: lastTransitionTime ?? null,
    })),
    taints: taints.map(taintOfDocument),
    nextLook: reconcileDocument(nextReconcile),
    turns: turns.map(explainedTurnDocument),
    ...(asked ? { asked: explainedTurnDocument(asked) } : {}),
  };
}

/** The effect of a condition change in documents. */
export function turnDocument({ condition, from, reconcile }: ConditionTurn) {
  return { condition, from: from ?? null, ...reconcileDocument(reconcile) };
}

function explainedTurnDocument({ ofKarmada: { gains, loses }, ...turn }: ExplainedTurn) {
  const ofKarmada = { gains: gains.map(taintDocument), loses: loses.map(taintDocument) };
  return { ...turnDocument(turn), ofKarmada };
}

function taintOfDocument({
  taint,
  isThere,
  since,
  ownership,
  policies,
  decides,
  fought,
  flaps,
}: ExplainedTaint) {
  return {
    taint: taintDocument(taint),
    isThere,
    since: since === undefined ? null : rfc3339(since),
    ...(ownership ? { ownership: ownershipDocument(ownership) } : {}),
    policies: policies.map(policyOnTaintDocument),
    decides: decides ?? null,
    fought,
    ...(flaps ? { flaps } : {}),
  };
}

function policyOnTaintDocument(one: PolicyOnTaint) {
  const { policy, created, value, wants, overruledBy } = one;
  return {
    policy,
    created: created === undefined ? null : rfc3339(created),
    ...(value === undefined ? {} : { value }),
    ...('window' in one
      ? { match: listDocument(one.match), window: windowDocument(one.window) }
      : { add: listDocument(one.add), remove: listDocument(one.remove) }),
    wants: wants ?? null,
    ...(overruledBy === undefined ? {} : { overruledBy }),
  };
}

function windowDocument({ since, ends, ...window }: ExplainedWindow) {
  return { ...window, since: rfc3339(since), ends: rfc3339(ends) };
}

function listDocument({ holds, since, entries }: MatchedList) {
  return {
    holds,
    since: since === undefined ? null : rfc3339(since),
    entries: entries.map(({ wanted, found, holds }) => ({
      ...wanted,
      found: found.map(({ status, lastTransitionTime }) => ({ status, since: lastTransitionTime ?? null })),
      holds,
    })),
  };
}
