import type { ClusterTaintPolicySpec, MatchCondition } from '../../../karmada/api/policy.ts';
import type { DataChange } from '../../../kubernetes/dataChange.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { windowSeconds } from '../../../karmada/taints/policyFields.ts';
import { complementOf } from './complement.ts';
import { conditionFindings } from './conditionFindings.ts';
import type { Conversion } from './conversion.ts';
import type { ConversionFinding } from './findings.ts';
import { ALWAYS, isLeftOut, NEVER, shippedEffect } from './forms.ts';
import type { KeptSpec } from './keptSpec.ts';

/**
 * A policy from the proposed form into the shipped one: it adds by the same conditions and removes by their complement, at once.
 *
 * @param kept what the conversion into the proposed form kept, if the policy comes from there
 */
export function toShipped(spec: ClusterTaintPolicySpec, kept: KeptSpec | undefined): Conversion {
  const conditions = shippedConditions(spec, kept);
  const taints = shippedTaints(spec, kept !== undefined);
  const restored: ConversionFinding[] = conditions.restored
    ? [{ code: 'restored', what: ['conditions'], weight: 'told', field: conditions.field }]
    : [];
  return {
    changes: [
      ...(Object.hasOwn(spec, 'targetCluster')
        ? [{ change: 'rename', path: ['spec', 'targetCluster'], to: 'targetClusters' } as const]
        : []),
      ...conditions.changes,
      ...taints.changes,
    ],
    findings: [...conditions.findings, ...restored, ...taints.findings],
    kept: {
      from: 'proposed',
      spec: {
        ...(conditions.isEmpty && { matchConditions: [] }),
        taintsToAdd: spec.taintsToAdd ?? [],
      },
    },
  };
}

function shippedConditions(spec: ClusterTaintPolicySpec, kept: KeptSpec | undefined) {
  const match = spec.matchConditions ?? [];
  const field = Object.hasOwn(spec, 'matchConditions') ? 'spec.matchConditions' : 'spec';
  const { add, remove, findings, restored } = listsOf(match, kept, field);
  return {
    changes: conditionChanges(spec, match, add, remove),
    findings,
    restored,
    field,
    isEmpty: match.length === 0,
  };
}

interface Lists {
  add: readonly MatchCondition[];
  remove: readonly MatchCondition[];
  findings: ConversionFinding[];
  restored: boolean;
}

function listsOf(match: readonly MatchCondition[], kept: KeptSpec | undefined, field: string): Lists {
  const { addOnConditions = [], removeOnConditions = [] } = kept?.spec ?? {};
  if (kept && deepEqual(match, addOnConditions.length > 0 ? addOnConditions : NEVER))
    return { add: addOnConditions, remove: removeOnConditions, findings: [], restored: true };
  const outdated: ConversionFinding[] = kept
    ? [{ code: 'outdated', what: 'removeOnConditions', weight: 'told', field }]
    : [];
  if (match.length === 0) {
    const empty = { code: 'empty-conditions', to: 'shipped', weight: 'stops', field } as const;
    return { add: ALWAYS, remove: [], findings: [...outdated, empty], restored: false };
  }
  const remove = complementOf(match);
  const findings = conditionFindings('shipped', match, remove, { add: field, remove: field });
  return { add: match, remove, findings: [...outdated, ...findings], restored: false };
}

function conditionChanges(
  spec: ClusterTaintPolicySpec,
  match: readonly MatchCondition[],
  add: readonly MatchCondition[],
  remove: readonly MatchCondition[],
): DataChange[] {
  const path = ['spec', 'matchConditions'];
  const isThere = Object.hasOwn(spec, 'matchConditions');
  const behind = isThere ? 'matchConditions' : 'targetCluster';
  const member = (name: string, value: readonly MatchCondition[]): DataChange[] =>
    value.length > 0 ? [{ change: 'addMember', path: ['spec'], name, value, after: behind }] : [];
  const added = isThere
    ? add.length > 0
      ? [
          { change: 'rename', path, to: 'addOnConditions' } as const,
          ...(add === match || deepEqual(add, match)
            ? []
            : [{ change: 'replace', path, value: add } as const]),
        ]
      : [{ change: 'remove', path } as const]
    : member('addOnConditions', add);
  return [...added, ...member('removeOnConditions', remove)];
}

function shippedTaints({ taintsToAdd }: ClusterTaintPolicySpec, returns: boolean) {
  const changes: DataChange[] = [];
  const findings: ConversionFinding[] = [];
  const path = ['spec', 'taintsToAdd'];
  const all = taintsToAdd ?? [];
  if (all.length === 0) findings.push({ code: 'no-taints', weight: 'impossible', field: 'spec' });
  changes.push({ change: 'rename', path, to: 'taints' });
  let oneSecond = false;
  for (const [at, taint] of all.entries()) {
    const field = `spec.taintsToAdd[${at}]`;
    const { add, remove } = windowSeconds(taint);
    if (add === 1 && remove === 1) oneSecond = true;
    else
      findings.push({
        code: 'durations',
        taint,
        addOnMatchSeconds: add,
        removeOnMismatchSeconds: remove,
        weight: 'stops',
        field: taint.addOnMatchSeconds === undefined ? field : `${field}.addOnMatchSeconds`,
      });
    const leftOut = isLeftOut(taint, all);
    const effect = shippedEffect(taint.effect);
    if (effect !== taint.effect)
      findings.push({ code: 'effect', taint, leftOut, weight: 'stops', field: `${field}.effect` });
    if (leftOut) {
      changes.push({ change: 'remove', path: [...path, at] });
      continue;
    }
    for (const name of ['addOnMatchSeconds', 'removeOnMismatchSeconds'])
      if (Object.hasOwn(taint, name)) changes.push({ change: 'remove', path: [...path, at, name] });
    if (effect !== taint.effect)
      changes.push({ change: 'replace', path: [...path, at, 'effect'], value: effect });
  }
  // the way back from the proposed form, whose windows had to last a second
  if (oneSecond && !returns)
    findings.push({ code: 'one-second', to: 'shipped', weight: 'told', field: 'spec.taintsToAdd' });
  return { changes, findings };
}
