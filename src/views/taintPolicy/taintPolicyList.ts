import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';
import { documentSummary } from '../documentSummary.ts';
import type { ClusterTaint, ListedPolicy, TaintPolicyList } from '../../analysis/taintPolicy/list.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Presentation, Table } from '../../presentation/model.ts';
import { asFaint, asWarning } from '../../presentation/words.ts';
import { inOrder, type Answer, type Shown } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { age, duration } from '../words/duration.ts';
import { listed, plural } from '../words/amounts.ts';
import { ownerText, resourceName } from '../words/names.ts';
import { kubectlText, nextStep } from '../words/nextStep.ts';
import { inactiveBlock } from './riskWords.ts';
import { ownershipDocument, taintDocument, taintText } from './taintWords.ts';

interface TaintPolicyListInput extends DatedBasis {
  list: TaintPolicyList;
}

/** The ClusterTaintPolicies, the taints that they put on clusters, and the taints that no policy explains. */
export function taintPolicyListAnswer(input: TaintPolicyListInput): Answer {
  const { list, assumptions, now, karmadaVersion } = input;
  return {
    document: {
      kind: 'TaintPolicyList',
      schemaVersion: 'v1',
      karmadaVersion,
      now: rfc3339(now),
      assumptions,
      summary: documentSummary({ policies: list.policies, orphans: list.orphans, others: list.others }),
      items: list.policies.map(policyDocument),
      orphans: list.orphans.map(clusterTaintDocument),
      others: list.others.map(clusterTaintDocument),
      ...(list.dead ? { dead: list.dead } : {}),
      ...(list.deadAssumed ? { deadAssumed: true } : {}),
    },
    list: {
      field: 'items',
      inOrder: (positions) =>
        taintPolicyListAnswer({ ...input, list: { ...list, policies: inOrder(list.policies, positions) } }),
    },
    names: () => list.policies.map(({ name }) => resourceName({ kind: 'ClusterTaintPolicy', name })),
    presentation: (shown) => presentation(input, shown),
  };
}

function policyDocument({ name, created, targets, everywhere, taints }: ListedPolicy) {
  return {
    name,
    created: created === undefined ? null : rfc3339(created),
    everywhere,
    targets,
    taints: taints.map(({ taint, inForce, windows }) => ({
      ...taintDocument(taint),
      inForce: inForce.map(clusterTaintDocument),
      ...(windows && {
        windows: { ...windows, coming: windows.coming.map((one) => ({ ...one, ends: rfc3339(one.ends) })) },
      }),
    })),
  };
}

function clusterTaintDocument({ cluster, taint, ownership }: ClusterTaint) {
  return {
    cluster,
    taint: taintDocument(taint),
    since: taint.timeAdded ?? null,
    ownership: ownershipDocument(ownership),
  };
}

function presentation({ list, assumptions, now }: TaintPolicyListInput, shown: Shown): Presentation {
  const { wide, noHeaders } = shown;
  const policies: Table = {
    type: 'table',
    columns: [
      { name: 'NAME' },
      { name: 'AGE' },
      { name: 'TARGETS', wraps: 12 },
      { name: 'TAINT' },
      { name: 'IN FORCE', wraps: 16 },
    ],
    rows: list.policies.flatMap((policy) => policyRows(policy, now, wide)),
    narrowing: [{ drop: ['AGE'] }, { cut: 'TAINT', to: 24 }, { fold: { 'IN FORCE': 'in force:' } }],
  };
  if (noHeaders) return { blocks: [policies] };
  const { dead, deadAssumed } = list;
  return {
    blocks: [
      ...(dead && list.policies.length > 0 ? [inactiveBlock(dead, deadAssumed === true, shown)] : []),
      verdict(list),
      ...(list.orphans.length > 0 ? nextStep(['taint-policy', 'explain'], shown) : []),
      ...(list.policies.length > 0 ? [policies] : []),
      ...taintSection('Taints that no policy explains', list.orphans, now, toRemove(list.orphans, shown)),
      ...(wide ? taintSection('Other taints', list.others, now) : []),
      ...assumptionBlocks(assumptions, shown),
    ],
  };
}

/** "2 ClusterTaintPolicies, 1 taint in force; 1 taint that no policy explains.": the totals. */
function verdict({ policies, orphans }: TaintPolicyList): Block {
  if (policies.length === 0 && orphans.length === 0)
    return { type: 'paragraph', words: 'There are no ClusterTaintPolicies.' };
  const inForce = policies.flatMap(({ taints }) => taints.flatMap((one) => one.inForce)).length;
  const unexplained =
    orphans.length === 0 ? '' : asWarning(`; ${plural(orphans.length, 'taint')} that no policy explains`);
  const names = plural(policies.length, 'ClusterTaintPolicy');
  return { type: 'paragraph', words: [`${names}, ${plural(inForce, 'taint')} in force`, unexplained, '.'] };
}

/** How to remove the first, if it is not needed. */
function toRemove([first]: readonly ClusterTaint[], { kubectl }: Shown): Block[] {
  if (!first) return [];
  const { cluster, taint } = first;
  const text = kubectlText(
    ['karmadactl', 'taint', 'clusters', cluster, `${taint.key}:${taint.effect}-`],
    kubectl,
  );
  return [
    { type: 'paragraph', words: asFaint('To remove one that is not needed:') },
    { type: 'command', text },
  ];
}

/** A row for each taint; the first row also shows what applies to the whole policy. */
function policyRows(
  { name, created, targets, everywhere, taints }: ListedPolicy,
  now: number,
  wide: boolean,
) {
  const aged = created === undefined ? '' : age(created, now);
  const names = listed(targets, wide ? targets.length : 5);
  const aims = everywhere ? `all ${targets.length}` : targets.length === 0 ? 'none' : names;
  const rows = taints.map(({ taint, inForce, windows }) => {
    const there = [
      ...inForce.map(({ cluster, taint: { timeAdded } }) => `${cluster}${since(timeAdded, now)}`),
      ...(windows?.coming ?? []).map(
        ({ cluster, verb, ends }) =>
          `${cluster} ${verb === 'adds' ? 'added' : 'removed'} in ${duration(ends - now)}`,
      ),
    ];
    return [name, aged, aims, taintText(taint), listed(there, wide ? there.length : 5)];
  });
  return rows.length > 0 ? rows : [[name, aged, aims, '', '']];
}

function since(timeAdded: string | null | undefined, now: number): string {
  return timeAdded ? ` ${age(instant(timeAdded), now)}` : '';
}

function taintSection(
  title: string,
  taints: readonly ClusterTaint[],
  now: number,
  below: Block[] = [],
): Block[] {
  if (taints.length === 0) return [];
  const table: Table = {
    type: 'table',
    columns: [{ name: 'CLUSTER' }, { name: 'TAINT' }, { name: 'SINCE' }, { name: 'SET BY', wraps: 16 }],
    rows: taints.map(({ cluster, taint, ownership }) => [
      cluster,
      taintText(taint),
      since(taint.timeAdded, now).trim(),
      ownerText(ownership),
    ]),
    narrowing: [{ drop: ['SINCE'] }, { cut: 'TAINT', to: 24 }],
  };
  return [{ type: 'section', title, blocks: [table, ...below] }];
}
