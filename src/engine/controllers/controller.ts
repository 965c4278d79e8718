import type { Configuration } from '../../karmada/configuration.ts';
import type { Evidence, NamedTaint } from '../evidence.ts';
import type { Tie } from '../scheduling/division/tie.ts';
import type { Arrange } from '../taints/policyOrder.ts';
import type { Kind } from './kinds.ts';
import type { View } from './view.ts';
import type { Change, ChangeOf, Write } from './write.ts';

/**
 * One of Karmada's controllers as a function: what wakes it, and what it does to one key. It knows no driver: in virtual
 * time or on a live API the same looks give the same steps. Everything that it remembers between two looks is its memory,
 * one plain value (JSON) per key, which the driver keeps, saves and hands back.
 */
export interface Controller<Memory = unknown> {
  readonly name: ControllerName;
  /** whether these gates and flags start it at all; absent: always */
  runs?(configuration: Configuration): boolean;
  /** keys that a change of an object of a kind makes it look at */
  readonly wakes: Wakes;
  /**
   * What it has to look at when it goes on with a world that was captured while it ran, as its queue would have held it.
   * Absent: nothing. What a world shows to be settled need not be named.
   */
  resumes?(view: View, context: WakeContext): Iterable<Wake>;
  /** What a process that has just been started in place of another one takes for granted of a key. Absent: nothing. */
  started?(key: string): Memory;
  /** Looks at one key. The view is as it is now, not as it was when the key was queued. */
  look(request: Look<Memory>): Step<Memory>;
  /** absent: client-go's work queue */
  queue?(configuration: Configuration): PacedQueue;
  /** its queue is none of controller-runtime's: one worker comes to key after key, and a timer fires whatever came before it */
  readonly ownQueue?: true;
}

export type ControllerName =
  | 'cluster-status'
  | 'health-monitor'
  | 'cluster-controller'
  | 'cluster-taint-policy-controller'
  | 'taint-manager'
  | 'binding-eviction'
  | 'cluster-binding-eviction'
  | 'detector'
  | 'scheduler'
  | 'binding-controller'
  | 'dependencies-distributor'
  | 'execution-controller'
  | 'work-status'
  | 'binding-status'
  | 'graceful-eviction'
  | 'application-failover'
  | 'workload-rebalancer'
  | 'garbage-collector'
  /** of the members: what runs there comes up and goes away */
  | 'kubelet';

/** An event handler for each kind that a controller watches. */
export type Wakes = {
  readonly [K in Kind]?: (change: ChangeOf<K>, view: View, context: WakeContext) => Iterable<Wake>;
};

export interface WakeContext {
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
  /**
   * Given if the world was captured while the controllers ran, and they go on: stands for what they remember and no API shows,
   * such as since when a timer runs, as a number from 0 to 1 between the first and the last instant that it may be;
   * undefined: what is likeliest. Absent if they have just been started, and remember nothing.
   */
  unseen?: (what: string) => number | undefined;
  /** the order in which keys come out of a lister, which is a hash table; absent: as they are given */
  arrange?: Arrange;
}

/** A key for the queue. */
export interface Wake {
  key: string;
  /** milliseconds until it is due; absent: at once */
  after?: number;
  /** the process that looks at it has just started: earlier failures are forgotten */
  fresh?: boolean;
  /** somebody else writes to the same object just then: the first try of its write is refused */
  contended?: boolean;
  /** what the controller remembers of it, if it goes on with a captured world */
  memory?: unknown;
}

export interface Look<Memory> {
  key: string;
  view: View;
  /** what the last step for the key left; undefined for the first */
  memory: Memory | undefined;
  configuration: Configuration;
  /** epoch milliseconds */
  now: number;
  /** what decides is pushed onto it; undefined if nobody would read it */
  evidence: Evidence[] | undefined;
  /** its cache does not show yet what it did itself a moment ago; absent: it does */
  outdated?: boolean | undefined;
  /** draws lots if the version does; absent: the first names win */
  draw?: ((key: string, tie: Tie) => ReadonlySet<string>) | undefined;
  /** the order of what Karmada does not order; absent: by name */
  arrange?: Arrange | undefined;
}

/** What a controller does to a key now. */
export interface Step<Memory> {
  /** in order; if one is refused, those after it are not tried, the memory stays as it was, and the queue tries again */
  writes?: readonly Write[];
  /** to be remembered; absent: nothing */
  memory?: Memory;
  /** look again though nothing has changed */
  again?: Again;
  /** it failed, and the queue tries again with back-off */
  failure?: Failure;
  /** keys for the queues of other controllers of the same process */
  enqueues?: readonly (Wake & { queue: ControllerName })[];
  /** what it decided without writing anything */
  notes?: readonly Note[];
}

export interface Again {
  /** milliseconds from now */
  after: number;
  /**
   * Until one of these changes, the looks (at `after`, twice `after`, …) would find nothing that this one has not found: a
   * driver in virtual time leaves them out. Absent: time alone may bring something on.
   */
  unless?: readonly Interest[];
}

export interface Failure {
  reason: string;
  message: string;
  /** absent: client-go's item back-off, 5 ms doubling up to 1000 s */
  backOff?: BackOff;
  /**
   * epoch milliseconds; when it failed first, if the world shows that it has been failing before anybody here looked at it.
   * Absent: with the first look that failed
   */
  since?: number;
  /** until one of these changes it would fail again the same way; see Again */
  unless: readonly Interest[];
}

/** Milliseconds; the first delay, doubled with each failure up to the longest. */
export interface BackOff {
  first: number;
  longest: number;
}

/** Changes of a kind: of one object, of bindings that come to a cluster or get other tolerations there, that leave it, or of any. */
export type Interest =
  | { kind: Kind; key: string }
  | { kind: 'Binding'; on: string }
  | { kind: 'Binding'; off: string }
  | { kind: Exclude<Kind, 'Copy'> };

/** Something that a controller decided and that no write tells of; for timelines and answers. */
export type Note =
  /** its binding tolerates the taints of a cluster, until `until` (epoch milliseconds) or for ever */
  | {
      type: 'Tolerated';
      binding: string;
      cluster: string;
      taints: string[];
      until?: number;
      /** for this binding alone */
      evidence?: Evidence[];
    }
  /** no Work is written before those on these clusters are gone */
  | { type: 'WaitsForDirectPurge'; binding: string; clusters: string[] }
  /** a template or policy waits */
  | { type: 'PolicyWaits'; object: string; reason: string }
  /** Karmada leaves open which of several ends this has; see docs */
  | { type: 'FreeChoice'; binding?: string; cluster?: string; taint?: NamedTaint; choice: FreeChoice };

/**
 * What Karmada does not order: whose turn it was in a paced queue, health that was reported before a scale-up, random ties of
 * a division, ClusterTaintPolicies created in the same second.
 */
export type FreeChoice = 'turn in a paced queue' | 'stale health' | 'random tie' | 'order of policies';

/** The taint manager's eviction workers: after each success the worker sleeps. */
export interface PacedQueue {
  /** evictions per second and worker; undefined: not paced (before v1.16) */
  rate: number | undefined;
  workers: number;
}

export type { Change };
