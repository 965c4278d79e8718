import type { TypeStatuses } from './statusSets.ts';
import type { MatchCondition } from '../../../karmada/api/policy.ts';
import { has, isAny, isNever, type StatusSet, statusSets, tellingStatuses } from './statusSets.ts';
import { CLUSTER_CONDITION_READY } from '../../../karmada/api/names.ts';
import type { ConversionFinding } from './findings.ts';
import type { PolicyForm } from './forms.ts';

/**
 * When a shipped policy acts differently from one in the proposed form, if both add by the same conditions. The
 * proposed form removes a taint if these do not hold; the shipped one, if its own conditions for removal hold. If
 * neither list holds, the shipped one leaves the taint alone.
 */
interface FormDifferences {
  /** adds and removes: the shipped form removes, the proposed one keeps the taint */
  bothHold?: TypeStatuses[];
  /** neither adds nor removes: the shipped form leaves a taint as it is, the proposed one removes it */
  neitherHolds?: TypeStatuses[];
  /** types that matter if a cluster does not report them: then neither list holds */
  unreported: string[];
}

/**
 * Compares the two forms over all statuses of all types: True, False, Unknown, those that the lists name, any other, and none at all.
 * A type that a cluster lists twice is not considered.
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
    // if nothing ever removes, that would be the same difference again
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
 * One type is enough if neither list has one of its statuses; otherwise one type has to fail the first list, and
 * another type the second.
 */
function whereNeitherHolds(adds: Sets, removes: Sets): TypeStatuses[] | undefined {
  const outside = (type: string, ...of: Sets[]) =>
    statusesOf(type, adds, removes, () => true).statuses.filter((status) =>
      of.every((sets) => sets.has(type) && !has(sets.get(type)!, status)),
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
  const statuses = tellingStatuses(added, removed).filter((status) =>
    wanted(added && has(added, status), removed && has(removed, status)),
  );
  return { conditionType, statuses };
}

/**
 * How a shipped policy with these lists differs from one in the proposed form that has the first list.
 *
 * @param fields paths of the lists in the policy that is converted; if it has only one list, it is named twice
 */
export function conditionFindings(
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
      // Karmada reports Ready for every cluster from its first look on, and never removes the condition
      weight: conditionType === CLUSTER_CONDITION_READY ? 'told' : 'stops',
      field: fieldOf(conditionType, add, fields.add) ?? fieldOf(conditionType, remove, fields.remove)!,
    })),
  ];
}

function fieldOf(type: string, list: readonly MatchCondition[], field: string): string | undefined {
  const at = list.findIndex(({ conditionType }) => conditionType === type);
  return at === -1 ? undefined : `${field}[${at}]`;
}
