import { type FieldError, invalid, notSupported, typed } from '../../kubernetes/fieldErrors.ts';
import { goQuote } from '../../kubernetes/goFormat.ts';
import { appendAll } from '../../kubernetes/longLists.ts';
import { list, pointer, text } from '../../kubernetes/schema/schema.ts';
import { labelKeyErrors } from '../../kubernetes/validation/names.ts';
import type { Toleration } from '../api/meta.ts';
import * as schema from '../api/policy.ts';
import type {
  ClusterAffinity,
  ClusterAffinityTerm,
  FieldSelector,
  Placement,
  ReplicaSchedulingStrategy,
  SpreadConstraint,
} from '../api/policy.ts';
import type { Admission } from './admission.ts';

/** A placement has clusterAffinity or clusterAffinities, not both; an empty list counts as set. */
export function affinityFormErrors(
  placement: Placement,
  field: string,
  { rules, types }: Admission,
): FieldError[] {
  if (!placement.clusterAffinity || !placement.clusterAffinities) return [];
  const value = typed(types.policy.Placement, placement);
  return [invalid(field, value, `clusterAffinities ${rules.cannot} co-exist with clusterAffinity`)];
}

/** The field selector of an affinity accepts provider, region and zone, with In and NotIn. */
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
      return `unsupported key ${goQuote(key)}, must be provider, region, or zone`;
    if (!['In', 'NotIn'].includes(operator))
      return `unsupported operator ${goQuote(operator)}, must be In or NotIn`;
  }
  return undefined;
}

const overflowAffinities = list(schema.OverflowClusterAffinity);

/** Overflow needs a division by available replicas: Aggregated or dynamic weight. */
export function overflowSchedulingErrors(placement: Placement, field: string): FieldError[] {
  if (dividesByCapacity(placement.replicaScheduling)) return [];
  return (placement.clusterAffinities ?? []).flatMap((affinity, index) =>
    affinity.overflowAffinities
      ? invalid(
          `${field}.clusterAffinities[${index}].overflowAffinities`,
          typed(overflowAffinities, affinity.overflowAffinities),
          'overflowAffinities can only be used together with dynamic weight or aggregated scheduling',
        )
      : [],
  );
}

function dividesByCapacity(strategy: ReplicaSchedulingStrategy | undefined): boolean {
  if (strategy?.replicaSchedulingType !== 'Divided') return false;
  if (strategy.replicaDivisionPreference === 'Aggregated') return true;
  return strategy.replicaDivisionPreference === 'Weighted' && !!strategy.weightPreference?.dynamicWeight;
}

/** Overflow terms need a primary group that selects clusters, and unique valid names. */
function overflowAffinityErrors(
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

/** Each affinity group needs a unique name that is a valid label key, and valid selectors. */
export function clusterAffinitiesErrors(
  affinities: ClusterAffinityTerm[] | undefined,
  field: string,
  { rules, types }: Admission,
): FieldError[] {
  const names = new Set<string>();
  return (affinities ?? []).flatMap((affinity, index) => {
    const { affinityName: name = '' } = affinity;
    const errors = labelKeyErrors(name, rules.labelKeyWords).map((error) =>
      invalid(`${field}[${index}]`, name, error),
    );
    if (names.has(name)) {
      const value = typed(list(types.policy.ClusterAffinityTerm), affinities);
      errors.push(invalid(field, value, 'each affinity term in a policy must have a unique name'));
    }
    names.add(name);
    return [
      ...errors,
      ...clusterAffinityErrors(affinity, `${field}[${index}]`),
      ...overflowAffinityErrors(affinity, `${field}[${index}]`, rules),
    ];
  });
}

/** Refuses Lt and Gt, which Kubernetes has only for nodes; other operators are not checked. */
export function clusterTolerationErrors(
  tolerations: Toleration[] | undefined,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  if (!rules.tolerationOperators) return [];
  return (tolerations ?? []).flatMap(({ operator }, index) =>
    operator === 'Lt' || operator === 'Gt'
      ? [
          notSupported(`${field}[${index}].operator`, typed(text('v1.TolerationOperator'), operator), [
            '',
            'Exists',
            'Equal',
          ]),
        ]
      : [],
  );
}

/**
 * Each constraint must be valid by itself, no field may repeat, and spreadByField also needs a constraint for clusters.
 */
export function spreadConstraintErrors(
  constraints: SpreadConstraint[] | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const all = typed(list(schema.SpreadConstraint), constraints);
  const timesSeen = new Map<string, number>();
  (constraints ?? []).forEach((constraint, index) => {
    appendAll(errors, singleConstraintErrors(constraint, `${field}[${index}]`));
    const { spreadByField } = constraint;
    if (!spreadByField) return;
    const times = (timesSeen.get(spreadByField) ?? 0) + 1;
    timesSeen.set(spreadByField, times);
    if (times === 2)
      errors.push(invalid(field, all, `multiple ${spreadByField} spread constraints are not allowed`));
  });
  if (timesSeen.size > 0 && !timesSeen.has('cluster'))
    errors.push(
      invalid(
        field,
        all,
        'the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled',
      ),
    );
  return errors;
}

function singleConstraintErrors(constraint: SpreadConstraint, field: string): FieldError[] {
  const { spreadByField, spreadByLabel, minGroups = 0, maxGroups = 0 } = constraint;
  const problems = [
    spreadByField && spreadByLabel && 'spreadByLabel should not co-exist with spreadByField',
    minGroups < 0 && 'minGroups lower than 0 is not allowed',
    maxGroups < 0 && 'maxGroups lower than 0 is not allowed',
    maxGroups > 0 && maxGroups < minGroups && 'maxGroups lower than minGroups is not allowed',
  ];
  return problems.flatMap((problem) =>
    problem ? [invalid(field, typed(schema.SpreadConstraint, constraint), problem)] : [],
  );
}

/** groupByLabelKey must be a valid label key, and differ between affinity and anti-affinity. */
export function workloadAffinityErrors(
  workloadAffinity: Placement['workloadAffinity'],
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  if (!workloadAffinity) return [];
  const errors: FieldError[] = [];
  const { affinity, antiAffinity } = workloadAffinity;
  for (const [name, term] of Object.entries({ affinity, antiAffinity })) {
    if (!term) continue;
    const key = term.groupByLabelKey ?? '';
    for (const error of labelKeyErrors(key, rules.labelKeyWords))
      errors.push(invalid(`${field}.${name}.groupByLabelKey`, key, error));
  }
  if (affinity && antiAffinity && (affinity.groupByLabelKey ?? '') === (antiAffinity.groupByLabelKey ?? ''))
    errors.push(
      invalid(
        field,
        typed(schema.WorkloadAffinity, workloadAffinity),
        'affinity and antiAffinity must not use the same groupByLabelKey',
      ),
    );
  return errors;
}
