import type { World } from '../../engine/world.ts';
import { parseDuration } from '../../kubernetes/time.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';

/** "frankfurt@10m" → frankfurt, 600000: what a flag is about, and how many milliseconds later it happens. */
export function subjectAndDelay(flag: string, given: string): { subject: string; after: number } {
  const at = given.lastIndexOf('@');
  if (at === -1) return { subject: given, after: 0 };
  return { subject: given.slice(0, at), after: givenDuration(`${flag} ${given}`, given.slice(at + 1)) };
}

/** Milliseconds of a duration that a flag gives. Throws a UserError that names the flag and the text. */
export function givenDuration(flag: string, text: string): number {
  const parsed = parseDuration(text);
  if (parsed === undefined || parsed < 0)
    throw new UserError(`${flag}: "${text}" is not a duration such as 90s or 5m`);
  return parsed;
}

/**
 * The clusters that arguments name, also as `-o name` prints them: cluster/member1. Throws a UserError where several are
 * written as a list with commas.
 */
export function clusterArguments(given: string[]): string[] {
  return given.map((text) => {
    const names = text.split(',').map((one) => one.replace(/^clusters?(\.cluster\.karmada\.io)?\//, ''));
    if (names.length === 1) return names[0]!;
    throw new UserError(`"${text}": write clusters with spaces between them: ${names.join(' ')}`);
  });
}

/** The name of a cluster of the world. Throws a UserError that says which cluster may have been meant. */
export function knownCluster(flag: string, name: string, world: World): string {
  const names = world.clusters.map(({ metadata }) => metadata.name);
  if (names.includes(name)) return name;
  const known = names.length > 0 ? `it has ${names.slice(0, 10).join(', ')}` : 'it has no clusters';
  throw new UserError(
    withSuggestion(`${flag}: there is no cluster "${name}" in the state`, nearMatches(name, names), known),
  );
}
