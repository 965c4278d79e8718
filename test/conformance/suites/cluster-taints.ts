import type { Taint } from '../../../src/karmada/api/meta.ts';
import { clusterTaintListErrors } from '../../../src/karmada/validation/clusterTaints.ts';
import type { Suite } from '../suite.ts';

interface Input {
  taints?: Taint[];
}

export default {
  answer({ taints = [] }: Input, { rules }) {
    const errors = clusterTaintListErrors(taints, 'spec.taints', rules.admission);
    return { errors: errors.map(({ field, message }) => ({ field, message })) };
  },
} satisfies Suite;
