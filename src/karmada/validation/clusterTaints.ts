import {
  aggregateMessage,
  invalid,
  notSupported,
  requiredValue,
  type FieldError,
} from '../../kubernetes/fieldErrors.ts';
import {
  labelKeyFieldErrors,
  labelValueErrors,
  type LabelKeyWords,
} from '../../kubernetes/validation/labels.ts';
import type { Taint } from '../api/meta.ts';

/** The effects that a Cluster may have; a node's PreferNoSchedule is none of them. */
export const CLUSTER_TAINT_EFFECTS = ['NoSchedule', 'NoExecute'] as const;

/**
 * What Karmada's aggregated API server refuses about a taint of a Cluster, by itself (lifted.ValidateClusterTaints). ClusterTaintPolicies
 * are not held against it: such a taint fails only when the controller writes it.
 *
 * @param field path of the taint: "spec.taints[0]"
 */
export function clusterTaintErrors(
  { key = '', value = '', effect }: { key?: string; value?: string; effect?: string },
  field: string,
  { labelKeyWords }: { labelKeyWords: LabelKeyWords },
): FieldError[] {
  const valueErrors = labelValueErrors(value, labelKeyWords);
  return [
    ...labelKeyFieldErrors(key, `${field}.key`, labelKeyWords),
    ...(valueErrors.length > 0 ? [invalid(`${field}.value`, value, valueErrors.join(';'))] : []),
    ...effectErrors(effect, `${field}.effect`),
  ];
}

function effectErrors(effect: string | undefined, field: string): FieldError[] {
  if (!effect) return [requiredValue(field)];
  const known = (CLUSTER_TAINT_EFFECTS as readonly string[]).includes(effect);
  return known ? [] : [notSupported(field, effect, CLUSTER_TAINT_EFFECTS)];
}

/** Why the Cluster API refuses a Cluster with these taints, in its words; undefined if it takes them. */
export function clusterTaintRefusal(
  cluster: string,
  taints: readonly Taint[],
  words: { labelKeyWords: LabelKeyWords },
): string | undefined {
  const errors = taints.flatMap((taint, at) => clusterTaintErrors(taint, `spec.taints[${at}]`, words));
  if (errors.length === 0) return undefined;
  return `Cluster.cluster.karmada.io "${cluster}" is invalid: ${aggregateMessage(errors)}`;
}
