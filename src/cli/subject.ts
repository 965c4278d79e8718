import { UserError } from './errors.ts';
import { duration } from './values.ts';

/** Splits "frankfurt@10m" into frankfurt and 600000 milliseconds: what a flag is about, and after how long it happens. */
export function subjectAndDelay(flag: string, given: string): { subject: string; after: number } {
  const at = given.lastIndexOf('@');
  if (at === -1) return { subject: clusterNamed(given), after: 0 };
  return {
    subject: clusterNamed(given.slice(0, at)),
    after: duration(`${flag} ${given}`, given.slice(at + 1)),
  };
}

/** The name of a cluster, also as `-o name` prints it: cluster/member1. */
export function clusterNamed(text: string): string {
  return text.replace(/^clusters?(\.cluster\.karmada\.io)?\//, '');
}

/**
 * The clusters that arguments name, also as `-o name` prints them: cluster/member1. Throws a UserError for a list with
 * commas.
 */
export function clusterArguments(given: string[]): string[] {
  return given.map((text) => {
    const names = text.split(',').map(clusterNamed);
    if (names.length === 1) return names[0]!;
    throw new UserError(`"${text}": write clusters with spaces between them: ${names.join(' ')}`);
  });
}
