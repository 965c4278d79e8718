import { flagDefaultsOf, flagTypesOf, otherFlagsOf } from './componentFlags.ts';
import type { Dialect } from './dialect.ts';
import { decidingGates, featureGatesOf, type FeatureGates } from './featureGates.ts';
import { parseVersion, type Release } from './release.ts';
import { rulesOf } from './rules.ts';

const OLDEST_MINOR = 10;
/** what the development branch did on 2026-08-21, before v1.19.0 */
const NEWEST_MINOR = 19;
const NEWEST_RELEASED_MINOR = 18;
/** The newest patch release of each minor version by then, from v1.10 on: nothing is known of later ones. */
const NEWEST_PATCHES = [11, 9, 10, 10, 10, 9, 8, 5, 2, 0] as const;

/** The minor versions that are known, oldest first: "v1.10" to "v1.19". */
export const knownVersions: readonly string[] = Array.from(
  { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
  (_, index) => `v1.${OLDEST_MINOR + index}`,
);

/** The newest release of each minor version that is known, oldest first. */
export const newestReleases: readonly string[] = NEWEST_PATCHES.slice(0, -1).map(
  (patch, index) => `v1.${OLDEST_MINOR + index}.${patch}`,
);

/** The newest version that is released: what is taken for an unknown one. */
export const newestReleased = `v1.${NEWEST_RELEASED_MINOR}`;

/** The dialect of a version; `note` says why, if another version's had to be taken. */
export type ChosenDialect =
  { dialect: Dialect; exact: true } | { dialect: Dialect; exact: false; note: string };

/**
 * The dialect of a version such as "v1.17.3", "v1.17" (its newest patch release), "v1.18.0-rc.1" or "head" (v1.19). A
 * version without data of its own takes the nearest that has them: the oldest, the newest, also of the patch releases of its minor
 * version, the release that a pre-release leads to, or, for what is no version at all, the newest released.
 */
export function dialectOf(version: string): ChosenDialect {
  if (version.trim() === 'head') return { dialect: dialectAt(NEWEST_MINOR, undefined), exact: true };
  const parsed = parseVersion(version);
  if (!parsed)
    return nearest(version, 'is no version of Karmada', dialectAt(NEWEST_RELEASED_MINOR, undefined));
  const { major, minor, patch, preRelease } = parsed;
  if (major < 1 || (major === 1 && minor < OLDEST_MINOR))
    return nearest(version, `is older than ${knownVersions[0]}`, dialectAt(OLDEST_MINOR, 0));
  if (major > 1 || minor > NEWEST_MINOR)
    return nearest(version, `is newer than ${knownVersions.at(-1)}`, dialectAt(NEWEST_MINOR, undefined));
  const newest = newestPatch(minor);
  if (patch !== undefined && patch > newest)
    return nearest(
      version,
      `is newer than v1.${minor}.${newest}`,
      dialectAt(minor, minor === NEWEST_MINOR ? undefined : newest),
    );
  const dialect = dialectAt(minor, minor === NEWEST_MINOR ? undefined : patch);
  return preRelease !== undefined && minor !== NEWEST_MINOR
    ? nearest(version, 'is a pre-release', dialect)
    : { dialect, exact: true };
}

function newestPatch(minor: number): number {
  return NEWEST_PATCHES[minor - OLDEST_MINOR]!;
}

function nearest(version: string, why: string, dialect: Dialect): ChosenDialect {
  return { dialect, exact: false, note: `${version} ${why}; answers follow ${dialect.version}` };
}

/** @param patch undefined for the newest patch release */
function dialectAt(minor: number, patch: number | undefined): Dialect {
  const release: Release = { minor, patch: patch ?? newestPatch(minor) };
  const rules = rulesOf(release);
  const featureGates = featureGatesOf(release);
  const gates = Object.keys(decidingGates).map((name) => [name, featureGates[name]?.default ?? false]);
  return {
    release,
    version: `v1.${minor}${patch === undefined ? '' : `.${patch}`}`,
    rules,
    defaults: { rules, featureGates: Object.fromEntries(gates) as FeatureGates, ...flagDefaultsOf(release) },
    featureGates,
    flags: flagTypesOf(release),
    otherFlags: otherFlagsOf(release),
  };
}
