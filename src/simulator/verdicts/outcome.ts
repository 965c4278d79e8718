import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { byAge, compareText } from '../store/indexes.ts';

/**
 * The outcome of a workload:
 * - `stays`: where it is
 * - `tolerates`: where it is, although its cluster fails or is tainted
 * - `starts`: it was nowhere and is placed
 * - `moves`: as much of it as before is somewhere else
 * - `restarted`: its copy was deleted, and created again on the same cluster
 * - `partly-moves`: less of it is left, since nothing replaces the rest
 * - `blocked`: the scheduler finds no place for the missing part; the rest keeps running, an old copy as long as its
 *   task keeps it
 * - `lost`: nothing of it is left, or nothing of it gets ready
 * - `flaps`: it never settles
 * - `deleted`: somebody deletes it, or all that require it, on purpose
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

/** The outcomes after which it is somewhere. */
export type PlacedOutcome = 'starts' | 'moves' | 'restarted' | 'partly-moves';

/** At least one cluster. */
export type SomeTargets = [TargetCluster, ...TargetCluster[]];

/** An outcome with the final placement. A workload that moves is somewhere afterwards. */
export type OutcomeWithEnd =
  | { outcome: PlacedOutcome; after: SomeTargets }
  | { outcome: Exclude<Outcome, PlacedOutcome>; after: TargetCluster[] };

/** The outcome of one workload. */
export type WorkloadOutcome = OutcomeOfWorkload & OutcomeWithEnd;

/** The other parts of a workload's outcome. */
export interface OutcomeOfWorkload {
  kind: string;
  namespace?: string;
  name: string;
  /** the ResourceBinding or ClusterResourceBinding */
  binding: ObjectIdentity;
  before: TargetCluster[];
  /** copies that were already being evicted at the start */
  leaving?: TargetCluster[];
  /** clusters that still hold the old copy under a task at the end: not those that it purges directly */
  evicting: string[];
  reason?: string;
  certainty: Certainty;
  /** what an estimate or unknown depends on */
  dependsOn?: string[];
  /** where it may end, if orders that Karmada leaves open give several ends; `after` is one of them, unless it flaps */
  possibleEnds?: TargetCluster[][];
  gap?: ReplicaGap;
  /** no replica of it is ready at the end, though it is to have some */
  down?: true;
  /** of versions with one eviction queue: the outcome of an eviction that the queue has not released */
  evictionQueue?: QueuedOutcome[];
  /** if it flaps: milliseconds from one round to the next, and the reason of its evictions */
  flapping?: { period: number; cause: string };
  /** ready copies in reachable members that were deleted although fewer replicas were left than it wants */
  deletedReady?: { cluster: string; /** epoch milliseconds */ time: number; replicas: number }[];
}

/**
 * The outcome of an eviction that the eviction queue does not release:
 * - `queued`: it still waits for its turn at the end
 * - `abandoned`: it had its turn, and there was nowhere to go
 * - `dropped`: its cluster recovered before its turn
 */
export interface QueuedOutcome {
  state: 'queued' | 'abandoned' | 'dropped';
  cluster: string;
  /** if it waits: 1 has the next turn */
  position?: number;
  reason: string;
}

/** How many ready replicas a workload lacks, and for how long. */
export interface ReplicaGap {
  /** the most replicas missing at one time */
  replicas: number;
  /** seconds during which fewer replicas were ready than it is to have */
  seconds: number;
  /** whether the gap is still there at the end of the simulation */
  open: boolean;
  /** of one that is: how many are missing then */
  atEnd?: number;
  /** of one that is: nothing more would happen, so it stays */
  permanent?: true;
}

/** An outcome with what decides its place among others (`asListed`). */
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

/** By namespace and name, as kubectl lists them; those of one name by age, as bindings come. */
export function asListed(a: ListedOutcome, b: ListedOutcome): number {
  return (
    asKubectlLists(a.outcome, b.outcome) ||
    compareText(a.created, b.created) ||
    asKubectlLists(a.outcome.binding, b.outcome.binding)
  );
}

/** Bindings with their keys, in the order in which worlds hold them: the oldest first. */
export const ofAge = ([, a]: [string, ResourceBinding], [, b]: [string, ResourceBinding]) => byAge(a, b);

type NamespacedName = Pick<ObjectIdentity, 'namespace' | 'name'>;

/** When a simulation ended. */
export interface SimulationEnd {
  /** epoch milliseconds */
  end: number;
  /** nothing more would happen */
  atRest: boolean;
  /** nothing more would happen, but for workloads that flap */
  quiet: boolean;
  /** nothing more will happen: what is not ready never will be */
  settled: boolean;
  /** the scenario sets this end, and so asks for the state at it */
  asked: boolean;
}
