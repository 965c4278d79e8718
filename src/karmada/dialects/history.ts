import type { Design } from './design.ts';
import { releaseOf, type Release } from './release.ts';

/** A value that holds from certain releases on. */
export interface Change<T> {
  /**
   * The first release of each minor version that has it: ['v1.16.8', 'v1.17.5', 'v1.18.2'] means v1.16 from patch 8,
   * v1.17 from patch 5, v1.18 from patch 2, and every later minor version. Earlier minor versions never have it.
   */
  since: readonly [string, ...string[]];
  value: T;
}

/** A value through the releases, oldest first: the last change that a release includes applies. */
export type Values<T> = readonly [{ value: T }, ...Change<T>[]];

export interface History<T> {
  values: Values<T>;
  /** the value in each design document; absent: the value of the newest release */
  designs?: Partial<Record<Design, T>>;
}

/** One difference between Karmada's versions. */
export interface Switch<T> extends History<T> {
  /** its effect, in one line */
  decides: string;
}

/** A switch whose value is one of those in its history. */
export function versionSwitch<const T>(history: Switch<T>): Switch<T> {
  return history;
}

/** The value in one release; if it follows designs, the value of the last design that sets one. */
export function valueAt<T>(
  { values: [first, ...changes], designs: said = {} }: History<T>,
  release: Release,
): T {
  const design = release.designs?.findLast((one) => Object.hasOwn(said, one));
  if (design !== undefined) return said[design] as T;
  const reached = changes.findLast(({ since }) => isReached(since, release));
  return (reached ?? first).value;
}

function isReached(since: Change<unknown>['since'], { minor, patch }: Release): boolean {
  const firsts = since.map(releaseOf);
  const same = firsts.find((first) => first.minor === minor);
  return same ? patch >= same.patch : firsts.some((first) => first.minor < minor);
}

/**
 * The releases in which something holds, in words: "from v1.14.0 on", "before v1.15.0", "from v1.12.0 on, before
 * v1.15.0". Names backports: "from v1.16.8, v1.17.5 and v1.18.2 on". Empty if it holds in none or in all.
 */
export function releasesText<T>([first, ...changes]: Values<T>, holds: (value: T) => boolean): string {
  let held = holds(first.value);
  const parts: string[] = [];
  for (const { since, value } of changes) {
    if (holds(value) === held) continue;
    held = !held;
    parts.push(held ? `from ${inWords(since)} on` : `before ${inWords(since)}`);
  }
  return parts.join(', ');
}

/** The designs in which something holds, in words: "in the design optimize-cluster-failover"; empty for none. */
export function designsText<T>({ designs = {} }: History<T>, holds: (value: T) => boolean): string {
  const names = Object.entries(designs).flatMap(([name, value]) => (holds(value) ? [name] : []));
  return names.length === 0 ? '' : `in the design ${inWords(names)}`;
}

/** "v1.16.8, v1.17.5 and v1.18.2" */
export function inWords(releases: readonly string[]): string {
  return releases.length < 2
    ? releases.join('')
    : `${releases.slice(0, -1).join(', ')} and ${releases.at(-1)}`;
}
