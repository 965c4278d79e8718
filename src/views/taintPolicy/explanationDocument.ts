import type { ConditionTurn } from '../../analysis/taintPolicy/conditionTurns.ts';
import type { ExplainedCluster, ExplainedTurn } from '../../analysis/taintPolicy/explain.ts';
import type { ExplainedTaint } from '../../analysis/taintPolicy/explainedTaint.ts';
import type { ExplainedWindow } from '../../analysis/taintPolicy/explainedWindow.ts';
import type { MatchedList, PolicyOnTaint } from '../../analysis/taintPolicy/policyOnTaint.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { lookDocument, ownershipDocument, taintDocument } from './taintWords.ts';

/** A cluster with its conditions, taints and turns, for documents. */
export function clusterDocument({ cluster, conditions, taints, nextLook, turns, asked }: ExplainedCluster) {
  return {
    name: cluster,
    conditions: conditions.map(({ type, status, lastTransitionTime }) => ({
      type,
      status,
      since: lastTransitionTime ?? null,
    })),
    taints: taints.map(taintOfDocument),
    nextLook: lookDocument(nextLook),
    turns: turns.map(explainedTurnDocument),
    ...(asked ? { asked: explainedTurnDocument(asked) } : {}),
  };
}

/** What a change of a condition does, for documents. */
export function turnDocument({ condition, from, look }: ConditionTurn) {
  return { condition, from: from ?? null, ...lookDocument(look) };
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
