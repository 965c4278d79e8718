import type { ResourceBinding } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Evidence, NamedTaint } from '../evidence.ts';
import type { Kind } from './kinds.ts';
import type { View } from './view.ts';
import type { Change, ChangeOf, Write } from './write.ts';

/**
 * One of Karmada's controllers as a function: what wakes it, and what it does to one key. It does not know its driver:
 * the same reconciles give the same steps in virtual time and on a live API. All that it remembers between two
 * reconciles is its memory, one plain value (JSON) per key, which the driver keeps, saves and returns.
 */
export interface Controller<Memory = unknown> {
  /** Called once before everything else, for a controller that derives data from its inputs besides its memory. */
  begins?(start: Pick<ReconcileRequest<Memory>, 'view' | 'recall' | 'now'>): void;
  /** the keys to reconcile after a change, by kind */
  readonly wakes: Wakes;
  /** The keys in its queue when the world was captured; settled ones may be omitted. Absent: none. */
  resumes?(view: View, context: WakeContext): Iterable<Wake>;
  /** The memory of a key in a newly started process. Absent: none. */
  started?(key: string, view: View, context: WakeContext): Memory | undefined;
  /** Reconciles at one key. The view shows the present, not the moment when the key was queued. */
  reconcile(request: ReconcileRequest<Memory>): Step<Memory>;
  /** absent: client-go's work queue */
  queue?(configuration: Configuration): PacedQueue;
  /** not a controller-runtime queue: a single worker, and no earlier event cancels a key's timer */
  readonly ownQueue?: true;
  /** it patches bindings without a lock, so decisions based on a stale binding are still written */
  readonly unlocked?: true;
  /** not one of Karmada's: in virtual time it runs first at its instant, whatever the processing order */
  readonly outside?: true;
}

/** A controller with the name and facts that a driver needs: one of Karmada's (`karmadaControllers`), or another. */
export interface NamedController<Name extends string = string> extends Controller {
  readonly name: Name;
  /** whether gates, flags and controller lists start it */
  runs(configuration: Configuration): boolean;
  /** milliseconds of virtual time from an event to the reconcile */
  readonly reaction: number;
}

/** One event handler per kind that a controller watches. */
type Wakes = {
  readonly [K in Kind]?: (change: ChangeOf<K>, view: View, context: WakeContext) => Iterable<Wake>;
};

export interface WakeContext {
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
  /**
   * Given if the controllers continue from a captured world: a remembered value that no API shows, such as the start of
   * a timer, as a number from 0 to 1 between the first and the last possible instant; undefined: the likeliest one.
   * Absent if they have just started and remember nothing.
   */
  unseen?: (what: string) => number | undefined;
  /** the order in which a lister (a hash table) returns keys; absent: as given */
  arrange?: Arrange;
}

export interface Wake {
  key: string;
  /** milliseconds until it is due; absent: at once */
  after?: number;
  /** when it became due, if before now (epoch milliseconds); only a queue with one rate uses this */
  since?: number;
  /** the process has just started: earlier failures are forgotten */
  fresh?: boolean;
  /** another client writes the same object at that moment: the first attempt to write is refused */
  contended?: boolean;
  /** the initial memory if there is none: from a captured world, or handed over by another controller */
  memory?: unknown;
  /** only sets the memory: no reconcile is due */
  idle?: true;
}

export interface ReconcileRequest<Memory> {
  key: string;
  view: View;
  /** the memory after the last step for the key; undefined for the first */
  memory: Memory | undefined;
  /** the memory of another key of this controller; absent: no key has any */
  recall?: ((key: string) => Memory | undefined) | undefined;
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
  /** collects the deciding facts; undefined if nothing reads them */
  evidence: Evidence[] | undefined;
  /** whether its cache lacks its own last writes; absent: it has them */
  outdated?: boolean | undefined;
  /** the stale binding in its cache, if another client has written it since; absent: as in the view */
  cached?: ResourceBinding | undefined;
  /** breaks ties at random if the version does; absent: the first name wins */
  draw?: ((key: string, tie: DivisionTie) => ReadonlySet<string>) | undefined;
  /** an order that Karmada does not guarantee; absent: by name */
  arrange?: Arrange | undefined;
}

/** Chooses an order that Karmada does not guarantee. */
export type Arrange = <T extends { key: string }>(keys: readonly T[]) => readonly T[];

/**
 * A random tie in a division: `winners` of these clusters get one more replica than the others. A result with a tie is
 * one of several: the one in which the first names win.
 */
export interface DivisionTie {
  /** sorted by name */
  readonly clusters: readonly string[];
  readonly winners: number;
}

/** A key that leaves another controller's queue, and why. */
export interface Dequeue {
  /** the name of the other controller */
  queue: string;
  key: string;
  reason: string;
}

/** The result of a controller's reconcile of a key. */
export interface Step<Memory> {
  /** in order; if one is refused, later ones are not attempted, the memory does not change, and the queue retries */
  writes?: readonly Write[];
  /** the memory for the next reconcile; absent: none */
  memory?: Memory;
  /** reconcile again even if nothing changes */
  requeue?: Requeue;
  /** the reconcile failed, and the queue retries with back-off */
  failure?: Failure;
  /** keys to remove and forget in the queues of other controllers of the same process, before `enqueues` */
  dequeues?: readonly Dequeue[];
  /** keys for the queues of other controllers of the same process */
  enqueues?: readonly (Wake & { queue: string })[];
  /** for a queue with one rate: nothing was done, so the next key may use the turn */
  turn?: 'unused';
  /** decisions without a write */
  notes?: readonly Note[];
}

export interface Requeue {
  /** milliseconds from now */
  after: number;
  /**
   * Until one of these changes, further reconciles (at `after`, twice `after`, …) would find nothing new, so a driver
   * in virtual time skips them. Absent: time alone may change something.
   */
  unless?: readonly Interest[];
}

export interface Failure {
  reason: string;
  message: string;
  /** absent: client-go's item back-off, 5 ms doubling up to 1000 s */
  backOff?: BackOff;
  /**
   * epoch milliseconds of the first failure, if the world shows failures before the simulation. Absent: the first
   * failed reconcile
   */
  since?: number;
  /** until one of these changes it would fail in the same way; see Again */
  unless: readonly Interest[];
}

/** Milliseconds: the first delay, doubled with each failure up to the longest. */
export interface BackOff {
  first: number;
  longest: number;
  /** the queue checks for due keys only at multiples of this many milliseconds; absent: continuously */
  flush?: number;
}

/**
 * Changes of a kind: of one object; of bindings that are placed on a cluster, get other tolerations there, or leave it;
 * or of any object.
 */
export type Interest =
  | { kind: Kind; key: string }
  | { kind: 'Binding'; on: string }
  | { kind: 'Binding'; off: string }
  | { kind: Exclude<Kind, 'Copy'> };

/** A controller's decision that no write shows, for timelines and answers. */
export type Note =
  /** a binding tolerates the taints of a cluster, until `until` (epoch milliseconds) or forever */
  | {
      type: 'Tolerated';
      binding: string;
      cluster: string;
      taints: string[];
      until?: number;
      /** only for this binding */
      evidence?: Evidence[];
    }
  /** the cluster's taints will never move it, for reasons other than a toleration */
  | { type: 'NotMoved'; binding: string; cluster: string; reason: string; evidence?: Evidence[] }
  /** bindings of a faulty cluster enter the eviction queue, in this order, at its current pace */
  | { type: 'EvictionsQueued'; cluster: string; bindings: string[]; pace: EvictionPace }
  /** its turn came without a target: it stays as long as the cluster is faulty */
  | { type: 'EvictionAbandoned'; binding: string; cluster: string; reason: string }
  /** the eviction queue changes its pace */
  | { type: 'EvictionPace'; pace: EvictionPace }
  /** no Work is written until those on these clusters are gone */
  | { type: 'WaitsForDirectPurge'; binding: string; clusters: string[] }
  /** a template or policy is waiting */
  | { type: 'PolicyWaits'; object: string; reason: string }
  /** Karmada does not guarantee which of several outcomes this has; see docs */
  | { type: 'FreeChoice'; binding?: string; cluster?: string; taint?: NamedTaint; choice: FreeChoice };

/**
 * Choices that Karmada does not guarantee: the next key of a paced queue or of a design's single queue; stale health
 * from before a scale-up; random ties of a division; the order of ClusterTaintPolicies created in the same second.
 */
export type FreeChoice =
  'turn in a paced queue' | 'turn in the one queue' | 'stale health' | 'random tie' | 'order of policies';

/**
 * The pace of evictions: normal; slow, in a large installation with too many faulty clusters; paused, in a small one.
 */
export interface EvictionPace {
  mode: 'normal' | 'slow' | 'paused';
  /** evictions per second, 0 when paused */
  rate: number;
  /** names of the faulty clusters */
  faulty: string[];
  /** number of clusters */
  clusters: number;
  /** the number of faulty clusters and the exceeded limit, in words */
  reason: string;
}

/** What limits the workers of a queue; `createPacedKeys` is the queue. */
export type PacedQueue = PacedWorkers | RatedKeys;

/** After each success the worker sleeps. */
interface PacedWorkers {
  /** evictions per second and worker; undefined: not paced (before v1.16) */
  rate: number | undefined;
  workers: number;
}

/** One rate for the whole queue, from the state of the world when a key could have its turn. */
export interface RatedKeys {
  /** keys per second now; 0: none until it changes */
  rateIn(view: View): number;
  /** whether a change may alter the rate */
  setBy(change: Change): boolean;
  /** whether an earlier process may just have used a turn */
  mayHaveTurned(view: View): boolean;
}
