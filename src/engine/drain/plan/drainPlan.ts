import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { TargetCluster } from '../../../karmada/api/work.ts';
import type { Certainty, Evidence } from '../../evidence.ts';
import type { TimelineEvent } from '../../simulation/timeline/timelineEvent.ts';
import type { Outcome, OutcomeOfWorkload, ReplicaGap, SomeTargets } from '../../verdicts/outcome.ts';
import type { DrainOptions } from '../drainOptions.ts';

/**
 * What a drain makes of a workload: of what it evicts, or Karmada, the outcome as the judge has it, with regard to the drained clusters
 * (`fateOfOutcome`); of the rest, why it is not evicted.
 *
 * moves: all that it had on the drained clusters runs elsewhere at the end; partly-moves: less of it does;
 * leaves: nothing has to run elsewhere (copies of it are on other clusters already, by duplication);
 * stays: it is not evicted, by its tolerations or because it was left out; blocked: it cannot leave (nothing
 * fits, a spread constraint, suspended scheduling), and is not evicted, or it is evicted and held for good, since
 * its replacement does not get ready; lost: the old copy goes and nothing
 * replaces it; flaps: it never comes to rest; follows: it goes where the workload goes that requires it.
 */
export type DrainFate = FateWithEnd['fate'];

/** A fate with the placement that it leaves: what moves is somewhere, and what is lost is never ready. */
export type FateWithEnd =
  | { fate: 'moves' | 'partly-moves'; after: SomeTargets; readyAt?: number }
  | { fate: 'leaves' | 'stays' | 'blocked' | 'flaps' | 'follows'; after: TargetCluster[]; readyAt?: number }
  | { fate: 'lost'; after: TargetCluster[]; readyAt?: never };

export type PlannedWorkload = FateWithEnd &
  Pick<OutcomeOfWorkload, 'leaving' | 'dependsOn' | 'possibleEnds' | 'deletedReady' | 'flapping'> &
  PlannedFacts;

interface PlannedFacts {
  kind: string;
  namespace?: string;
  name: string;
  /** the ResourceBinding or ClusterResourceBinding */
  binding: ObjectIdentity;
  /** the version that the plan stands on */
  resourceVersion?: string;
  uid?: string;
  /** the drained clusters that it is on, with replicas */
  from: TargetCluster[];
  before: TargetCluster[];
  /** what becomes of it with the drain, as every command says it; absent if its binding is deleted meanwhile, and of what follows others in files saved before that was told */
  outcome?: Outcome;
  /** in words: "tolerates cluster.karmada.io/unschedulable", "no feasible cluster: …" */
  reason?: string;
  certainty: Certainty;
  /** position in the order of evictions, from 1; absent if it is not evicted */
  order?: number;
  /** epoch milliseconds in the simulation */
  evictedAt?: number;
  /** when the old copy is gone; the replacement's replicas are ready at `readyAt` */
  goneAt?: number;
  /** until when it stays, or when it is lost */
  until?: number;
  gap?: ReplicaGap;
  /** of what follows others, whatever its fate: their bindings; absent of what a policy places, and in files saved before this was told */
  requiredBy?: ObjectIdentity[];
  /** bindings that follow it, and those that it would want with it but which stay behind */
  takesAlong: ObjectIdentity[];
  leavesBehind: ObjectIdentity[];
  evidence: Evidence[];
}

/** What a cluster holds and has room for, before and after. Quantities as the API prints them. */
export interface PlannedCluster {
  name: string;
  drained: boolean;
  ready: string;
  before: { workloads: number; replicas: number };
  after: { workloads: number; replicas: number };
  /** absent if the cluster reports no resource summary */
  capacity?: { resource: string; allocatable: string; allocatedBefore: string; allocatedAfter: string }[];
}

/** A write that the plan begins with, or that each eviction comes to: the object and the merge patch. */
export interface PlannedWrite {
  object: ObjectIdentity;
  /** the version that the write would be refused without */
  resourceVersion?: string;
  uid?: string;
  patch: unknown;
}

export type Risk = 'loss' | 'blocked' | 'overcommit' | 'unhealthy';

/** A reason not to begin, unless the user accepts the risk. */
export interface Refusal {
  risk: Risk;
  accepted: boolean;
  /** one line: "2 workloads would be lost" */
  problem: string;
  workloads: ObjectIdentity[];
}

export interface DrainPlan {
  /** epoch milliseconds */
  now: number;
  options: DrainOptions;
  karmadaVersion: string;
  /** cordons first */
  cordons: PlannedWrite[];
  workloads: PlannedWorkload[];
  clusters: PlannedCluster[];
  refusals: Refusal[];
  /**
   * Seconds from the first eviction to the end of the last old copy: as fast as the pace lets replicas be ready at once;
   * as the simulation has it; at the most, where a timeout bounds it (absent while old copies are held)
   */
  duration: { shortest: number; expected: number; longest?: number };
  /** the simulation did not come to rest: what is left is then in the workloads' fates */
  atRest: boolean;
  events: TimelineEvent[];
}
