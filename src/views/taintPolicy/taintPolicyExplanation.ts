import type { TaintPolicyExplanation } from '../../analysis/taintPolicy/explain.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Presentation } from '../../presentation/model.ts';
import type { Answer, Shown } from '../answer.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { listed } from '../words/listed.ts';
import { clusterDocument } from './explanationDocument.ts';
import { clusterBlocks } from './explanationTree.ts';
import { deadBlock } from './riskWords.ts';
import { resourceName } from '../words/resourceName.ts';

export interface TaintPolicyExplanationInput {
  explanation: TaintPolicyExplanation;
  assumptions: AnsweredAssumption[];
  karmadaVersion: string;
  /** the policy that was asked about */
  policy?: string | undefined;
  /** the cluster that was asked about */
  cluster?: string | undefined;
}

/** Why clusters have the taints that they have, and what would change them. */
export function taintPolicyExplanationAnswer(input: TaintPolicyExplanationInput): Answer {
  const { explanation, assumptions, karmadaVersion, policy } = input;
  const { now, clusters, targets, dead, deadAssumed } = explanation;
  return {
    document: {
      kind: 'TaintPolicyExplanation',
      schemaVersion: 'v1',
      karmadaVersion,
      now: rfc3339(now),
      assumptions,
      ...(policy === undefined ? {} : { policy }),
      ...(targets ? { targets } : {}),
      ...(dead ? { dead } : {}),
      ...(deadAssumed ? { deadAssumed } : {}),
      clusters: clusters.map(clusterDocument),
    },
    list: {
      field: 'clusters',
      inOrder: (positions) =>
        taintPolicyExplanationAnswer({
          ...input,
          explanation: { ...explanation, clusters: positions.map((at) => clusters[at]!) },
        }),
    },
    names: () => clusters.map(({ cluster }) => resourceName({ kind: 'Cluster', name: cluster })),
    presentation: (shown) => presentation(input, shown),
  };
}

function presentation(input: TaintPolicyExplanationInput, shown: Shown): Presentation {
  const { explanation, assumptions, policy } = input;
  const { now, clusters, dead, deadAssumed } = explanation;
  return {
    blocks: [
      ...(dead ? [deadBlock(dead, deadAssumed === true, shown)] : []),
      ...(clusters.length === 0 ? [{ type: 'paragraph', words: noneText(input) } as const] : []),
      ...clusters.flatMap((one) => clusterBlocks(one, now, policy)),
      ...assumptionBlocks(assumptions, shown),
    ],
  };
}

/** Why there is nothing to explain. */
function noneText({ explanation: { targets = [] }, policy, cluster }: TaintPolicyExplanationInput): string {
  if (policy === undefined) return 'There are no clusters.';
  if (targets.length === 0 || cluster === undefined) return `${policy} is for no cluster.`;
  return `${policy} is not for ${cluster}; it is for ${listed(targets)}.`;
}
