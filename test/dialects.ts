import { dialectOf } from '../src/karmada/dialects/dialects.ts';

/** The version that tests speak of when they name none. */
export const v1_18 = dialectOf('v1.18.2').dialect;
