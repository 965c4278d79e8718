import { UserError } from './errors.ts';
import { duration } from './values.ts';

/** A kind as answers print it; the names of workloads begin with a lower-case letter. */
const SAID_KIND = /^[A-Z]/;

/**
 * The targets on a command line, as kubectl reads them: KIND/NAME …, or KIND NAME … with several names after one kind;
 * or copied from an answer, KIND NAMESPACE/NAME. Returns KIND/NAME or NAMESPACE/KIND/NAME for each. Throws a UserError
 * for mixed forms.
 */
export function namedTargets(words: readonly string[]): string[] {
  const [kind, ...names] = words;
  if (kind === undefined || names.length === 0) return [...words];
  const slashed = words.find((word) => word.includes('/'));
  if (slashed === undefined) return names.map((name) => `${kind}/${name}`);
  const bare = words.find((word) => !word.includes('/'));
  if (bare === undefined) return [...words];
  const said = words.length === 2 && bare === kind && SAID_KIND.test(kind) && /^[^/]+\/[^/]+$/.test(slashed);
  if (said) return [slashed.replace('/', `/${kind}/`)];
  throw new UserError(
    `"${bare}" and "${slashed}": write KIND NAME..., as in deployment cart search, or KIND/NAME..., as in deployment/cart deployment/search`,
  );
}

/** The only target on a command line. Throws a UserError if there are several. */
export function oneTarget(words: readonly string[]): string {
  const [first, ...others] = namedTargets(words);
  if (first !== undefined && others.length === 0) return first;
  throw new UserError(`name one workload, as in deployment/cart or deployment cart: ${words.join(' ')}`);
}

/** Splits "frankfurt@10m" into frankfurt and 600000 milliseconds: the object, and the delay until the event. */
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

/** The name of a cluster, also in the form of `-o name` and kubectl: cluster/member1, clusters.cluster.karmada.io/member1. */
export function clusterNamed(text: string): string {
  return text.replace(BEFORE_NAME, '');
}

/**
 * The cluster named by one or two words, if any: member1 or, as in kubectl, cluster member1. Throws a UserError for two
 * names.
 */
export function clusterAmong([first, second]: readonly (string | undefined)[]): string | undefined {
  const name = second !== undefined && ALONE.test(first!) ? second : first;
  if (name === first && second !== undefined)
    throw new UserError(`unexpected argument ${second}; name one cluster, or leave it out for all`);
  return name === undefined ? undefined : clusterNamed(name);
}

/** The clusters that arguments name, also in the form of `-o name`: cluster/member1. Throws a UserError for a list with commas. */
export function clusterArguments(given: string[]): string[] {
  return given.map((text) => {
    const names = text.split(',').map(clusterNamed);
    if (names.length === 1) return names[0]!;
    throw new UserError(`"${text}": write clusters with spaces between them: ${names.join(' ')}`);
  });
}
