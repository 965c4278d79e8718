import { decodeObject } from '../../../src/karmada/api/decodeObject.ts';
import { admissionOf, type AdmissionRequest } from '../../../src/karmada/validation/admission.ts';
import { propagationSpecErrors } from '../../../src/karmada/validation/propagationSpec.ts';
import { validateObject, type WebhookSettings } from '../../../src/karmada/validation/validateObject.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import { unequal, type Suite } from '../suite.ts';

type Input = AdmissionRequest & Omit<WebhookSettings, 'rules'>;

export default {
  answer(input: Input, { rules }: Dialect) {
    const admission = admissionOf(rules);
    const verdict = validateObject({ ...input, rules });
    const answer = verdict.allowed
      ? { allowed: true }
      : { allowed: false, code: verdict.code, message: verdict.message };
    if (input.kind !== 'PropagationPolicy' && input.kind !== 'ClusterPropagationPolicy') return answer;
    const decoded = decodeObject(input.kind, input.object, admission.types);
    if ('error' in decoded) return answer;
    const { spec } = decoded.value;
    const errors = propagationSpecErrors(spec ?? {}, input.namespace ?? '', admission);
    return {
      ...answer,
      specErrors: errors.map(({ type, field, detail, message }) => ({ type, field, detail, error: message })),
    };
  },
  // the address of a pointer differs each time
  difference: (expected: unknown, actual: unknown) =>
    unequal(withoutAddresses(expected), withoutAddresses(actual)),
} satisfies Suite;

function withoutAddresses(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(/\(0x[0-9a-f]+\)/g, '(0x0)'));
}
