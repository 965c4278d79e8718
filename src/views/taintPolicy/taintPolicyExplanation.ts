import type { Basis } from '../../karmada/configuration/assumptions.ts';
import { documentSummary } from '../documentSummary.ts';
import type {
  ExplainedCluster,
  ExplainedTurn,
  TaintPolicyExplanation,
} from '../../analysis/taintPolicy/explain.ts';
import type { ExplainedTaint, TaintFlap } from '../../analysis/taintPolicy/explainedTaint.ts';
import type {
  MatchedList,
  PolicyByLists,
  PolicyByWindow,
  PolicyOnTaint,
} from '../../analysis/taintPolicy/policyOnTaint.ts';
import type { NamedTaint } from '../../karmada/evidence.ts';
import type { MatchedCondition } from '../../karmada/taints/matchConditions.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Presentation, TreeNode, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, joined, asStrong, asWarning } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { listed, plural } from '../words/amounts.ts';
import { duration, lasting } from '../words/duration.ts';
import { ownerText, resourceName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';
import { inactiveBlock } from './riskWords.ts';
import { clusterDocument, reconcilePhrases, taintText } from './taintWords.ts';

interface TaintPolicyExplanationInput extends Basis {
  explanation: TaintPolicyExplanation;
  policy?: string | undefined;
  cluster?: string | undefined;
  /** the clusters are in the requested order; otherwise texts begin with those that change, or have taints */
  ordered?: boolean;
}

/** Why clusters have their taints, and events that would change them. */
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
      summary: documentSummary({ clusters, taints: clusters.flatMap(({ taints }) => taints) }),
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
          ordered: true,
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
  const sorted = input.ordered ? clusters : changedFirst(clusters);
  return {
    blocks: [
      ...(dead ? [inactiveBlock(dead, deadAssumed === true, shown)] : []),
      ...(clusters.length > 0 ? [{ type: 'paragraph', words: verdict(explanation, policy) } as const] : []),
      ...(clusters.length === 0 ? [{ type: 'paragraph', words: noneText(input) } as const] : []),
      ...nextSteps(sorted, shown),
      ...alike(sorted, (one) => JSON.stringify(clusterBlocks(one, [''], now, policy))).flatMap(
        ([one, names]) => clusterBlocks(one, names, now, policy),
      ),
      ...assumptionBlocks(assumptions, shown),
    ],
  };
}

/** "3 taints on 2 of 4 clusters; the next reconcile changes alpha.": `about` is the requested policy. */
function verdict({ clusters }: TaintPolicyExplanationInput['explanation'], about: string | undefined): Words {
  const present = clusters.map(({ taints }) => taints.filter(({ isThere }) => isThere).length);
  const count = present.reduce((sum, one) => sum + one, 0);
  const tainted = present.filter((one) => one > 0).length;
  const changing = clusters.filter(
    ({ nextReconcile }) => reconcilePhrases(nextReconcile, { about, when: 'at once' }).length > 0,
  );
  return [
    asStrong(plural(count, 'taint')),
    ` on ${tainted} of ${plural(clusters.length, 'cluster')}; the next reconcile changes `,
    changing.length > 0 ? asWarning(listed(changing.map(({ cluster }) => cluster))) : 'nothing',
    '.',
  ];
}

/** Those that the next reconcile changes, then those with the most taints. */
function changedFirst(clusters: readonly ExplainedCluster[]): ExplainedCluster[] {
  const changes = ({ nextReconcile }: ExplainedCluster) =>
    reconcilePhrases(nextReconcile, { when: 'at once' }).length > 0 ? 1 : 0;
  const present = ({ taints }: ExplainedCluster) => taints.filter(({ isThere }) => isThere).length;
  return clusters.toSorted((a, b) => changes(b) - changes(a) || present(b) - present(a));
}

/** The command that shows the first of several clusters, or the workloads on the only one. */
function nextSteps([first, ...others]: readonly ExplainedCluster[], shown: Shown): Block[] {
  if (!first) return [];
  const words =
    others.length > 0
      ? ['taint-policy', 'explain', shown.names.onCluster(first.cluster)]
      : ['status', first.cluster];
  return nextStep(words, shown);
}

/** Why there is nothing to explain. */
function noneText({ explanation: { targets = [] }, policy, cluster }: TaintPolicyExplanationInput): string {
  if (policy === undefined) return 'There are no clusters.';
  if (targets.length === 0 || cluster === undefined) return `${policy} selects no cluster.`;
  return `${policy} does not select ${cluster}; it selects ${listed(targets)}.`;
}

/** Clusters with the same explanation, merged with their names. */
function alike(
  clusters: readonly ExplainedCluster[],
  said: (cluster: ExplainedCluster) => string,
): [ExplainedCluster, string[]][] {
  const groups = new Map<string, [ExplainedCluster, string[]]>();
  for (const one of clusters) {
    const key = said(one);
    const known = groups.get(key);
    if (known) known[1].push(one.cluster);
    else groups.set(key, [one, [one.cluster]]);
  }
  return [...groups.values()];
}

/** Clusters as a tree: their taints, and events that would change them; `about` is the requested policy. */
function clusterBlocks(
  cluster: ExplainedCluster,
  names: string[],
  now: number,
  about: string | undefined,
): Block[] {
  const { conditions, taints, nextReconcile, turns, asked } = cluster;
  const states = conditions.map(
    ({ type, status, lastTransitionTime }) =>
      `${type}=${status}${lastTransitionTime ? ` ${lasting(instant(lastTransitionTime), now)}` : ''}`,
  );
  const next = reconcilePhrases(nextReconcile, { about, when: 'at once' });
  const windows = reconcilePhrases(nextReconcile, { about, when: 'later' });
  const shown = asked ? [asked] : turns;
  const changes: TreeNode[] = shown.map((turn) => ({
    words: [asStrong(`if ${turn.condition.type}=${turn.condition.status}`), ': ', phrases(turn, about)],
  }));
  return [
    {
      type: 'section',
      title: joined([asStrong(listed(names)), states.join(', ') || 'reports no condition'], '   '),
      blocks: [
        {
          type: 'tree',
          nodes: [
            ...(taints.length === 0 ? [{ words: 'no taints, and no policy lists one for it' }] : []),
            ...taints.map((one) => taintNode(one, now)),
            ...(next.length > 0
              ? [{ words: [asWarning('at the next reconcile'), `: ${next.join('; ')}`] }]
              : []),
            ...(windows.length > 0
              ? [{ words: [asWarning('if its conditions stay as they are'), `: ${windows.join('; ')}`] }]
              : []),
            ...changes,
          ],
        },
      ],
    },
  ];
}

function phrases({ reconcile, ofKarmada, from, condition }: ExplainedTurn, about: string | undefined): Words {
  const own = (verb: string, taints: readonly NamedTaint[]) =>
    taints.map((taint) => `${verb} ${taintText(taint)} (Karmada itself)`);
  const known = [
    ...reconcilePhrases(reconcile, { about }),
    ...own('gains', ofKarmada.gains),
    ...own('loses', ofKarmada.loses),
  ];
  if (known.length > 0) return known.join('; ');
  return from === condition.status ? 'it has that status already; nothing changes' : 'nothing changes';
}

const flapTexts: Readonly<Record<TaintFlap, string>> = {
  renewed: 'a policy adds what an older one removes: its timer restarts with every change of a condition',
  'order open': 'policies created in the same second conflict: which one acts last is unknown',
  undone: 'Karmada’s own rules undo at once what the policy does',
  'short windows':
    'its windows are shorter than its conditions last: it is added and removed with each change',
};

function taintNode(explained: ExplainedTaint, now: number): TreeNode {
  const { taint, isThere, since, ownership, policies, flaps } = explained;
  const there = isThere
    ? [
        since === undefined ? 'set, since an unknown time' : `set ${lasting(since, now)}`,
        ownership ? `, ${ownerText(ownership)}` : '',
        ownership && ownership.certainty !== 'certain' ? ` (${ownership.certainty})` : '',
      ]
    : ['not set'];
  return {
    words: [isThere ? asWarning(taintText(taint)) : asFaint(taintText(taint)), ': ', ...there],
    children: [
      ...policies.flatMap((one) => policyNodes(one, now)),
      ...(flaps ? [{ words: asBad(flapTexts[flaps]) }] : []),
    ],
  };
}

/** A policy's effect on a taint and its pending conditions; `now` is epoch milliseconds. */
function policyNodes(one: PolicyOnTaint, now: number): TreeNode[] {
  return 'window' in one ? windowNodes(one, now) : listNodes(one, now);
}

/** When the window of a policy ends, and the reason for its delay. */
function windowNodes({ policy, match, window, overruledBy }: PolicyByWindow, now: number): TreeNode[] {
  const { verb, since, seconds, ends, runs, certainty, missing } = window;
  const lasts = duration(seconds * 1000);
  const isMatch = verb === 'adds';
  const wanted = match.entries.map(({ wanted: one }) => conditionText(one)).join(' and ') || 'always';
  const state = isMatch
    ? `matches ${lasting(since, now)}`
    : `does not match ${lasting(since, now)} (${match.waitsFor.map((one) => reportText(one, now)).join(', ')})`;
  const left = `${verb} it in ${duration(ends - now)}, at ${rfc3339(ends)}`;
  const end = runs ? asWarning(left) : asGood(`${verb} it after ${lasts}, now over`);
  return [
    {
      words: [`${policy} (${wanted}) ${state}: `, end],
      ...(certainty === 'estimate' &&
        missing !== undefined && {
          children: [{ words: asFaint(`at the latest, an estimate; a certain answer needs ${missing}`) }],
        }),
    },
    ...(overruledBy === undefined
      ? []
      : [{ words: asFaint(`${overruledBy} still matches, so ${policy} does not remove it`) }]),
  ];
}

function listNodes({ policy, add, remove, wants, overruledBy }: PolicyByLists, now: number): TreeNode[] {
  const list = (verb: string, when: string, { entries, holds, since, waitsFor }: MatchedList): TreeNode => {
    if (entries.length === 0)
      return { words: asFaint(`${policy} never ${verb} it: it names no conditions for that`) };
    const wanted = entries.map(({ wanted: one }) => conditionText(one)).join(' and ');
    const state = holds
      ? asGood(`holds${since === undefined ? '' : ` ${lasting(since, now)}`}`)
      : `waits for ${waitsFor.map((one) => waitText(one, now)).join(' and ')}`;
    return { words: [`${policy} ${verb} it ${when} ${wanted}: `, state] };
  };
  return [
    list('adds', 'while', add),
    list('removes', 'once', remove),
    ...(overruledBy === undefined || wants === undefined
      ? []
      : [
          {
            words: asWarning(`${overruledBy} is newer and takes precedence over ${policy}`),
          },
        ]),
  ];
}

function conditionText({ conditionType, operator, statusValues = [] }: MatchedCondition['wanted']): string {
  if (operator === 'In' && statusValues.length === 1) return `${conditionType}=${statusValues[0]}`;
  return `${conditionType} ${operator} [${statusValues.join(' ')}]`;
}

/** The condition that an entry waits for, and the cluster's report. */
function waitText(entry: MatchedCondition, now: number): string {
  return `${conditionText(entry.wanted)} (${statusText(entry, now)})`;
}

/** "Ready=True for 40s", "Net not reported" */
function reportText(entry: MatchedCondition, now: number): string {
  const { found, wanted } = entry;
  return `${wanted.conditionType}${found.length > 0 ? '=' : ' '}${statusText(entry, now)}`;
}

/** "True for 40s" */
function statusText({ found }: MatchedCondition, now: number): string {
  const last = found.at(-1);
  if (!last) return 'not reported';
  const { status, lastTransitionTime } = last;
  return `${status}${lastTransitionTime ? ` ${lasting(instant(lastTransitionTime), now)}` : ''}`;
}
