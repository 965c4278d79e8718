/** When a drain has done what for a binding, in epoch milliseconds of the simulation. */
export interface DrainTimes {
  /** position in the order of evictions, from 1; absent if it was under way at the start */
  order?: number;
  evictedAt?: number;
  /** when its replacement was seen ready */
  readyAt?: number;
  /** when nothing of it was left on the drained clusters */
  goneAt?: number;
}

/** Keeps the times of bindings by key. */
export interface TimesKept {
  of(binding: string): DrainTimes;
  /** Notes an eviction at `now` (epoch milliseconds); the first calls get the first places in the order. */
  evicted(binding: string, now: number): void;
}

/** Times of a drain that has evicted nothing yet. */
export function keepTimes(): TimesKept {
  const times = new Map<string, DrainTimes>();
  let evictions = 0;
  const of = (key: string): DrainTimes => {
    let known = times.get(key);
    if (!known) times.set(key, (known = {}));
    return known;
  };
  return {
    of,
    evicted(key, now) {
      const noted = of(key);
      noted.order ??= ++evictions;
      noted.evictedAt ??= now;
    },
  };
}
