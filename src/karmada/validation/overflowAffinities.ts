import { invalid, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { list } from '../../kubernetes/schema/schema.ts';
import { labelKeyErrors } from '../../kubernetes/validation/labels.ts';
import type { ClusterAffinityTerm, Placement, ReplicaSchedulingStrategy } from '../api/policy.ts';
import * as schema from '../api/policy.ts';
import type { Admission } from './admission.ts';
import { clusterAffinityErrors } from './clusterAffinity.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

const overflowAffinities = list(schema.OverflowClusterAffinity);

/** Overflow needs a division by available replicas: Aggregated or dynamic weight. */
export function overflowSchedulingErrors(placement: Placement, field: string): FieldError[] {
  if (dividesByCapacity(placement.replicaScheduling)) return [];
  return (placement.clusterAffinities ?? []).flatMap((affinity, index) =>
    affinity.overflowAffinities
      ? [
          invalid(
            `${field}.clusterAffinities[${index}].overflowAffinities`,
            typed(overflowAffinities, affinity.overflowAffinities),
            'overflowAffinities can only be used together with dynamic weight or aggregated scheduling',
          ),
        ]
      : [],
  );
}

function dividesByCapacity(strategy: ReplicaSchedulingStrategy | undefined): boolean {
  if (strategy?.replicaSchedulingType !== 'Divided') return false;
  if (strategy.replicaDivisionPreference === 'Aggregated') return true;
  return strategy.replicaDivisionPreference === 'Weighted' && !!strategy.weightPreference?.dynamicWeight;
}

/** Overflow terms need a primary group that selects something, and unique valid names. */
export function overflowAffinityErrors(
  affinity: ClusterAffinityTerm,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  const { affinityName: primary = '', overflowAffinities: terms } = affinity;
  if (!terms) return [];
  const errors: FieldError[] = [];
  if (selectsNothingInParticular(affinity))
    errors.push(
      invalid(
        `${field}.overflowAffinities`,
        typed(overflowAffinities, terms),
        'overflowAffinities can only be used together with the inline ClusterAffinity',
      ),
    );
  const names = new Set([primary]);
  terms.forEach((term, index) => {
    const { affinityName: name = '' } = term;
    const termField = `${field}.overflowAffinities[${index}]`;
    for (const error of labelKeyErrors(name, rules.labelKeyWords))
      errors.push(invalid(`${termField}.affinityName`, name, error));
    if (names.has(name))
      errors.push(
        invalid(
          `${termField}.affinityName`,
          name,
          "overflow affinity name must be unique and must not duplicate the primary group's affinityName",
        ),
      );
    names.add(name);
    appendAll(errors, clusterAffinityErrors(term, termField));
  });
  return errors;
}

function selectsNothingInParticular(affinity: ClusterAffinityTerm): boolean {
  return (
    !affinity.labelSelector &&
    !affinity.fieldSelector &&
    !affinity.clusterNames?.length &&
    !affinity.exclude?.length
  );
}
