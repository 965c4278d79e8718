import { UserError } from './errors.ts';

/**
 * The targets on a command line, as kubectl reads them: KIND/NAME …, or KIND NAME … with several names after one kind. Returns
 * KIND/NAME or NAMESPACE/KIND/NAME for each. Throws a UserError if both forms are mixed.
 */
export function namedTargets(words: readonly string[]): string[] {
  const [kind, ...names] = words;
  if (kind === undefined || names.length === 0) return [...words];
  const slashed = words.find((word) => word.includes('/'));
  if (slashed === undefined) return names.map((name) => `${kind}/${name}`);
  const bare = words.find((word) => !word.includes('/'));
  if (bare === undefined) return [...words];
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
