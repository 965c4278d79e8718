import type { MatchCondition } from '../../../karmada/api/policy.ts';
import { CLUSTER_CONDITION_READY } from '../../../karmada/api/names.ts';
import type { ConversionFinding } from './findings.ts';
import { formDifferences } from './formDifferences.ts';
import type { PolicyForm } from './forms.ts';

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
