import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import { decodeObject } from '../../../src/karmada/schema/kinds.ts';
import type { AdmissionRequest } from '../../../src/karmada/validation/admission.ts';
import { propagationSpecErrors } from '../../../src/karmada/validation/propagationSpec.ts';
import { validateObject, type WebhookSettings } from '../../../src/karmada/validation/validateObject.ts';
import type { Suite } from '../suite.ts';

type Input = AdmissionRequest & WebhookSettings;

export default {
  answer(input: Input) {
    const verdict = validateObject(input);
    const answer = verdict.allowed
      ? { allowed: true }
      : { allowed: false, code: verdict.code, message: verdict.message };
    if (input.kind !== 'PropagationPolicy' && input.kind !== 'ClusterPropagationPolicy') return answer;
    const decoded = decodeObject(input.kind, input.object);
    if ('error' in decoded) return answer;
    const { spec } = decoded.value as PropagationPolicy;
    const errors = propagationSpecErrors(spec ?? {}, input.namespace ?? '');
    return {
      ...answer,
      specErrors: errors.map(({ type, field, detail, message }) => ({ type, field, detail, error: message })),
    };
  },
} satisfies Suite;
