import { invalid, requiredValue, tooLong, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { json, pointer } from '../../kubernetes/schema/schema.ts';
import { utf8Length } from '../../kubernetes/utf8.ts';
import { labelKeyErrors, labelKeyFieldErrors, labelValueErrors } from '../../kubernetes/validation/names.ts';
import { decodeObject } from '../api/decodeObject.ts';
import { FieldOverrider, type Overriders, type OverrideSpec } from '../api/override.ts';
import { ClusterAffinity } from '../api/policy.ts';
import {
  admitUnless,
  inWordsOf,
  unreadable,
  type Admission,
  type AdmissionRequest,
  type allowed,
  type Refusal,
} from './admission.ts';
import { clusterAffinityErrors } from './placement.ts';
import { selectorNamespaceErrors } from './propagationSpec.ts';

/** The validating webhook of OverridePolicy and ClusterOverridePolicy. */
export function validateOverridePolicy(
  kind: 'OverridePolicy' | 'ClusterOverridePolicy',
  request: AdmissionRequest,
  admission: Admission,
): typeof allowed | Refusal {
  const decoded = decodeObject(kind, request.object, admission.types);
  if ('error' in decoded) return unreadable(decoded.error);
  return admitUnless(overrideSpecErrors(decoded.value.spec ?? {}, request.namespace ?? '', admission));
}

/** All errors of the spec of an override, in Karmada's order (ValidateOverrideSpec). */
function overrideSpecErrors(spec: OverrideSpec, namespace: string, admission: Admission): FieldError[] {
  const { targetCluster, overriders, overrideRules, resourceSelectors } = spec;
  const { Overriders } = admission.types.override;
  const errors = [
    ...clusterAffinityErrors(targetCluster, 'spec.targetCluster'),
    ...(targetCluster && overrideRules
      ? [
          invalid(
            'spec.targetCluster',
            typed(pointer(ClusterAffinity), targetCluster),
            "overrideRules and targetCluster can't co-exist",
          ),
        ]
      : []),
    ...(hasOverriders(overriders) && overrideRules
      ? [
          invalid(
            'spec.overriders',
            typed(Overriders, overriders),
            "overrideRules and overriders can't co-exist",
          ),
        ]
      : []),
    ...(overrideRules ?? []).flatMap((rule, at) => {
      const field = `spec.overrideRules[${at}]`;
      return [
        ...overriderErrors(rule.overriders ?? {}, `${field}.overriders`, admission.rules),
        ...clusterAffinityErrors(rule.targetCluster, `${field}.targetCluster`),
      ];
    }),
    ...selectorNamespaceErrors(resourceSelectors, namespace, 'spec.resourceSelectors', admission.rules),
  ];
  return inWordsOf(errors, admission.rules);
}

/** Whether an override without rules has an effect; a fieldOverrider does not count. */
function hasOverriders({ fieldOverrider: _, ...others }: Overriders = {}): boolean {
  return Object.values(others).some((list) => list && list.length > 0);
}

function overriderErrors(overriders: Overriders, field: string, rules: Admission['rules']): FieldError[] {
  const { annotationsOverrider = [], labelsOverrider = [], imageOverrider = [] } = overriders;
  return [
    ...annotationsOverrider.flatMap(({ value }, at) =>
      annotationErrors(value, `${field}.annotationsOverrider[${at}].value`, rules),
    ),
    ...labelsOverrider.flatMap(({ value }, at) =>
      labelErrors(value, `${field}.labelsOverrider[${at}].value`, rules),
    ),
    ...imageOverrider.flatMap(({ predicate }, at) =>
      predicate
        ? pathErrors(predicate.path, `${field}.imageOverrider[${at}].predicate.path`, rules.overriderPath)
        : [],
    ),
    ...(overriders.fieldOverrider ?? []).flatMap((one, at) =>
      fieldOverriderErrors(one, `${field}.fieldOverrider[${at}]`, rules),
    ),
  ];
}

type FieldOverride = NonNullable<Overriders['fieldOverrider']>[number];

/** A field is edited as JSON or as YAML, by operations with a value unless they remove. */
function fieldOverriderErrors(one: FieldOverride, field: string, rules: Admission['rules']): FieldError[] {
  const isJson = (one.json ?? []).length > 0;
  const isYaml = (one.yaml ?? []).length > 0;
  return [
    ...(isJson && isYaml
      ? [
          invalid(
            field,
            typed(FieldOverrider, one),
            'FieldOverrider has both YAML and JSON set. Only one is allowed',
          ),
        ]
      : []),
    ...(!isJson && !isYaml && rules.fieldOverriderOperations
      ? [requiredValue(field, 'FieldOverrider must have either JSON or YAML set')]
      : []),
    ...pathErrors(one.fieldPath, `${field}.fieldPath`, rules.overriderPath),
    ...(['json', 'yaml'] as const).flatMap((form) =>
      (one[form] ?? []).flatMap(({ subPath, operator, value }, at) => [
        ...pathErrors(subPath, `${field}.${form}[${at}].subPath`, rules.overriderPath),
        ...valueErrors(operator, value, `${field}.${form}[${at}].value`),
      ]),
    ),
  ];
}

function valueErrors(operator: string, value: unknown, field: string): FieldError[] {
  const shown = typed(json, value);
  if (operator === 'remove')
    return value === undefined ? [] : [invalid(field, shown, 'value is not allowed for remove operation')];
  return value === undefined ? [invalid(field, shown, 'value is required for add or replace operation')] : [];
}

/** A non-empty path begins with a slash; `problem`: the error in the version's wording. */
function pathErrors(
  path = '',
  field: string,
  { problem, orEmpty }: Admission['rules']['overriderPath'],
): FieldError[] {
  return path.startsWith('/') || (orEmpty && path === '') ? [] : [invalid(field, path, problem)];
}

/** The most bytes of all annotations of an object together. */
const MAX_ANNOTATIONS = 256 * 1024;

function annotationErrors(
  annotations: Record<string, string> = {},
  field: string,
  { labelKeyWords }: Admission['rules'],
): FieldError[] {
  const all = Object.entries(annotations);
  const size = all.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  return [
    ...all.flatMap(([key]) =>
      labelKeyErrors(key.toLowerCase(), labelKeyWords).map((problem) => invalid(field, key, problem)),
    ),
    ...(size > MAX_ANNOTATIONS ? [tooLong(field, MAX_ANNOTATIONS)] : []),
  ];
}

function labelErrors(
  labels: Record<string, string> = {},
  field: string,
  { labelKeyWords }: Admission['rules'],
): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKeyFieldErrors(key, field, labelKeyWords),
    ...labelValueErrors(value, labelKeyWords).map((problem) => invalid(field, value, problem)),
  ]);
}
