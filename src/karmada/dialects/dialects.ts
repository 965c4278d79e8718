import { type Flags, flagDefaultsOf, flagTypesOf, otherFlagsOf } from './componentFlags.ts';
import { type Design, parseProposal, proposalText } from './design.ts';
import { type FeatureGate, type FeatureGates, decidingGates, featureGatesOf } from './featureGates.ts';
import type { Component, FlagType } from './flags.ts';
import { type Release, parseVersion } from './release.ts';
import { type Rules, rulesOf } from './rules.ts';

export { knownProposals } from './design.ts';

const OLDEST_MINOR = 10;
/** v1.19 is the development branch of 2026-08-21, before v1.19.0 */
const NEWEST_MINOR = 19;
const NEWEST_RELEASED_MINOR = 18;
/** The newest patch release of each minor version on that date, from v1.10 on; later ones are unknown. */
const NEWEST_PATCHES = [11, 9, 10, 10, 10, 9, 8, 5, 2, 0] as const;

/** The known minor versions, oldest first: "v1.10" to "v1.19". */
export const knownVersions: readonly string[] = Array.from(
  { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
  (_, index) => `v1.${OLDEST_MINOR + index}`,
);

/** The newest release of each known minor version, oldest first. */
export const newestReleases: readonly string[] = NEWEST_PATCHES.slice(0, -1).map(
  (patch, index) => `v1.${OLDEST_MINOR + index}.${patch}`,
);

/** The newest released version: assumed if the version is unknown. */
export const newestReleased = `v1.${NEWEST_RELEASED_MINOR}`;

/** The dialect for a version; `note` is the reason if it is that of another version. */
export type ChosenDialect =
  { dialect: Dialect; exact: true } | { dialect: Dialect; exact: false; note: string };

/**
 * The dialect of a version such as "v1.17.3", "v1.17" (its newest patch release), "v1.18.0-rc.1", "head" (v1.19) or
 * "proposal", with or without its options (designs on top of the newest release). A version without data of its own
 * gets the nearest dialect: the oldest, the newest, the newest patch release of its minor version, the release after a
 * pre-release, or the newest release if the text is not a version.
 */
export function dialectOf(version: string): ChosenDialect {
  if (version.trim() === 'head') return { dialect: dialectAt(NEWEST_MINOR, undefined), exact: true };
  const designs = parseProposal(version);
  if (designs) return { dialect: dialectAt(NEWEST_RELEASED_MINOR, undefined, designs), exact: true };
  const parsed = parseVersion(version);
  if (!parsed)
    return nearest(version, 'is not a version of Karmada', dialectAt(NEWEST_RELEASED_MINOR, undefined));
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

/**
 * @param patch undefined for the newest patch release
 * @param designs the designs that it follows in addition to that release
 */
function dialectAt(minor: number, patch: number | undefined, designs?: readonly Design[]): Dialect {
  const release: Release = { minor, patch: patch ?? newestPatch(minor), ...(designs && { designs }) };
  const rules = rulesOf(release);
  const featureGates = featureGatesOf(release);
  const gates = Object.keys(decidingGates).map((name) => [name, featureGates[name]?.default ?? false]);
  return {
    release,
    version: designs ? proposalText(designs) : `v1.${minor}${patch === undefined ? '' : `.${patch}`}`,
    rules,
    defaults: { rules, featureGates: Object.fromEntries(gates) as FeatureGates, ...flagDefaultsOf(release) },
    featureGates,
    flags: flagTypesOf(release),
    otherFlags: otherFlagsOf(release),
  };
}

/**
 * The differences between one Karmada version and the others, as data. Rules read these switches; only this folder asks
 * for a version.
 */
export interface Dialect {
  release: Release;
  /** "v1.18.2"; "v1.18" for the newest patch release of that minor version; "proposal" for designs */
  version: string;
  rules: Rules;
  /** the configuration of components started without arguments: rules, gates and flags */
  defaults: Flags & { rules: Rules; featureGates: FeatureGates };
  /** all feature gates of the version, even those that no rule of ours reads */
  featureGates: Record<string, FeatureGate>;
  /** the version's flags that our rules read */
  flags: Record<Component, Record<string, FlagType>>;
  /** flags with an effect only in other versions, and their treatment here */
  otherFlags: Record<Component, Record<string, 'unknown' | 'withoutEffect'>>;
}

/** Whether components of a version accept a flag but ignore it; the name may begin with a component's name. */
export function acceptsWithoutEffect({ otherFlags }: Pick<Dialect, 'otherFlags'>, name: string): boolean {
  const bare = name.slice(name.indexOf('.') + 1);
  return Object.values(otherFlags).some(
    (flags) => Object.hasOwn(flags, bare) && flags[bare] === 'withoutEffect',
  );
}
