import { UserError } from './errors.ts';

/** A kind as answers say it: a name of a workload begins with a small letter. */
const SAID_KIND = /^[A-Z]/;

/**
 * The targets on a command line, as kubectl reads them: KIND/NAME …, or KIND NAME … with several names after one kind. Also what answers
 * say of one, KIND NAMESPACE/NAME. Returns KIND/NAME or NAMESPACE/KIND/NAME for each. Throws a UserError if forms are mixed.
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
