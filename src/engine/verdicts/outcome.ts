import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Certainty } from '../evidence.ts';

/** flaps: it never comes to rest. */
export type Outcome = 'stays' | 'moves' | 'partly-moves' | 'blocked' | 'lost' | 'tolerates' | 'flaps';

/** Where something is, if it is anywhere. */
export type SomeTargets = [TargetCluster, ...TargetCluster[]];

/** What becomes of one workload. What moves is somewhere afterwards. */
export type WorkloadOutcome = OutcomeOfWorkload &
  (
    | { outcome: 'moves' | 'partly-moves'; after: SomeTargets }
    | { outcome: Exclude<Outcome, 'moves' | 'partly-moves'>; after: TargetCluster[] }
  );

interface OutcomeOfWorkload {
  kind: string;
  namespace?: string;
  name: string;
  /** the ResourceBinding or ClusterResourceBinding */
  binding: ObjectIdentity;
  before: TargetCluster[];
  /** clusters that still hold the old copy under a task at the end */
  evicting: string[];
  reason?: string;
  certainty: Certainty;
  /** what an estimate or unknown depends on */
  dependsOn?: string[];
  /** where it may end, if orders that Karmada leaves open give several ends; `after` is one of them */
  possibleEnds?: TargetCluster[][];
  gap?: ReplicaGap;
  /** of what flaps: milliseconds from one time to the next, and the reason of its evictions */
  flapping?: { period: number; cause: string };
  /** copies that were ready in a member that could be reached, and were deleted with fewer replicas left than it wants */
  deletedReady?: { cluster: string; /** epoch milliseconds */ time: number; replicas: number }[];
}

/** Ready replicas that are missing against what the workload is to have, for how long. */
export interface ReplicaGap {
  /** the most replicas missing at one time */
  replicas: number;
  /** seconds during which fewer replicas were ready than it is to have */
  seconds: number;
  /** true when the gap lasts at the end of the simulation */
  open: boolean;
}
