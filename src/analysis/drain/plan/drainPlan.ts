import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { TargetCluster } from '../../../karmada/api/work.ts';
import type { Certainty, Evidence } from '../../../karmada/evidence.ts';
import type { TimelineEvent } from '../../../simulator/simulation/timeline/timelineEvent.ts';
import type { Span } from '../../../simulator/timeline/span.ts';
import type {
  Outcome,
  OutcomeOfWorkload,
  ReplicaGap,
  NonEmptyTargets,
} from '../../../simulator/verdicts/outcome.ts';
import type { DrainOptions } from '../drainOptions.ts';

/**
 * The outcome of a workload in a drain: if the drain or Karmada evicts it, the judge's outcome for the drained clusters
 * (`fateOfOutcome`); otherwise why it is not evicted.
 *
 * moves: all of its copies on the drained clusters are replaced elsewhere; partly-moves: only some are; leaves: no
 * replacement is needed (a Duplicated workload has copies on other clusters already); stays: it is not evicted, because
 * it tolerates the taints or was not selected; blocked: it cannot leave (no feasible cluster, a spread constraint,
 * suspended scheduling) and is not evicted, or it is evicted and held permanently, since its replacement does not
 * become ready; lost: the old copy is deleted without a replacement; flaps: it never settles; follows: it goes where
 * its parent goes.
 */
export type DrainOutcome = DrainOutcomeWithEnd['fate'];

/** An outcome with its final placement: a moved workload has one, a lost one is never ready. */
export type DrainOutcomeWithEnd =
  | { fate: 'moves' | 'partly-moves'; after: NonEmptyTargets; readyAt?: number }
  | { fate: 'leaves' | 'stays' | 'blocked' | 'flaps' | 'follows'; after: TargetCluster[]; readyAt?: number }
  | { fate: 'lost'; after: TargetCluster[]; readyAt?: never };

export type PlannedWorkload = DrainOutcomeWithEnd &
  Pick<OutcomeOfWorkload, 'leaving' | 'dependsOn' | 'possibleEnds' | 'deletedReady' | 'flapping'> &
  PlannedFacts;

interface PlannedFacts {
  kind: string;
  namespace?: string;
  name: string;
  /** the ResourceBinding or ClusterResourceBinding */
  binding: ObjectIdentity;
  /** the resourceVersion that the plan is based on */
  resourceVersion?: string;
  uid?: string;
  /** the drained clusters that it is on, with replicas */
  from: TargetCluster[];
  before: TargetCluster[];
  /**
   * its outcome in the simulated drain, in the terms of all commands; absent if its binding is deleted meanwhile, and
   * for dependents in older files
   */
  outcome?: Outcome;
  /** in words: "tolerates cluster.karmada.io/unschedulable", "no feasible cluster: …" */
  reason?: string;
  certainty: Certainty;
  /** position in the order of evictions, from 1; absent if it is not evicted */
  order?: number;
  /** in the simulation, epoch milliseconds */
  evictedAt?: number;
  /** when the old copy is deleted; `readyAt` is when the replacement is ready */
  goneAt?: number;
  /** until when it stays, or when it is lost */
  until?: number;
  gap?: ReplicaGap;
  /** the bindings that a dependent follows, whatever its outcome; absent for other workloads, and in older files */
  requiredBy?: ObjectIdentity[];
  /** bindings that follow it, and dependents left behind although it needs them */
  takesAlong: ObjectIdentity[];
  leavesBehind: ObjectIdentity[];
  evidence: Evidence[];
}

/** Allocation and capacity of a cluster, before and after. Quantities are as the API prints them. */
export interface PlannedCluster {
  name: string;
  drained: boolean;
  ready: string;
  /** it was being deleted already, and is gone at the end */
  deleted?: true;
  before: { workloads: number; replicas: number };
  after: { workloads: number; replicas: number };
  /** absent if the cluster reports no resource summary */
  capacity?: { resource: string; allocatable: string; allocatedBefore: string; allocatedAfter: string }[];
}

/** A write of the plan, a cordon or an eviction: the object and the merge patch. */
export interface PlannedWrite {
  object: ObjectIdentity;
  /** the server refuses the write for any other version */
  resourceVersion?: string;
  uid?: string;
  patch: unknown;
}

export type Risk = 'loss' | 'blocked' | 'overcommit' | 'unhealthy';

/** A reason not to start, unless the user accepts the risk. */
export interface DrainRefusal {
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
  refusals: DrainRefusal[];
  /**
   * Seconds from the first eviction to the end of the last old copy: shortest, if all replicas were ready at once;
   * expected, as simulated; longest, if a timeout limits it (absent while old copies are held)
   */
  duration: { shortest: number; expected: number; longest?: number };
  /** false if the simulation did not settle; the outcomes of workloads then show what is unfinished */
  atRest: boolean;
  events: TimelineEvent[];
  /** the course of each workload, if requested; never in a file */
  course?: { spans: Span[]; /** epoch milliseconds */ end: number };
}
