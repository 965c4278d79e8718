import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { compareAge, compareText } from '../store/indexes.ts';

/**
 * The outcome of a workload:
 * - `stays`: it keeps its placement
 * - `tolerates`: it keeps its placement, although its cluster fails or is tainted
 * - `starts`: it had no copy and is placed
 * - `moves`: it leaves a cluster, and as much of it as before is placed
 * - `restarted`: its copy was deleted, and created again on the same cluster
 * - `partly-moves`: less of it is left, since nothing replaces the rest
 * - `blocked`: the scheduler finds no cluster for the missing part; the rest keeps running, and so does an old copy
 *   while its task keeps it
 * - `lost`: nothing of it is left, or nothing of it becomes ready
 * - `flaps`: it never settles
 * - `deleted`: it, or everything that requires it, is deleted on purpose
 */
export type Outcome =
  | 'stays'
  | 'tolerates'
  | 'starts'
  | 'moves'
  | 'restarted'
  | 'partly-moves'
  | 'blocked'
  | 'lost'
  | 'flaps'
  | 'deleted';

/** The outcomes after which it has a placement. */
export type PlacedOutcome = 'starts' | 'moves' | 'restarted' | 'partly-moves';

/** At least one cluster. */
export type NonEmptyTargets = [TargetCluster, ...TargetCluster[]];

/** An outcome with the final placement. A workload that moves has one afterwards. */
export type OutcomeWithEnd =
  | { outcome: PlacedOutcome; after: NonEmptyTargets }
  | { outcome: Exclude<Outcome, PlacedOutcome>; after: TargetCluster[] };

export type WorkloadOutcome = OutcomeOfWorkload & OutcomeWithEnd;

/** The other fields of a workload's outcome. */
export interface OutcomeOfWorkload {
  kind: string;
  namespace?: string;
  name: string;
  /** the ResourceBinding or ClusterResourceBinding */
  binding: ObjectIdentity;
  before: TargetCluster[];
  /** copies under eviction at the start */
  leaving?: TargetCluster[];
  /** clusters that still hold the old copy under a task at the end: not those whose copies are purged directly */
  evicting: string[];
  reason?: string;
  certainty: Certainty;
  /** what an estimate or unknown depends on */
  dependsOn?: string[];
  /**
   * possible final placements, if the processing order, which Karmada does not guarantee, leads to several; `after` is
   * one of them, unless it flaps
   */
  possibleEnds?: TargetCluster[][];
  gap?: ReplicaGap;
  /** no replica of it is ready at the end, though it should have some */
  down?: true;
  /** in versions with a single eviction queue: the outcome of an eviction that the queue has not released */
  evictionQueue?: QueuedOutcome[];
  /** if it flaps: milliseconds from one round to the next, and the reason of its evictions */
  flapping?: { period: number; cause: string };
  /** ready copies in reachable members that were deleted although fewer replicas were left than desired */
  deletedReady?: { cluster: string; /** epoch milliseconds */ time: number; replicas: number }[];
}

/**
 * The outcome of an eviction that the eviction queue does not release:
 * - `queued`: it still waits for its turn at the end
 * - `abandoned`: its turn came without a possible replacement
 * - `dropped`: its cluster recovered before its turn
 */
export interface QueuedOutcome {
  state: 'queued' | 'abandoned' | 'dropped';
  cluster: string;
  /** if it waits: 1 is next */
  position?: number;
  reason: string;
}

/** How many ready replicas a workload lacks, and for how long. */
export interface ReplicaGap {
  /** the most replicas missing at one time */
  replicas: number;
  /** seconds during which fewer replicas were ready than desired */
  seconds: number;
  /** whether the gap is still there at the end of the simulation */
  open: boolean;
  /** for an open gap: how many are missing then */
  atEnd?: number;
  /** for an open gap: the simulation has settled, so the gap is permanent */
  permanent?: true;
}

/** An outcome with the fields that order it in lists (`asListed`). */
export interface ListedOutcome {
  outcome: WorkloadOutcome;
  /** when the binding was created (RFC 3339) */
  created: string;
}

/** By namespace and name, as kubectl lists them. */
export function asKubectlLists(a: NamespacedName, b: NamespacedName): number {
  const [x, y] = [a.namespace ?? '', b.namespace ?? ''];
  if (x !== y) return x < y ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** By namespace and name, as kubectl lists them; those of one name by age, as worlds hold bindings. */
export function asListed(a: ListedOutcome, b: ListedOutcome): number {
  return (
    asKubectlLists(a.outcome, b.outcome) ||
    compareText(a.created, b.created) ||
    asKubectlLists(a.outcome.binding, b.outcome.binding)
  );
}

/** Bindings with their keys, in the order in which worlds hold them: the oldest first. */
export const oldestFirst = ([, a]: [string, ResourceBinding], [, b]: [string, ResourceBinding]) =>
  compareAge(a, b);

type NamespacedName = Pick<ObjectIdentity, 'namespace' | 'name'>;

export interface SimulationEnd {
  /** epoch milliseconds */
  end: number;
  /** the simulation has settled */
  atRest: boolean;
  /** the simulation has settled, except for flapping workloads */
  quiet: boolean;
  /** nothing more will happen: unready replicas never become ready */
  settled: boolean;
  /** the scenario sets this end, and so asks for the state at that time */
  asked: boolean;
}
