import { dialectOf } from '../src/karmada/dialects/dialects.ts';

/** The default version in tests. */
export const v1_18 = dialectOf('v1.18.2').dialect;
