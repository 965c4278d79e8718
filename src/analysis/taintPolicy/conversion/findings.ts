import type { PolicyTaint } from '../../../karmada/api/policy.ts';
import type { TypeStatuses } from './statusSets.ts';
import type { KeptSpec, PolicyForm } from './forms.ts';
import type { DataChange } from '../../../kubernetes/dataChange.ts';

/** What a conversion loses or changes, as data. */
export type ConversionFact =
  /** the proposed form waits before it acts, the shipped one does not */
  | { code: 'durations'; taint: PolicyTaint; addOnMatchSeconds: number; removeOnMismatchSeconds: number }
  /** windows are at least one second long */
  | { code: 'one-second'; to: PolicyForm }
  /** PreferNoExecute becomes NoSchedule, or is left out because the policy lists that as well */
  | { code: 'effect'; taint: PolicyTaint; leftOut: boolean }
  /** an empty list: every cluster in the proposed form, no cluster in the shipped one */
  | { code: 'empty-conditions'; to: PolicyForm }
  /** statuses at which one form removes a taint and the other does not */
  | { code: 'removal'; to: PolicyForm; holds: 'both' | 'neither'; where: TypeStatuses[] }
  /**
   * a cluster that does not report the type: the proposed form removes the taint, the shipped one does not change it
   */
  | { code: 'absent-condition'; to: PolicyForm; conditionType: string }
  /** another policy lists the taint for possibly the same clusters */
  | { code: 'shared-taint'; taint: PolicyTaint; policy: string }
  /** the shipped form requires a taint */
  | { code: 'no-taints' }
  /** what an earlier conversion kept is restored; `text`: the policy as written at that time */
  | { code: 'restored'; what: ('text' | 'windows' | 'effect' | 'conditions' | 'taint')[] }
  /** the annotation was not written by a conversion, or belongs to a policy in the other form */
  | { code: 'bad-annotation' }
  /** the other form's API would refuse the policy */
  | { code: 'refused-there'; to: PolicyForm; message: string }
  /** settings kept by an earlier conversion no longer fit, since the policy was edited */
  | { code: 'outdated'; what: 'removeOnConditions' }
  | { code: 'outdated'; what: 'taint'; taint: PolicyTaint };

export type ConversionCode = ConversionFact['code'];

/**
 * - `note`: nothing to decide
 * - `stops`: the policy would behave differently; a user has to accept it
 * - `impossible`: there is no equivalent policy
 */
export type Weight = 'note' | 'stops' | 'impossible';

export type ConversionFinding = ConversionFact & {
  weight: Weight;
  /** path of the field before the conversion: "spec.taintsToAdd[0]" */
  field: string;
};

/** The codes of findings that a user can accept. */
export const acceptableCodes = [
  'durations',
  'effect',
  'empty-conditions',
  'removal',
  'absent-condition',
  'shared-taint',
] as const satisfies readonly ConversionCode[];

/** The changes that bring a policy into the other form, and their meaning. */
export interface Conversion {
  /** for the policy as a whole; without the annotation that keeps the rest */
  changes: DataChange[];
  findings: ConversionFinding[];
  kept: KeptSpec;
}
