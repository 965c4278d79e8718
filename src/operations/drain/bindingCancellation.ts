import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';

export interface RestoredWorkload {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  /** put back into spec.clusters */
  to: TargetCluster[];
  /** taken back from the clusters that had replaced it */
  given: TargetCluster[];
  /** what the user has to know about it */
  note?: string;
}

export interface LeftWorkload {
  workload: ObjectIdentity;
  binding: ObjectIdentity;
  from: string[];
  reason: string;
}

/** How to put one binding back. */
export interface BindingCancellation {
  /** the spec to write; the binding's own if nothing changes */
  spec: ResourceBindingSpec;
  /** the affinity group to write into the status first, so that the scheduler goes back to it */
  affinityName?: string;
  restored?: Omit<RestoredWorkload, 'workload' | 'binding'>;
  left?: Omit<LeftWorkload, 'workload' | 'binding'>;
  /** it cannot go back; its old copy is held until the replacement is ready */
  held?: true;
  /** of a dependent: clusters that its parents are back on, and that Karmada has yet to write into its requiredBy */
  waiting?: string[];
}
