import type { World } from '../../engine/world.ts';
import { Problem } from '../problem.ts';

/** The name of a policy, also as `-o name` and kubectl print it: clustertaintpolicy.policy.karmada.io/network. */
function policyName(given: string): string {
  return given.replace(/^clustertaintpolic(y|ies)(\.policy\.karmada\.io)?\//, '');
}

/** The name of a policy of the world. Throws a Problem if there is none of that name. */
export function knownPolicy(given: string, { taintPolicies }: Pick<World, 'taintPolicies'>): string {
  const name = policyName(given);
  const known = taintPolicies.map(({ metadata }) => metadata.name).sort();
  if (known.includes(name)) return name;
  throw new Problem({ code: 'unknown-taint-policy', policy: name, known });
}
