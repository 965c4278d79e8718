import type {
  ClusterTaintPolicySpec,
  MatchCondition,
  PolicyTaint,
  TaintToAdd,
} from '../../../karmada/api/policy.ts';
import type { Conversion, ConversionFinding } from './findings.ts';
import {
  ALWAYS_TRUE_CONDITIONS,
  isLeftOut,
  type KeptSpec,
  NEVER_TRUE_CONDITIONS,
  type PolicyForm,
  shippedEffect,
} from './forms.ts';
import type { DataChange } from '../../../kubernetes/dataChange.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { windowSeconds } from '../../../karmada/taints/policyFields.ts';
import {
  complementOf,
  type TypeStatuses,
  hasStatus,
  isAny,
  isNever,
  type StatusSet,
  statusSets,
  decisiveStatuses,
} from './statusSets.ts';
import { CLUSTER_CONDITION_READY } from '../../../karmada/api/names.ts';

/**
 * Converts a policy of the other form into this one. The spec is valid for the API server of the other form.
 *
 * @param kept the parts of the policy's target form that an earlier conversion kept
 */
export function convertPolicy(
  spec: ClusterTaintPolicySpec,
  to: PolicyForm,
  kept?: KeptSpec | undefined,
): Conversion {
  return to === 'shipped' ? toShipped(spec, kept) : toProposed(spec, kept);
}

/**
 * Converts the proposed form into the shipped one: adds by the same conditions and removes by their complement, at
 * once.
 *
 * @param kept what the conversion into the proposed form kept, if the policy was shipped before
 */
function toShipped(spec: ClusterTaintPolicySpec, kept: KeptSpec | undefined): Conversion {
  const conditions = shippedConditions(spec, kept);
  const taints = shippedTaints(spec, kept !== undefined);
  const restored: ConversionFinding[] = conditions.restored
    ? [{ code: 'restored', what: ['conditions'], weight: 'note', field: conditions.field }]
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
  if (kept && deepEqual(match, addOnConditions.length > 0 ? addOnConditions : NEVER_TRUE_CONDITIONS))
    return { add: addOnConditions, remove: removeOnConditions, findings: [], restored: true };
  const outdated: ConversionFinding[] = kept
    ? [{ code: 'outdated', what: 'removeOnConditions', weight: 'note', field }]
    : [];
  if (match.length === 0) {
    const empty = { code: 'empty-conditions', to: 'shipped', weight: 'stops', field } as const;
    return { add: ALWAYS_TRUE_CONDITIONS, remove: [], findings: [...outdated, empty], restored: false };
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
  // Converting back from the proposed form, whose windows had to last a second.
  if (oneSecond && !returns)
    findings.push({ code: 'one-second', to: 'shipped', weight: 'note', field: 'spec.taintsToAdd' });
  return { changes, findings };
}

/**
 * Converts the shipped form into the proposed one: it adds by the same conditions after one second, and removes one
 * second after they no longer hold.
 *
 * @param kept what the conversion into the shipped form kept, if the policy was proposed before
 */
function toProposed(spec: ClusterTaintPolicySpec, kept: KeptSpec | undefined): Conversion {
  const { addOnConditions = [], removeOnConditions = [] } = withoutNulls(spec);
  const conditions = matchConditionsOf(addOnConditions, removeOnConditions, kept, spec);
  const taints = proposedTaints(spec.taints ?? [], kept);
  const what = [...(conditions.restored ? (['conditions'] as const) : []), ...taints.restored];
  return {
    changes: [
      ...(Object.hasOwn(spec, 'targetClusters')
        ? [{ change: 'rename', path: ['spec', 'targetClusters'], to: 'targetCluster' } as const]
        : []),
      ...conditions.changes,
      ...taints.changes,
    ],
    findings: [
      ...conditions.findings,
      ...taints.findings,
      ...(what.length > 0 ? [{ code: 'restored', what, weight: 'note', field: 'spec' } as const] : []),
    ],
    kept: { from: 'shipped', spec: { addOnConditions, removeOnConditions } },
  };
}

/** A list that is null counts as absent. */
function withoutNulls({ addOnConditions, removeOnConditions }: ClusterTaintPolicySpec) {
  return {
    addOnConditions: addOnConditions ?? [],
    removeOnConditions: removeOnConditions ?? [],
  };
}

function matchConditionsOf(
  add: readonly MatchCondition[],
  remove: readonly MatchCondition[],
  kept: KeptSpec | undefined,
  spec: ClusterTaintPolicySpec,
) {
  const has = (name: keyof ClusterTaintPolicySpec) => Object.hasOwn(spec, name);
  const fields = {
    add: has('addOnConditions') ? 'spec.addOnConditions' : 'spec',
    remove: has('removeOnConditions') ? 'spec.removeOnConditions' : 'spec.addOnConditions',
  };
  const { match, findings, restored } = matchOf(add, remove, kept, fields);
  const path = ['spec', 'addOnConditions'];
  const changes: DataChange[] = has('addOnConditions')
    ? [
        { change: 'rename', path, to: 'matchConditions' },
        ...(match === add ? [] : [{ change: 'replace', path, value: match } as const]),
      ]
    : [
        {
          change: 'addMember',
          path: ['spec'],
          name: 'matchConditions',
          value: match,
          after: 'targetClusters',
        },
      ];
  if (has('removeOnConditions')) changes.push({ change: 'remove', path: ['spec', 'removeOnConditions'] });
  return { changes, findings, restored };
}

function matchOf(
  add: readonly MatchCondition[],
  remove: readonly MatchCondition[],
  kept: KeptSpec | undefined,
  fields: { add: string; remove: string },
): { match: readonly MatchCondition[]; findings: ConversionFinding[]; restored: boolean } {
  if (kept?.spec.matchConditions && remove.length === 0 && deepEqual(add, ALWAYS_TRUE_CONDITIONS))
    return { match: [], findings: [], restored: true };
  if (add.length === 0) {
    const empty = { code: 'empty-conditions', to: 'proposed', weight: 'stops', field: fields.add } as const;
    return { match: NEVER_TRUE_CONDITIONS, findings: [empty], restored: false };
  }
  // The removal list then comes from the conversion.
  if (kept && deepEqual(remove, complementOf(add))) return { match: add, findings: [], restored: false };
  return { match: add, findings: conditionFindings('proposed', add, remove, fields), restored: false };
}

function proposedTaints(taints: readonly PolicyTaint[], kept: KeptSpec | undefined) {
  const path = ['spec', 'taints'];
  const changes: DataChange[] = [{ change: 'rename', path, to: 'taintsToAdd' }];
  const findings: ConversionFinding[] = [];
  const restored = new Set<'windows' | 'effect' | 'taint'>();
  const originals = kept?.spec.taintsToAdd ?? [];
  const leftOut = originals.filter((one) => isLeftOut(one, originals));
  let oneSecond = false;
  const found = new Set<TaintToAdd>();
  for (const [at, { key, effect }] of taints.entries()) {
    const original = originals.find(
      (one) => !leftOut.includes(one) && one.key === key && shippedEffect(one.effect) === effect,
    );
    const windows = original ?? { addOnMatchSeconds: 1, removeOnMismatchSeconds: 1 };
    if (original) found.add(original);
    else oneSecond = true;
    for (const name of ['addOnMatchSeconds', 'removeOnMismatchSeconds'] as const)
      if (windows[name] !== undefined)
        changes.push({ change: 'addMember', path: [...path, at], name, value: windows[name] });
    if (!original) continue;
    restored.add('windows');
    if (original.effect === effect) continue;
    restored.add('effect');
    changes.push({ change: 'replace', path: [...path, at, 'effect'], value: original.effect });
  }
  for (const one of leftOut) {
    const at = taints.findIndex(({ key, effect }) => key === one.key && effect === shippedEffect(one.effect));
    if (at === -1) continue;
    found.add(one);
    restored.add('taint');
    const standIn = originals.findIndex(
      ({ key, effect }) => key === one.key && effect === shippedEffect(one.effect),
    );
    const before = originals.indexOf(one) < standIn ? at : at + 1;
    changes.push({ change: 'addEntry', path, before, value: one });
  }
  for (const taint of originals.filter((one) => !found.has(one)))
    findings.push({ code: 'outdated', what: 'taint', taint, weight: 'note', field: 'spec.taints' });
  if (oneSecond) findings.push({ code: 'one-second', to: 'proposed', weight: 'note', field: 'spec.taints' });
  return { changes, findings, restored: [...restored] };
}

/**
 * Where a shipped policy differs from one in the proposed form with the same conditions for adding. The proposed form
 * removes a taint when these do not hold; the shipped form when its own conditions for removal hold. If neither list
 * holds, the shipped form does not change the taint.
 */
interface FormDifferences {
  /** adds and removes: the shipped form removes, the proposed one keeps the taint */
  bothHold?: TypeStatuses[];
  /** neither adds nor removes: the shipped form does not change a taint, the proposed one removes it */
  neitherHolds?: TypeStatuses[];
  /** types that matter if a cluster does not report them: then neither list holds */
  unreported: string[];
}

/**
 * Compares the two forms over all statuses of all types: True, False, Unknown, those that the lists name, any other,
 * and none at all. Ignores types that a cluster lists twice.
 *
 * @param add not empty: an empty list means something else in each form
 */
export function formDifferences(
  add: readonly MatchCondition[],
  remove: readonly MatchCondition[],
): FormDifferences {
  const adds = statusSets(add);
  const removes = statusSets(remove);
  const bothHold = remove.length > 0 ? whereBothHold(adds, removes) : undefined;
  const neitherHolds = whereNeitherHolds(adds, removes);
  const neverRemoves = remove.length === 0 || [...removes.values()].some(isNever);
  return {
    ...(bothHold && { bothHold }),
    ...(neitherHolds && { neitherHolds }),
    // If the policy never removes, this would repeat the difference above.
    unreported: neverRemoves && neitherHolds ? [] : unreportedTypes(adds, removes),
  };
}

type Sets = ReadonlyMap<string, StatusSet>;

function whereBothHold(adds: Sets, removes: Sets): TypeStatuses[] | undefined {
  const where = [...new Set([...adds.keys(), ...removes.keys()])].map((type) =>
    statusesOf(type, adds, removes, (added, removed) => added !== false && removed !== false),
  );
  return where.every(({ statuses }) => statuses.length > 0) ? where : undefined;
}

/**
 * One type is enough if neither list has one of its statuses; otherwise one type must fail the first list, and another
 * the second.
 */
function whereNeitherHolds(adds: Sets, removes: Sets): TypeStatuses[] | undefined {
  const outside = (type: string, ...of: Sets[]) =>
    statusesOf(type, adds, removes, () => true).statuses.filter((status) =>
      of.every((sets) => {
        const set = sets.get(type);
        return set && !hasStatus(set, status);
      }),
    );
  const lists = removes.size > 0 ? [adds, removes] : [adds];
  for (const type of adds.keys()) {
    const statuses = outside(type, ...lists);
    if (statuses.length > 0) return [{ conditionType: type, statuses }];
  }
  for (const one of adds.keys())
    for (const other of removes.keys()) {
      const [statuses, others] = [outside(one, adds), outside(other, removes)];
      if (one !== other && statuses.length > 0 && others.length > 0)
        return [
          { conditionType: one, statuses },
          { conditionType: other, statuses: others },
        ];
    }
  return undefined;
}

/**
 * Types that a cluster must report for anything to be added or removed: each by itself or, if both lists accept any
 * status of types of their own, one of each list.
 */
function unreportedTypes(adds: Sets, removes: Sets): string[] {
  const failsWithout = (type: string, sets: Sets) =>
    sets.has(type) || [...sets.values()].some((set) => !isAny(set));
  const all = [...new Set([...adds.keys(), ...removes.keys()])];
  const each = all.filter(
    (type) => failsWithout(type, adds) && (removes.size === 0 || failsWithout(type, removes)),
  );
  return each.length > 0 ? each : all;
}

/** @param wanted whether each list holds for a status; undefined if it does not name the type */
function statusesOf(
  conditionType: string,
  adds: Sets,
  removes: Sets,
  wanted: (added: boolean | undefined, removed: boolean | undefined) => boolean,
): TypeStatuses {
  const [added, removed] = [adds.get(conditionType), removes.get(conditionType)];
  const statuses = decisiveStatuses(added, removed).filter((status) =>
    wanted(added && hasStatus(added, status), removed && hasStatus(removed, status)),
  );
  return { conditionType, statuses };
}

/**
 * The differences between a shipped policy with these lists and one in the proposed form that has the first list.
 *
 * @param fields paths of the lists in the policy that is converted; if it has only one list, it is named twice
 */
function conditionFindings(
  to: PolicyForm,
  add: readonly MatchCondition[],
  remove: readonly MatchCondition[],
  fields: { add: string; remove: string },
): ConversionFinding[] {
  const { bothHold, neitherHolds, unreported } = formDifferences(add, remove);
  const removal = { code: 'removal', to, weight: 'stops', field: fields.remove } as const;
  return [
    ...(bothHold ? [{ ...removal, holds: 'both', where: bothHold } as const] : []),
    ...(neitherHolds ? [{ ...removal, holds: 'neither', where: neitherHolds } as const] : []),
    ...unreported.map((conditionType): ConversionFinding => ({
      code: 'absent-condition',
      to,
      conditionType,
      // Karmada reports Ready for every cluster from its first reconcile on, and never removes the condition.
      weight: conditionType === CLUSTER_CONDITION_READY ? 'note' : 'stops',
      field: fieldOf(conditionType, add, fields.add) ?? fieldOf(conditionType, remove, fields.remove)!,
    })),
  ];
}

function fieldOf(type: string, list: readonly MatchCondition[], field: string): string | undefined {
  const at = list.findIndex(({ conditionType }) => conditionType === type);
  return at === -1 ? undefined : `${field}[${at}]`;
}
