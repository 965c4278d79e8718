import type { Configuration } from '../configuration/configuration.ts';
import type { Rules } from '../dialects/rules.ts';
import { admissionOf, allowed, type AdmissionRequest, type Refusal } from './admission.ts';
import { validateClusterTaintPolicy } from './clusterTaintPolicy.ts';
import { validateOverridePolicy } from './overridePolicy.ts';
import { validatePropagationPolicy } from './propagationPolicy.ts';
import { validateResourceBinding } from './resourceBinding.ts';

/** Inputs of the webhooks besides the request. Absent gates and flags are off. */
export interface WebhookSettings {
  featureGates?: Partial<Configuration['featureGates']>;
  /** --allow-no-execute-taint-policy */
  allowNoExecuteTaintPolicy?: boolean;
  /** the FederatedResourceQuotas of the binding's namespace */
  federatedResourceQuotas?: readonly unknown[];
  /** the rules of the version whose webhooks run */
  rules: Rules;
}

/**
 * Mirrors Karmada's validating webhook for the object's kind: allows the object, or refuses it with Karmada's code and
 * text, and the errors by field. Allows kinds without a webhook here.
 */
export function validateObject(request: AdmissionRequest & WebhookSettings): typeof allowed | Refusal {
  const admission = admissionOf(request.rules);
  switch (request.kind) {
    case 'PropagationPolicy':
    case 'ClusterPropagationPolicy':
      return validatePropagationPolicy(request.kind, request, admission);
    case 'OverridePolicy':
    case 'ClusterOverridePolicy':
      return validateOverridePolicy(request.kind, request, admission);
    case 'ClusterTaintPolicy':
      if (!request.rules.api.clusterTaintPolicy) return allowed;
      return validateClusterTaintPolicy(
        request,
        request.allowNoExecuteTaintPolicy ?? false,
        request.rules.api.taintPolicyForm,
        admission,
      );
    case 'ResourceBinding': {
      const { MultiplePodTemplatesScheduling = false, FederatedQuotaEnforcement = false } =
        request.featureGates ?? {};
      return validateResourceBinding(request, {
        admission,
        featureGates: { MultiplePodTemplatesScheduling, FederatedQuotaEnforcement },
        federatedResourceQuotas: request.federatedResourceQuotas ?? [],
      });
    }
    default:
      return allowed;
  }
}
