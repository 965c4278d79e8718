import type { DivisionTie } from '../../karmada/controllers/controller.ts';

/**
 * Decides the processing order, which Karmada does not guarantee: the next of several queued keys, the first of several
 * controllers at one moment, and the winners of random ties. Every ordering is deterministic; other orderings try other
 * orders.
 */
export interface Ordering {
  /** milliseconds by which a controller processes a key later than usual, at `now` (epoch milliseconds) */
  delay(controller: string, key: string, now: number): number;
  /** how often a paced worker's write for a key conflicts: the key has another turn when the queue retries it */
  conflicts(controller: string, key: string): number;
  /** whether a controller reconciles a key again before its cache shows a recent write, its own or another's */
  outdated(controller: string, key: string): boolean;
  /** the slowdown of a worker: 2 doubles its time for a key */
  slowness: number;
  /** the order in which keys enter a queue that Karmada fills from a hash table */
  arrange<T extends { key: string }>(keys: readonly T[]): readonly T[];
  /** remembered values that no capture shows; see WakeContext */
  unseen(what: string): number | undefined;
  /** milliseconds by which an external event takes effect late if it closely follows another */
  late: number;
  /** the uid of a created object, which breaks the scheduler's ties; undefined: none */
  uid(key: string): string | undefined;
  /** the winners of a tie in the division of a binding's replicas; absent: the first names */
  draw?(key: string, tie: DivisionTie): ReadonlySet<string>;
}

/** The reported order: oldest first, and every controller as fast as usual. */
export const canonicalOrdering: Ordering = {
  delay: () => 0,
  conflicts: () => 0,
  outdated: () => false,
  slowness: 1,
  arrange: (keys) => keys,
  unseen: () => undefined,
  late: 0,
  uid: () => undefined,
};

/** Milliseconds within which further events coincide with Karmada's reaction to the first one. */
export const REACTION_WINDOW_MS = 300;

/**
 * Writes reach the caches of controllers one by one: of two close events, Karmada may have acted on the first before
 * the second arrives.
 */
export const lateEvents: Ordering = { ...canonicalOrdering, late: REACTION_WINDOW_MS };

/**
 * Another processing order, deterministic by number. Every second one mirrors the previous: a controller that is early
 * in one is late in the other.
 */
export function otherOrdering(number: number): Ordering {
  const [pair, mirrored] = [Math.ceil(number / 2), number % 2 === 0];
  const lot = (what: string) => {
    const place = scatter(`${pair} ${what}`);
    return mirrored ? 1 - place : place;
  };
  return {
    delay: (controller, key, now) =>
      lot(`${controller} ${key}${pair % 2 === 0 ? ` ${Math.floor(now / STEADY)}` : ''}`) * lateness(number),
    conflicts: (controller, key) => {
      const place = lot(`conflict ${controller} ${key}`);
      return place > 0.95 ? 2 : place > 0.8 ? 1 : 0;
    },
    outdated: (controller, key) => lot(`outdated ${controller} ${key}`) > 0.75,
    slowness: [1, 4, 8][number % 3]!,
    arrange: (keys) =>
      keys
        .map((one) => ({ one, place: lot(one.key) }))
        .sort((a, b) => a.place - b.place)
        .map(({ one }) => one),
    unseen: (what) => lot(`unseen ${what}`),
    late: 0,
    uid: (key) => (lot(`uid ${key}`) < 0.5 ? 'a' : 'b'),
    draw: (key, { clusters, winners }) => {
      const lotOf = (name: string) => lot(`${key} ${name}`);
      return new Set(clusters.toSorted((a, b) => lotOf(a) - lotOf(b)).slice(0, winners));
    },
  };
}

/**
 * Milliseconds for which a controller's delay for a key is constant, in every second pair of orders; in the others it
 * never changes.
 */
const STEADY = 5000;

/**
 * The largest delay of controllers in milliseconds, in turn: of a quiet control plane, a busy one, and one in an
 * outage.
 */
function lateness(number: number): number {
  return [300, 900, 2700][number % 3]!;
}

/** A number from 0 to 1 for a text, the same for the same text (FNV-1a). */
function scatter(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
