import { defaultObject } from '../../../src/karmada/defaults/defaultObject.ts';
import type { AdmissionRequest } from '../../../src/karmada/validation/admission.ts';
import type { Suite } from '../suite.ts';

export default {
  answer(input: AdmissionRequest) {
    const defaulted = defaultObject({ ...input, permanentId: '<uuid>' });
    if (defaulted.allowed) return { allowed: true, object: defaulted.object };
    return { allowed: false, code: defaulted.code, message: defaulted.message };
  },
} satisfies Suite;
