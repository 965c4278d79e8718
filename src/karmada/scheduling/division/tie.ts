/**
 * A random tie of a division: `winners` of these clusters get one replica more than the others. A result with a tie is
 * one of several: the one in which the first names win.
 */
export interface Tie {
  /** by name */
  readonly clusters: readonly string[];
  readonly winners: number;
}

/** In how many ways a tie can end. */
export function countChoices({ clusters, winners }: Tie): number {
  let count = 1;
  for (let i = 1; i <= winners; i++) count = (count * (clusters.length - winners + i)) / i;
  return Math.round(count);
}

/** The ways in which a tie can end; first the one in which the first names win. */
export function* choicesOf({ clusters, winners }: Tie): Generator<ReadonlySet<string>> {
  const chosen = Array.from({ length: winners }, (_, i) => i);
  for (;;) {
    yield new Set(chosen.map((at) => clusters[at]!));
    let last = winners - 1;
    while (last >= 0 && chosen[last] === clusters.length - winners + last) last--;
    if (last < 0) return;
    chosen[last]! += 1;
    for (let i = last + 1; i < winners; i++) chosen[i] = chosen[i - 1]! + 1;
  }
}
