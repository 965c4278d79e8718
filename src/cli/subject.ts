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

const KIND = 'clusters?(?:\\.(?:v1alpha1\\.)?cluster\\.karmada\\.io)?';
const BEFORE_NAME = new RegExp(`^${KIND}/`, 'i');
const ALONE = new RegExp(`^${KIND}$`, 'i');

/** The name of a cluster, also as `-o name` and kubectl print it: cluster/member1, clusters.cluster.karmada.io/member1. */
export function clusterNamed(text: string): string {
  return text.replace(BEFORE_NAME, '');
}

/** The cluster that one or two words name, if any: member1, or as kubectl takes it, cluster member1. Throws a UserError for two names. */
export function clusterAmong([first, second]: readonly (string | undefined)[]): string | undefined {
  const name = second !== undefined && ALONE.test(first!) ? second : first;
  if (name === first && second !== undefined)
    throw new UserError(`unexpected argument ${second}; name one cluster, or leave it out for all`);
  return name === undefined ? undefined : clusterNamed(name);
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
