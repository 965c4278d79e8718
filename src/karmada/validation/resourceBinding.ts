import { invalid, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { unmarshal } from '../../kubernetes/goJson.ts';
import { decode } from '../../kubernetes/schema/decode.ts';
import type { FeatureGates } from '../configuration/configuration.ts';
import { DEPENDENCIES_ANNOTATION } from '../api/names.ts';
import { dependentObjectReferences, type Component, type ResourceBinding } from '../api/work.ts';
import { decodeObject } from '../api/decodeObject.ts';
import {
  admitUnless,
  allowed,
  unreadable,
  type Admission,
  type AdmissionRequest,
  type Refusal,
} from './admission.ts';
import { refuseOverQuota } from './federatedResourceQuota.ts';

export interface BindingAdmission {
  admission: Admission;
  featureGates: Pick<FeatureGates, 'MultiplePodTemplatesScheduling' | 'FederatedQuotaEnforcement'>;
  /** the FederatedResourceQuotas of the binding's namespace, as the API serves them */
  federatedResourceQuotas: readonly unknown[];
}

/** The validating webhook of ResourceBinding. ClusterResourceBinding has none; neither has any binding before v1.14. */
export function validateResourceBinding(
  request: AdmissionRequest,
  { admission, featureGates, federatedResourceQuotas }: BindingAdmission,
): typeof allowed | Refusal {
  const { rules, types } = admission;
  const looksAtAll = rules.bindingWebhook === 'quotaAndComponents';
  if (!looksAtAll && !(rules.bindingWebhook === 'quota' && featureGates.FederatedQuotaEnforcement))
    return allowed;
  const decoded = decodeObject('ResourceBinding', request.object, types);
  if ('error' in decoded) return unreadable(decoded.error);
  const binding = decoded.value;
  let old: ResourceBinding | undefined;
  if (request.operation === 'UPDATE') {
    const decodedOld = decodeObject('ResourceBinding', request.oldObject, types);
    if ('error' in decodedOld) return unreadable(decodedOld.error);
    old = decodedOld.value;
  }
  if (rules.dependenciesAnnotation) {
    const errors = dependenciesErrors(binding.metadata?.annotations, 'metadata.annotations');
    if (errors.length > 0) return admitUnless(errors);
  }
  if (featureGates.FederatedQuotaEnforcement) {
    const refusal = refuseOverQuota(binding, old, federatedResourceQuotas, admission);
    if (refusal) return refusal;
  }
  if (!looksAtAll || !featureGates.MultiplePodTemplatesScheduling) return allowed;
  return admitUnless(componentErrors(binding.spec?.components, 'spec.components'));
}

/** The annotation that lists dependencies must be JSON. */
function dependenciesErrors(annotations: Record<string, string> | undefined, field: string): FieldError[] {
  const dependencies = annotations?.[DEPENDENCIES_ANNOTATION];
  if (dependencies === undefined || isListOfDependencies(dependencies)) return [];
  return [
    invalid(`${field}.${DEPENDENCIES_ANNOTATION}`, dependencies, 'annotation value must be a valid JSON'),
  ];
}

function isListOfDependencies(json: string): boolean {
  const parsed = unmarshal(json);
  if ('error' in parsed) return false;
  return !('error' in decode(dependentObjectReferences, parsed.value, { anyCase: true }));
}

/** The components of a workload need unique names. */
function componentErrors(components: Component[] | undefined, field: string): FieldError[] {
  const names = new Set<string>();
  return (components ?? []).flatMap(({ name = '' }, index) => {
    const nameField = `${field}[${index}].name`;
    if (name === '') return [invalid(nameField, name, 'component names must be non-empty')];
    if (names.has(name)) return [invalid(nameField, name, 'component names must be unique')];
    names.add(name);
    return [];
  });
}
