import type { ResourceBinding } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Evidence, NamedTaint } from '../evidence.ts';
import type { Kind } from './kinds.ts';
import type { View } from './view.ts';
import type { Change, ChangeOf, Write } from './write.ts';

/**
 * One of Karmada's controllers as a function: what wakes it, and what it does to one key. It knows no driver: the same
 * looks give the same steps in virtual time and on a live API. All that it remembers between two looks is its memory,
 * one plain value (JSON) per key, which the driver keeps, saves and returns.
 */
export interface Controller<Memory = unknown> {
  /** Comes before anything else, for one that keeps more at hand than its memory: that follows from what it is given. */
  begins?(start: Pick<Look<Memory>, 'view' | 'recall' | 'now'>): void;
  /** the keys to look at after a change, by kind */
  readonly wakes: Wakes;
  /** The keys that its queue held when the world was captured; settled ones may be left out. Absent: none. */
  resumes?(view: View, context: WakeContext): Iterable<Wake>;
  /** The memory of a key in a process that has just started. Absent: none. */
  started?(key: string, view: View, context: WakeContext): Memory | undefined;
  /** Looks at one key. The view is as it is now, not as it was when the key was queued. */
  look(request: Look<Memory>): Step<Memory>;
  /** absent: client-go's work queue */
  queue?(configuration: Configuration): PacedQueue;
  /** it has no controller-runtime queue: one worker takes key after key, and a timer fires whatever came before it */
  readonly ownQueue?: true;
  /** it patches bindings without a lock, so that nothing stops what it has decided on an old one */
  readonly unlocked?: true;
  /** it is none of Karmada's: in virtual time it comes first at its instant, and no order that Karmada leaves open delays it */
  readonly outside?: true;
}

/** A controller with the name and the facts that a driver goes by: one of Karmada's (`karmadaControllers`), or another. */
export interface NamedController<Name extends string = string> extends Controller {
  readonly name: Name;
  /** whether gates, flags and lists start it */
  runs(configuration: Configuration): boolean;
  /** milliseconds from an event to its look, in virtual time */
  readonly reaction: number;
}

/** An event handler for each kind that a controller watches. */
type Wakes = {
  readonly [K in Kind]?: (change: ChangeOf<K>, view: View, context: WakeContext) => Iterable<Wake>;
};

export interface WakeContext {
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
  /**
   * Given if the controllers continue with a captured world: what they remember and no API shows, such as since when a
   * timer runs, as a number from 0 to 1 between the first and the last possible instant; undefined: the likeliest.
   * Absent if they have just started and remember nothing.
   */
  unseen?: (what: string) => number | undefined;
  /** the order in which a lister, a hash table, returns keys; absent: as given */
  arrange?: Arrange;
}

/** A key for the queue. */
export interface Wake {
  key: string;
  /** milliseconds until it is due; absent: at once */
  after?: number;
  /** when it became due, if that was before now (epoch milliseconds): a queue with one rate goes by it */
  since?: number;
  /** the process has just started: earlier failures are forgotten */
  fresh?: boolean;
  /** somebody else writes the same object just then: the first try of its write is refused */
  contended?: boolean;
  /** the memory to begin with if there is none: of a captured world, or what another controller hands over */
  memory?: unknown;
  /** only its memory is given: no look is due */
  idle?: true;
}

export interface Look<Memory> {
  key: string;
  view: View;
  /** the memory after the last step for the key; undefined for the first */
  memory: Memory | undefined;
  /** the memory of another key of this controller; absent: none has any */
  recall?: ((key: string) => Memory | undefined) | undefined;
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
  /** gets what decides; undefined if nobody would read it */
  evidence: Evidence[] | undefined;
  /** whether its cache does not show its own last writes yet; absent: it does */
  outdated?: boolean | undefined;
  /** the binding as its cache still shows it, if somebody has written it since; absent: as the view has it */
  cached?: ResourceBinding | undefined;
  /** breaks ties at random if the version does; absent: the first names win */
  draw?: ((key: string, tie: Tie) => ReadonlySet<string>) | undefined;
  /** an order that Karmada leaves open; absent: by name */
  arrange?: Arrange | undefined;
}

/** Chooses an order that Karmada leaves open. */
export type Arrange = <T extends { key: string }>(keys: readonly T[]) => readonly T[];

/**
 * A random tie of a division: `winners` of these clusters get one replica more than the others. A result with a tie is
 * one of several: the one in which the first names win.
 */
export interface Tie {
  /** by name */
  readonly clusters: readonly string[];
  readonly winners: number;
}

/** A key that leaves the queue of another controller, and why. */
export interface Dequeue {
  /** the name of that controller */
  queue: string;
  key: string;
  reason: string;
}

/** What a look of a controller at a key leads to. */
export interface Step<Memory> {
  /** in order; if one is refused, later ones are not tried, the memory stays as it was, and the queue retries */
  writes?: readonly Write[];
  /** the memory for the next look; absent: none */
  memory?: Memory;
  /** look again even if nothing changes */
  again?: Again;
  /** the look failed, and the queue retries with back-off */
  failure?: Failure;
  /** keys that leave the queues of other controllers of the same process, and are forgotten there; before `enqueues` */
  dequeues?: readonly Dequeue[];
  /** keys for the queues of other controllers of the same process */
  enqueues?: readonly (Wake & { queue: string })[];
  /** in a queue with one rate: there was nothing to do, and the next key may have the turn */
  turn?: 'unused';
  /** decisions without a write */
  notes?: readonly Note[];
}

export interface Again {
  /** milliseconds from now */
  after: number;
  /**
   * Until one of these changes, further looks (at `after`, twice `after`, …) would find nothing new: a driver in
   * virtual time skips them. Absent: time alone may change something.
   */
  unless?: readonly Interest[];
}

export interface Failure {
  reason: string;
  message: string;
  /** absent: client-go's item back-off, 5 ms doubling up to 1000 s */
  backOff?: BackOff;
  /**
   * epoch milliseconds of the first failure, if the world shows that it failed before the simulation. Absent: the first
   * failed look
   */
  since?: number;
  /** until one of these changes it would fail again the same way; see Again */
  unless: readonly Interest[];
}

/** Milliseconds; the first delay, doubled with each failure up to the longest. */
export interface BackOff {
  first: number;
  longest: number;
  /** the queue looks for what is due only every so many milliseconds, at multiples of that; absent: all the time */
  flush?: number;
}

/**
 * Changes of a kind: of one object; of bindings that are placed on a cluster or get other tolerations there, or that leave
 * it; or of any.
 */
export type Interest =
  | { kind: Kind; key: string }
  | { kind: 'Binding'; on: string }
  | { kind: 'Binding'; off: string }
  | { kind: Exclude<Kind, 'Copy'> };

/** A controller's decision that no write shows; for timelines and answers. */
export type Note =
  /** a binding tolerates the taints of a cluster, until `until` (epoch milliseconds) or forever */
  | {
      type: 'Tolerated';
      binding: string;
      cluster: string;
      taints: string[];
      until?: number;
      /** for this binding alone */
      evidence?: Evidence[];
    }
  /** the taints of a cluster move it neither now nor later, and no toleration is the reason */
  | { type: 'NotMoved'; binding: string; cluster: string; reason: string; evidence?: Evidence[] }
  /** bindings of a faulty cluster enter the eviction queue, in this order, at the pace of that moment */
  | { type: 'EvictionsQueued'; cluster: string; bindings: string[]; pace: EvictionPace }
  /** it had its turn, and stays as long as the cluster is faulty */
  | { type: 'EvictionAbandoned'; binding: string; cluster: string; reason: string }
  /** the eviction queue goes at another pace */
  | { type: 'EvictionPace'; pace: EvictionPace }
  /** no Work is written until those on these clusters are gone */
  | { type: 'WaitsForDirectPurge'; binding: string; clusters: string[] }
  /** a template or policy waits */
  | { type: 'PolicyWaits'; object: string; reason: string }
  /** Karmada leaves open which of several outcomes this has; see docs */
  | { type: 'FreeChoice'; binding?: string; cluster?: string; taint?: NamedTaint; choice: FreeChoice };

/**
 * Choices that Karmada leaves open: whose turn it is in a paced queue, or in the one queue of a design; health from
 * before a scale-up; random ties of a division; the order of ClusterTaintPolicies created in the same second.
 */
export type FreeChoice =
  'turn in a paced queue' | 'turn in the one queue' | 'stale health' | 'random tie' | 'order of policies';

/**
 * How fast evictions go: normal; slow, in a large installation with too many faulty clusters; paused, in a small one.
 */
export interface EvictionPace {
  mode: 'normal' | 'slow' | 'paused';
  /** evictions per second, 0 when paused */
  rate: number;
  /** names of the faulty clusters */
  faulty: string[];
  /** how many clusters there are */
  clusters: number;
  /** in words: how many clusters are faulty, and what that is more than */
  reason: string;
}

/** What holds the workers of a queue back; `createPacedKeys` is the queue. */
export type PacedQueue = PacedWorkers | RatedKeys;

/** After each success the worker sleeps. */
interface PacedWorkers {
  /** evictions per second and worker; undefined: not paced (before v1.16) */
  rate: number | undefined;
  workers: number;
}

/** One rate for the whole queue, by how the world is whenever a key could have its turn. */
export interface RatedKeys {
  /** keys per second now; 0: none until that changes */
  rateIn(view: View): number;
  /** whether the rate may be another one after a change */
  setBy(change: Change): boolean;
  /** whether a process that was there before may have given a turn just now */
  mayHaveTurned(view: View): boolean;
}
