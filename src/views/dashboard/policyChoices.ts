import { policyIdentity } from '../../karmada/objects/policies.ts';
import { listedTaints } from '../../karmada/taints/policyFields.ts';
import type { World } from '../../karmada/world.ts';
import { faint } from '../../presentation/words.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { listed } from '../words/amounts.ts';
import { objectText } from '../words/names.ts';
import type { Choice } from './answered.ts';

/** The ClusterTaintPolicies of a world with the taints that they add, then the policies that propagate; each opens the object. */
export function policyChoices({
  taintPolicies,
  policies,
}: Pick<World, 'taintPolicies' | 'policies'>): Choice[] {
  const propagating = policies.map((policy): Choice => {
    const object = policyIdentity(policy);
    return { key: objectText(object), words: objectText(object), opens: { view: 'object', object } };
  });
  return [...taintChoices(taintPolicies), ...propagating.sort(byKey)];
}

function taintChoices(taintPolicies: World['taintPolicies']): Choice[] {
  return taintPolicies
    .map((policy): Choice => {
      const { name } = policy.metadata;
      const taints = listedTaints(policy).map(formatTaint);
      return {
        key: name,
        words: [
          `ClusterTaintPolicy ${name}`,
          faint(`   ${taints.length === 0 ? 'no taints' : listed(taints, 3)}`),
        ],
        opens: { view: 'object', object: { kind: 'ClusterTaintPolicy', name } },
      };
    })
    .sort(byKey);
}

const byKey = (a: Choice, b: Choice) => (a.key < b.key ? -1 : 1);
