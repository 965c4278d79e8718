import { defaultObject } from '../../../src/karmada/defaults/defaultObject.ts';
import type { AdmissionRequest } from '../../../src/karmada/validation/admission.ts';
import type { Dialect } from '../../../src/karmada/dialects/dialects.ts';
import type { Suite } from '../suite.ts';

/** Before v1.15 the webhook has settings for the tolerations that it adds; absent means 0. */
interface Input extends AdmissionRequest {
  defaultNotReadyTolerationSeconds?: number;
  defaultUnreachableTolerationSeconds?: number;
}

export default {
  answer(input: Input, { rules }: Dialect) {
    const { defaultNotReadyTolerationSeconds: notReady, defaultUnreachableTolerationSeconds: unreachable } =
      input;
    const defaulted = defaultObject({
      ...input,
      rules,
      defaultTolerations: { notReady: notReady ?? 0, unreachable: unreachable ?? 0 },
      permanentId: '<uuid>',
    });
    if (defaulted.allowed) return { allowed: true, object: defaulted.object };
    return { allowed: false, code: defaulted.code, message: defaulted.message };
  },
} satisfies Suite;
