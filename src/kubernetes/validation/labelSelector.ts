// Label selectors, in the words of k8s.io/apimachinery/pkg/apis/meta/v1/validation.
import { forbidden, invalid, requiredValue, typed, type FieldError } from '../fieldErrors.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../labelSelector.ts';
import { text } from '../schema/schema.ts';
import { labelKeyErrors, labelValueErrors, type LabelKeyWords } from './labels.ts';

/** What is wrong with a label selector at `field`; nothing if Kubernetes accepts it. */
export function labelSelectorErrors(selector: LabelSelector, field: string): FieldError[] {
  return [
    ...Object.entries(selector.matchLabels ?? {}).flatMap(([key, value]) => [
      ...labelKeyFieldErrors(key, `${field}.matchLabels`),
      ...labelValueErrors(value).map((error) => invalid(`${field}.matchLabels`, value, error)),
    ]),
    ...(selector.matchExpressions ?? []).flatMap((requirement, index) =>
      requirementErrors(requirement, `${field}.matchExpressions[${index}]`),
    ),
  ];
}

/** What is wrong with a label's key at `field`; nothing if Kubernetes accepts it. */
export function labelKeyFieldErrors(key: string, field: string, words?: LabelKeyWords): FieldError[] {
  return labelKeyErrors(key, words).map((error) => invalid(field, key, error));
}

function requirementErrors(requirement: LabelSelectorRequirement, field: string): FieldError[] {
  const { key = '', operator = '', values = [] } = requirement as Partial<LabelSelectorRequirement>;
  return [
    ...operatorErrors(operator, values, field),
    ...labelKeyFieldErrors(key, `${field}.key`),
    ...values.flatMap((value, index) =>
      labelValueErrors(value).map((error) => invalid(`${field}.values[${index}]`, value, error)),
    ),
  ];
}

function operatorErrors(operator: string, values: string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      ];
    default: {
      const value = typed(text('v1.LabelSelectorOperator'), operator);
      return [invalid(`${field}.operator`, value, 'not a valid selector operator')];
    }
  }
}
