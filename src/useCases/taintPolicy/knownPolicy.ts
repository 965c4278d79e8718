import type { World } from '../../engine/world.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';
import { nearMatches } from '../../views/nearMatches.ts';

/** The name of a policy, also as `-o name` and kubectl print it: clustertaintpolicy.policy.karmada.io/network. */
export function policyName(given: string): string {
  return given.replace(/^clustertaintpolic(y|ies)(\.policy\.karmada\.io)?\//, '');
}

/** The name of a policy of the world. Throws a UserError that says which one may have been meant. */
export function knownPolicy(given: string, { taintPolicies }: Pick<World, 'taintPolicies'>): string {
  const name = policyName(given);
  const names = taintPolicies.map(({ metadata }) => metadata.name).sort();
  if (names.includes(name)) return name;
  const known = names.length > 0 ? `there are ${names.slice(0, 10).join(', ')}` : 'there are none';
  throw new UserError(
    withSuggestion(`there is no ClusterTaintPolicy "${name}"`, nearMatches(name, names), known),
  );
}
