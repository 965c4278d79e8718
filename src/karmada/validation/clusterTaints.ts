import {
  aggregateMessage,
  duplicate,
  invalid,
  notSupported,
  requiredValue,
  typed,
  type FieldError,
} from '../../kubernetes/fieldErrors.ts';
import { labelKeyFieldErrors, labelValueErrors } from '../../kubernetes/validation/names.ts';
import * as schema from '../../kubernetes/schema/core.ts';
import type { Taint } from '../api/meta.ts';
import type { Rules } from '../dialects/rules.ts';
import { inWordsOf } from './admission.ts';

type TaintRules = Pick<Rules['admission'], 'clusterTaintEffects' | 'labelKeyWords'>;
type AdmissionRules = TaintRules & Pick<Rules['admission'], 'valuesInErrors'>;

/**
 * Errors of Karmada's aggregated API server for a single taint of a Cluster (lifted.ValidateClusterTaints). It does not
 * check ClusterTaintPolicies: their invalid taints fail only when the controller writes them.
 *
 * @param field path of the taint: "spec.taints[0]"
 */
export function clusterTaintErrors(
  { key = '', value = '', effect }: { key?: string; value?: string; effect?: string },
  field: string,
  { labelKeyWords, clusterTaintEffects }: TaintRules,
): FieldError[] {
  const valueErrors = labelValueErrors(value, labelKeyWords);
  return [
    ...labelKeyFieldErrors(key, `${field}.key`, labelKeyWords),
    ...(valueErrors.length > 0 ? [invalid(`${field}.value`, value, valueErrors.join(';'))] : []),
    ...effectErrors(effect, `${field}.effect`, clusterTaintEffects),
  ];
}

/** PreferNoSchedule, an effect for nodes, is not valid for Clusters. */
function effectErrors(effect: string | undefined, field: string, known: readonly string[]): FieldError[] {
  if (!effect) return [requiredValue(field)];
  return known.includes(effect) ? [] : [notSupported(field, effect, known)];
}

/**
 * Errors of Karmada's aggregated API server for the taints of a Cluster (lifted.ValidateClusterTaints).
 *
 * @param field path of the list: "spec.taints"
 */
export function clusterTaintListErrors(
  taints: readonly Taint[],
  field: string,
  rules: AdmissionRules,
): FieldError[] {
  const known = new Set<string>();
  const errors = taints.flatMap((taint, at) => {
    const own = clusterTaintErrors(taint, `${field}[${at}]`, rules);
    const id = `${taint.effect} ${taint.key}`;
    if (known.has(id)) own.push(duplicate(`${field}[${at}]`, typed(schema.Taint, taint), TWICE));
    known.add(id);
    return own;
  });
  return inWordsOf(errors, rules);
}

const TWICE = 'taints must be unique by key and effect pair';

/** The API server's message if it refuses a Cluster with these taints; undefined if it accepts them. */
export function clusterTaintRefusal(
  cluster: string,
  taints: readonly Taint[],
  rules: AdmissionRules,
): string | undefined {
  const errors = clusterTaintListErrors(taints, 'spec.taints', rules);
  if (errors.length === 0) return undefined;
  return `Cluster.cluster.karmada.io "${cluster}" is invalid: ${aggregateMessage(errors)}`;
}
