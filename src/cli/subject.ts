import { UserError } from './errors.ts';
import { duration } from './values.ts';

/** "frankfurt@10m" → frankfurt, 600000: what a flag is about, and how many milliseconds later it happens. */
export function subjectAndDelay(flag: string, given: string): { subject: string; after: number } {
  const at = given.lastIndexOf('@');
  if (at === -1) return { subject: given, after: 0 };
  return { subject: given.slice(0, at), after: duration(`${flag} ${given}`, given.slice(at + 1)) };
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
