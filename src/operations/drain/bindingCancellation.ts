import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';

export interface RestoredWorkload {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  /** put back into spec.clusters */
  to: TargetCluster[];
  /** given back by what had replaced it */
  given: TargetCluster[];
  /** what the user has to know of it */
  note?: string;
}

export interface LeftWorkload {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  from: string[];
  reason: string;
}

/** What is to be made of one binding. */
export interface BindingCancellation {
  /** the spec to be written; the binding's own where nothing is to be */
  spec: ResourceBindingSpec;
  /** the affinity group that the scheduler has to be put back to before, in the status */
  affinityName?: string;
  restored?: Omit<RestoredWorkload, 'workload' | 'binding'>;
  left?: Omit<LeftWorkload, 'workload' | 'binding'>;
  /** it cannot go back, and its old copy is held until the replacement is ready */
  held?: true;
  /** of what goes where others go: clusters that those are back on, which Karmada has still to write into its requiredBy */
  waiting?: string[];
}
