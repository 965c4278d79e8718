import type { NamedTaint } from '../../karmada/evidence.ts';
import type { ExplainedCluster, ExplainedTurn } from '../../analysis/taintPolicy/explain.ts';
import type { ExplainedTaint, TaintFlap } from '../../analysis/taintPolicy/explainedTaint.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Block, TreeNode, Words } from '../../presentation/model.ts';
import { bad, faint, joined, strong, warn } from '../../presentation/words.ts';
import { ownerText } from '../words/taintOwner.ts';
import { age, policyNodes } from './policyNodes.ts';
import { lookPhrases, taintText } from './taintWords.ts';

/** A cluster as a tree: its taints, and what would change them; `about` is the policy that was asked about. */
export function clusterBlocks(cluster: ExplainedCluster, now: number, about: string | undefined): Block[] {
  const { conditions, taints, nextLook, turns, asked } = cluster;
  const states = conditions.map(
    ({ type, status, lastTransitionTime }) =>
      `${type}=${status}${lastTransitionTime ? ` for ${age(instant(lastTransitionTime), now)}` : ''}`,
  );
  const next = lookPhrases(nextLook, { about, when: 'at once' });
  const windows = lookPhrases(nextLook, { about, when: 'later' });
  const told = asked ? [asked] : turns;
  const changes: TreeNode[] = told.map((turn) => ({
    words: [strong(`if ${turn.condition.type}=${turn.condition.status}`), ': ', phrases(turn, about)],
  }));
  return [
    {
      type: 'section',
      title: joined([strong(cluster.cluster), states.join(', ') || 'reports no condition'], '   '),
      blocks: [
        {
          type: 'tree',
          nodes: [
            ...(taints.length === 0 ? [{ words: 'no taints, and no policy lists one for it' }] : []),
            ...taints.map((one) => taintNode(one, now)),
            ...(next.length > 0
              ? [{ words: [warn('at the next look of Karmada'), `: ${next.join('; ')}`] }]
              : []),
            ...(windows.length > 0
              ? [{ words: [warn('if its conditions stay as they are'), `: ${windows.join('; ')}`] }]
              : []),
            ...changes,
          ],
        },
      ],
    },
  ];
}

function phrases({ look, ofKarmada, from, condition }: ExplainedTurn, about: string | undefined): Words {
  const own = (verb: string, taints: readonly NamedTaint[]) =>
    taints.map((taint) => `${verb} ${taintText(taint)} (Karmada itself)`);
  const told = [
    ...lookPhrases(look, { about }),
    ...own('gains', ofKarmada.gains),
    ...own('loses', ofKarmada.loses),
  ];
  if (told.length > 0) return told.join('; ');
  return from === condition.status ? 'it has that status already; nothing changes' : 'nothing changes';
}

const flapTexts: Readonly<Record<TaintFlap, string>> = {
  renewed: 'a policy adds what an older one removes: its time begins anew with every change of a condition',
  'order open':
    'policies that were created in the same second want different things: nobody knows which of them acts last',
  undone: 'Karmada’s own rules undo at once what the policy does',
  'short windows':
    'its windows are shorter than its conditions take to turn back: it comes and goes with each turn',
};

function taintNode(told: ExplainedTaint, now: number): TreeNode {
  const { taint, isThere, since, ownership, policies, flaps } = told;
  const there = isThere
    ? [
        since === undefined ? 'there, since an unknown time' : `there for ${age(since, now)}`,
        ownership ? `, of ${ownerText(ownership)}` : '',
        ownership && ownership.certainty !== 'certain' ? ` (${ownership.certainty})` : '',
      ]
    : ['not there'];
  return {
    words: [isThere ? warn(taintText(taint)) : faint(taintText(taint)), ': ', ...there],
    children: [
      ...policies.flatMap((one) => policyNodes(one, now)),
      ...(flaps ? [{ words: bad(flapTexts[flaps]) }] : []),
    ],
  };
}
