import { invalid, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { quote } from '../../kubernetes/goFormat.ts';
import { pointer } from '../../kubernetes/schema/schema.ts';
import type { ClusterAffinity, FieldSelector, Placement } from '../api/policy.ts';
import * as schema from '../api/policy.ts';
import type { Admission } from './admission.ts';

/** A placement has clusterAffinity or clusterAffinities, not both; an empty list counts as given. */
export function affinityFormErrors(
  placement: Placement,
  field: string,
  { rules, types }: Admission,
): FieldError[] {
  if (!placement.clusterAffinity || !placement.clusterAffinities) return [];
  const value = typed(types.policy.Placement, placement);
  return [invalid(field, value, `clusterAffinities ${rules.cannot} co-exist with clusterAffinity`)];
}

/** The field selector of an affinity takes provider, region and zone, with In and NotIn. */
export function clusterAffinityErrors(affinity: ClusterAffinity | undefined, field: string): FieldError[] {
  const problem = fieldSelectorProblem(affinity?.fieldSelector);
  if (problem === undefined) return [];
  const value = typed(pointer(schema.FieldSelector), affinity?.fieldSelector);
  return [invalid(`${field}.fieldSelector`, value, problem)];
}

/** The first requirement of a field selector that Karmada does not support, in its words. */
function fieldSelectorProblem(selector: FieldSelector | undefined): string | undefined {
  for (const { key = '', operator = '' } of selector?.matchExpressions ?? []) {
    if (!['provider', 'region', 'zone'].includes(key))
      return `unsupported key ${quote(key)}, must be provider, region, or zone`;
    if (!['In', 'NotIn'].includes(operator))
      return `unsupported operator ${quote(operator)}, must be In or NotIn`;
  }
  return undefined;
}
