import type { ProposedChange } from '../../analysis/explanation/changes/change.ts';
import type { ObjectPatch } from '../../analysis/explanation/changes/change.ts';
import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { Block, TreeNode, Words } from '../../presentation/model.ts';
import { asStrong, asWarning } from '../../presentation/words.ts';
import { listed, plural } from '../words/amounts.ts';
import { placementText } from '../words/names.ts';
import { kubectlText } from '../words/nextStep.ts';
import { gapText } from '../words/outcomeWords.ts';
import type { Shown } from '../answer.ts';

/**
 * Changes that would let it move, the smallest first, each with its command.
 *
 * @param isHelped a patch that helps is shown already
 */
export function changesBlocks(
  explanation: WorkloadExplanation,
  kubectl?: Shown['kubectl'],
  isHelped = false,
): Block[] {
  const { changes, sharedPolicy, policy, decision } = explanation;
  if (!changes) return [];
  const placed = decision.failure === undefined;
  // one copy fewer is often intended
  if (placed && changes.items.length === 0) return [];
  const { items: found, pairs, tried, refused } = changes;
  const nothing =
    refused === undefined
      ? `none of the ${tried} ${isHelped ? 'other ' : ''}tried changes, alone or in pairs, helps without harm to other workloads.`
      : `the changes that were found cannot be made as they are. ${refused}`;
  if (found.length === 0)
    return [{ type: 'paragraph', words: [asStrong('What would help:'), ` ${nothing}`] }];
  const what = pairs
    ? ' no single change; any one of these pairs'
    : found.length > 1
      ? ' any one of these'
      : '';
  const isShared =
    sharedPolicy > 0 &&
    policy &&
    found.some((one) => one.patches.some((patch) => concerns(patch, policy.name)));
  const others = plural(sharedPolicy, 'other workload');
  const shared: Block[] = isShared
    ? [{ type: 'paragraph', words: asWarning(`${policy.kind} ${policy.name} places ${others} too.`) }]
    : [];
  return [
    {
      type: 'section',
      title: [asStrong(placed ? 'To keep all copies:' : 'What would help:'), what],
      blocks: [{ type: 'tree', nodes: found.map((one) => changeNode(one, kubectl)) }, ...shared],
    },
  ];
}

function concerns({ target }: ObjectPatch, policy: string): boolean {
  return target.kind.endsWith('PropagationPolicy') && target.name === policy;
}

function changeNode(change: ProposedChange, kubectl: Shown['kubectl']): TreeNode {
  const { kinds, text, movesToday, alternatives, patches } = change;
  // ending only the task no longer keeps its copy
  const ended =
    kinds.includes('end-eviction') && patches.some(({ merge }) => !('clusters' in specOf(merge)))
      ? asWarning('; this deletes the copy that the task keeps there')
      : '';
  const others = alternatives.length > 0 ? ` (or ${listed(alternatives, 3)})` : '';
  const today = movesToday ? asWarning(`; moves today to ${placementText(movesToday)}`) : '';
  return {
    mark: '-',
    words: [`${text}${others}: ${givenText(change)}`, today, ended],
    children: patches.map((patch) => ({ words: { type: 'command', text: patchCommand(patch, kubectl) } })),
  };
}

/**
 * "it moves to dublin×3": the effect of a change. A workload that only tolerates a failure stays: "it stays on dublin×2 (2 replicas down
 * permanently)".
 */
export function givenText({
  gives,
  leadsTo,
  gap,
}: Pick<ProposedChange, 'gives' | 'leadsTo' | 'gap'>): string {
  const stays = leadsTo === 'stays' || leadsTo === 'tolerates';
  const down = gap?.open ? ` (${gapText({ gap }, ' replicas down')})` : '';
  return `it ${stays ? 'stays on' : 'moves to'} ${placementText(gives)}${down}`;
}

function specOf(merge: unknown): object {
  return (merge as { spec?: object }).spec ?? {};
}

/** Changes that would help if a cluster failed. */
export function lossChangesBlocks(
  { ifItFails = [] }: WorkloadExplanation,
  kubectl?: Shown['kubectl'],
): Block[] {
  return ifItFails.flatMap(({ cluster, changes }): Block | [] => {
    if (!changes) return [];
    const { items, tried } = changes;
    const title: Words = asStrong(`What would help if ${cluster} fails:`);
    if (items.length === 0)
      return { type: 'paragraph', words: [title, ` none of ${plural(tried, 'change')} that were tried.`] };
    return {
      type: 'section',
      title,
      blocks: [{ type: 'tree', nodes: items.map((one) => changeNode(one, kubectl)) }],
    };
  });
}

/** The patch as a command to type. */
export function patchCommand({ target, merge }: ObjectPatch, kubectl?: Shown['kubectl']): string {
  const namespace = target.namespace ? ['-n', target.namespace] : [];
  const patch = ['--type', 'merge', '-p', JSON.stringify(merge)];
  const words = ['kubectl', 'patch', target.kind.toLowerCase(), target.name, ...namespace, ...patch];
  return kubectlText(words, kubectl);
}
