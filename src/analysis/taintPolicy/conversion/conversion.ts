import type { DataChange } from '../../../kubernetes/dataChange.ts';
import type { ConversionFinding } from './findings.ts';
import type { KeptSpec } from './keptSpec.ts';

/** What has to be done to a policy so that it is in the other form, and what that means. */
export interface Conversion {
  /** of the policy as a whole; the annotation that keeps the rest is not among them */
  changes: DataChange[];
  findings: ConversionFinding[];
  kept: KeptSpec;
}
