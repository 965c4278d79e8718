import type { WorkloadDifference } from '../../engine/comparison/differences.ts';
import type { ClusterEffect, PolicyEffect, TurnEffect } from '../../engine/taintPolicy/effect.ts';
import { turnDifferences } from '../../engine/taintPolicy/turnDifference.ts';
import type { LeftTaint } from '../../engine/taintPolicy/leftBehind.ts';
import type { DeletionBasis } from '../../engine/taintPolicy/deletionPlan.ts';
import type { RemovalPlan } from '../../engine/taintPolicy/removalPlan.ts';
import type { SourcePlace } from '../../engine/finding.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Table, Words } from '../../presentation/model.ts';
import { bad, faint, good, strong, warn } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { comparedWords } from '../simulation/comparedWorkload.ts';
import { dryRunSuffix, type DryRun } from '../words/dryRunSuffix.ts';
import { formatPlace } from '../findings/formatPlace.ts';
import { listed } from '../words/listed.ts';
import { workloadName } from '../words/workloadName.ts';
import { turnDocument } from './explanationDocument.ts';
import {
  lookDocument,
  lookPhrases,
  moveDocuments,
  ownershipDocument,
  taintDocument,
  taintText,
} from './taintWords.ts';
import { resourceName } from '../words/resourceName.ts';

/** A risk in words. */
export interface ToldRisk {
  code: string;
  message: string;
  policy?: string | undefined;
  field?: string | undefined;
  place?: SourcePlace | undefined;
  /** whether it stops the change until it is accepted */
  stops: boolean;
  accepted: boolean;
  /** gates and flags that count as off only by a default that nobody has confirmed */
  assumed?: readonly string[] | undefined;
}

/** One write, made or to be made. */
export interface ToldWrite {
  kind: 'ClusterTaintPolicy' | 'Cluster';
  name: string;
  /** "configured", "pruned", "untainted" */
  action: string;
  /** it was not tried, because an earlier write was not done */
  skipped?: true;
  /** taints of an untainted cluster */
  taints?: readonly Taint[];
  message?: string | undefined;
  conflicts?: readonly { manager: string; field: string }[] | undefined;
}

/** Why nothing is written, and what to do. */
export interface ToldRefusal {
  text: string;
  /** the flags that `text` ends with: people copy them, so they stay in one line */
  flags?: string;
}

/** A refusal in one line. */
export function refusalLine({ text, flags }: ToldRefusal): string {
  return flags === undefined ? text : `${text} ${flags}`;
}

export interface TaintPolicyChangeInput {
  action: 'apply' | 'delete';
  effect: PolicyEffect;
  risks: readonly ToldRisk[];
  /** whether taints that are left behind are removed too */
  withTaints: boolean;
  dryRun: DryRun;
  /** empty if nothing is in the way */
  refused: readonly ToldRefusal[];
  /** of a deletion: what a saved plan of it rests on */
  standsOn?: DeletionBasis | undefined;
  /** absent as long as nothing has been written */
  writes?: readonly ToldWrite[];
  /** what was awaited and has not happened */
  missing?: readonly {
    cluster: string;
    missing: readonly object[];
    stillThere: readonly object[];
    event?: string;
  }[];
  /** shows only the writes in text: the plan has been shown already */
  part?: 'writes';
  assumptions: AnsweredAssumption[];
  karmadaVersion: string;
}

/** What a change of ClusterTaintPolicies would do, or has done. */
export function taintPolicyChangeAnswer(input: TaintPolicyChangeInput): Answer {
  const { action, effect, risks, withTaints, dryRun, refused, standsOn, writes, missing } = input;
  return {
    document: {
      kind: 'TaintPolicyChange',
      schemaVersion: 'v1',
      karmadaVersion: input.karmadaVersion,
      now: rfc3339(effect.now),
      assumptions: input.assumptions,
      action,
      dryRun,
      policies: effect.policies.map(({ name, verb }) => ({ name, verb })),
      clusters: effect.clusters.map(({ cluster, policies, atOnce, calledOff, removed, later, noLonger }) => ({
        name: cluster,
        policies,
        atOnce: lookDocument(atOnce),
        ...calledOffDocument(calledOff),
        removed: removed.map(taintDocument),
        later: later.map(turnDocument),
        noLonger: noLonger.map(turnDocument),
      })),
      workloads: effect.workloads.map(workloadDocument),
      turns: effect.turns.map(({ cluster, turn, workloads }) => ({
        cluster,
        condition: turn.condition,
        workloads: workloads.map(workloadDocument),
      })),
      turnsNotPlayed: effect.turnsNotPlayed,
      leftBehind: effect.leftBehind.map((left) => leftDocument(left, effect.removal)),
      withTaints,
      ...(standsOn ? { standsOn } : {}),
      risks: risks.map(({ place, ...risk }) => ({ ...risk, ...(place ?? {}) })),
      refused: refused.map(refusalLine),
      ...(writes ? { writes: writes.map(writeDocument) } : {}),
      ...(missing ? { missing } : {}),
    },
    names: () => effect.policies.map(({ name }) => resourceName({ kind: 'ClusterTaintPolicy', name })),
    presentation: (shown) => ({
      blocks: [...(input.part === 'writes' ? [] : planBlocks(input, shown)), ...resultBlocks(input)],
    }),
  };
}

function calledOffDocument({ gains, loses }: ClusterEffect['calledOff']) {
  if (gains.length + loses.length === 0) return {};
  return { calledOff: { gains: moveDocuments(gains), loses: moveDocuments(loses) } };
}

function workloadDocument({ workload, kinds, from, to }: WorkloadDifference) {
  return { workload, kinds, without: from ?? null, with: to ?? null };
}

function leftDocument(left: LeftTaint, { kept }: RemovalPlan) {
  const { cluster, taint, why, policies, wanted, ownership, stillListedBy } = left;
  const stays = kept.find((one) => one.left === left);
  return {
    cluster,
    taint: taintDocument(taint),
    since: taint.timeAdded ?? null,
    why,
    policies,
    ...(wanted === undefined ? {} : { wanted }),
    ownership: ownershipDocument(ownership),
    stillListedBy,
    removable: !stays,
    ...(stays ? { keptBecause: stays.why } : {}),
  };
}

function writeDocument({ kind, name, action, taints, message, conflicts }: ToldWrite) {
  return {
    kind,
    name,
    action,
    ...(taints ? { taints: taints.map(taintDocument) } : {}),
    ...(message === undefined ? {} : { message }),
    ...(conflicts ? { conflicts } : {}),
  };
}

function planBlocks(input: TaintPolicyChangeInput, shown: Shown): Block[] {
  const { effect, risks, assumptions, refused } = input;
  return [
    policyRows(input),
    ...atOnceBlocks(effect, shown),
    ...laterBlocks('Once a condition changes', effect, 'later'),
    ...laterBlocks('No longer, once a condition changes', effect, 'noLonger'),
    ...workloadBlocks('Workloads', effect.workloads),
    ...effect.turns.flatMap(turnBlocks),
    ...(effect.turnsNotPlayed > 0
      ? [paragraph(`${effect.turnsNotPlayed} more changes of conditions were not simulated.`)]
      : []),
    ...leftBlocks(input, shown),
    ...(risks.length > 0 ? [riskRows(risks)] : []),
    ...assumptionBlocks(
      assumptions,
      shown,
      risks.flatMap(({ assumed = [] }) => assumed),
    ),
    ...refused.flatMap(refusalBlocks),
  ];
}

/** A refusal, with the flags that accept it in a line to copy. */
export function refusalBlocks(refusal: ToldRefusal): Block[] {
  const { text, flags } = refusal;
  if (flags === undefined) return [paragraph(bad(`Refused: ${text}`))];
  const command: Block = { type: 'section', inset: true, blocks: [{ type: 'command', text: flags }] };
  return [{ type: 'section', blocks: [paragraph(bad(`Refused: ${text}`)), command] }];
}

const paragraph = (words: Words): Block => ({ type: 'paragraph', words });

function policyRows({ effect: { policies, clusters }, dryRun }: TaintPolicyChangeInput): Block {
  const planned = (verb: string) => (dryRun === 'none' ? `to be ${verb}` : `${verb}${dryRunSuffix[dryRun]}`);
  return {
    type: 'rows',
    rows: policies.map(({ name, verb }) => {
      const own = clusters.filter((one) => one.policies.includes(name)).map(({ cluster }) => cluster);
      const aims = verb === 'deleted' ? '' : own.length === 0 ? 'for no cluster' : `for ${listed(own)}`;
      return [strong(name), verb === 'unchanged' ? verb : planned(verb), aims];
    }),
  };
}

function atOnceBlocks({ clusters }: PolicyEffect, { names }: Shown): Block[] {
  const atOnce = clusters.flatMap(({ cluster, atOnce: look, removed }): Words[][] => {
    const taken = removed.map((taint) => `loses ${taintText(taint)} (${names.withTaints})`);
    const phrases = [...lookPhrases(look, { when: 'at once' }), ...taken];
    if (phrases.length === 0) return [];
    const text = phrases.join('; ');
    return [[cluster, look.refused === undefined ? text : bad(text)]];
  });
  const later = clusters.flatMap(({ cluster, atOnce: look, calledOff: { gains, loses } }): Words[][] => {
    const off = lookPhrases({ ...look, refused: undefined, gains, loses, renews: [] }).map(
      (phrase) => `no longer ${phrase}`,
    );
    const phrases = [...lookPhrases(look, { when: 'later' }), ...off];
    return phrases.length === 0 ? [] : [[cluster, phrases.join('; ')]];
  });
  const section = (title: string, rows: Words[][]): Block => ({
    type: 'section',
    title,
    blocks: [{ type: 'rows', rows }],
  });
  return [
    atOnce.length > 0 ? section('At once', atOnce) : paragraph('No taint changes at once.'),
    ...(later.length > 0 ? [section('At the end of a window, if conditions stay as they are', later)] : []),
  ];
}

/** What differs at changes of conditions; clusters with the same differences share a row. */
function laterBlocks(title: string, { clusters }: PolicyEffect, which: 'later' | 'noLonger'): Block[] {
  const groups = new Map<string, { condition: string; phrases: string; clusters: string[] }>();
  for (const one of clusters) {
    const [turns, others] = which === 'later' ? [one.later, one.noLonger] : [one.noLonger, one.later];
    for (const { condition, look, also } of turnDifferences(turns, others)) {
      const phrases = `${also && which === 'later' ? 'also ' : ''}${lookPhrases(look).join('; ')}`;
      const told = { condition: `${condition.type}=${condition.status}`, phrases };
      const id = JSON.stringify(told);
      const known = groups.get(id);
      if (known) known.clusters.push(one.cluster);
      else groups.set(id, { ...told, clusters: [one.cluster] });
    }
  }
  if (groups.size === 0) return [];
  const rows = [...groups.values()].map(({ condition, phrases, clusters: own }): Words[] => [
    condition,
    listed(own),
    phrases,
  ]);
  return [{ type: 'section', title, blocks: [{ type: 'rows', rows }] }];
}

function turnBlocks({ cluster, turn, workloads }: TurnEffect): Block[] {
  return workloadBlocks(
    `Workloads, if ${cluster} has ${turn.condition.type}=${turn.condition.status}`,
    workloads,
  );
}

function workloadBlocks(title: string, workloads: readonly WorkloadDifference[]): Block[] {
  if (workloads.length === 0) return [];
  const table: Table = {
    type: 'table',
    columns: [
      { name: 'WORKLOAD' },
      { name: 'WITHOUT THE CHANGE', wraps: 16 },
      { name: 'WITH THE CHANGE', wraps: 16 },
      { name: 'NOTE', wraps: 20 },
    ],
    rows: workloads.map(({ workload, from, to }) => [
      workloadName(workload),
      comparedWords(from),
      comparedWords(to),
      to?.reason ?? '',
    ]),
    narrowing: [{ fold: { NOTE: '' } }, { cut: 'WORKLOAD', to: 20 }],
  };
  return [{ type: 'section', title, blocks: [table] }];
}

const WHY_LEFT: Record<LeftTaint['why'], string> = {
  deleted: 'its policy is deleted',
  'taint dropped': 'its policy no longer lists it',
  'cluster dropped': 'its policy is no longer for the cluster',
  'other value': 'its policy wants another value, which it does not get',
};

function leftBlocks({ effect, withTaints }: TaintPolicyChangeInput, { names }: Shown): Block[] {
  if (effect.leftBehind.length === 0) return [];
  const rows = effect.leftBehind.map((left): Words[] => {
    const stays = effect.removal.kept.find((one) => one.left === left);
    const fate = stays
      ? faint(`stays: ${stays.why}`)
      : withTaints
        ? warn(`removed (${names.withTaints})`)
        : `stays; ${names.withTaints} would remove it`;
    return [left.cluster, taintText(left.taint), WHY_LEFT[left.why], fate];
  });
  return [
    {
      type: 'section',
      title: 'Left behind: Karmada itself removes none of these',
      blocks: [{ type: 'rows', rows }],
    },
  ];
}

function riskRows(risks: readonly ToldRisk[]): Block {
  return {
    type: 'section',
    title: 'Risks',
    blocks: [
      {
        type: 'rows',
        rows: risks.map(({ code, message, policy, place, stops, accepted }): Words[] => {
          const where = place ? `${formatPlace(place)}: ` : '';
          const whose = policy === undefined ? '' : `${policy}: `;
          return [
            stops && !accepted ? bad(code) : warn(code),
            `${where}${whose}${message}${accepted ? ' (accepted)' : ''}`,
          ];
        }),
      },
    ],
  };
}

function resultBlocks({ writes, missing, dryRun }: TaintPolicyChangeInput): Block[] {
  if (!writes) return [];
  return [
    {
      type: 'rows',
      rows: writes.map((write): Words[] => [resultText(write, dryRunSuffix[dryRun])]),
    },
    ...(missing ? missingBlocks(missing) : []),
  ];
}

function resultText(write: ToldWrite, suffix: string): Words {
  const { kind, name, action, skipped, taints, message, conflicts } = write;
  const resource =
    kind === 'Cluster'
      ? `cluster.cluster.karmada.io/${name}`
      : `clustertaintpolicy.policy.karmada.io/${name}`;
  const what = taints && taints.length > 0 ? `: ${taints.map((one) => taintText(one)).join(', ')}` : '';
  const why = message === undefined ? '' : `: ${message}`;
  const text = `${resource} ${action}${suffix}${what}${why}`;
  return conflicts || skipped || action === 'refused' || action === 'unknown' ? bad(text) : text;
}

function missingBlocks(missing: NonNullable<TaintPolicyChangeInput['missing']>): Block[] {
  if (missing.length === 0) return [paragraph(good('The taints are as planned above.'))];
  const rows = missing.map((one): Words[] => {
    const texts = (taints: readonly object[]) => taints.map((taint) => taintText(taint as Taint)).join(', ');
    const lacks = one.missing.length > 0 ? `does not have ${texts(one.missing)}` : '';
    const has = one.stillThere.length > 0 ? `still has ${texts(one.stillThere)}` : '';
    const why = one.event === undefined ? '' : `: ${one.event}`;
    return [one.cluster, bad(`${[lacks, has].filter((text) => text !== '').join(', ')}${why}`)];
  });
  const next = missing.some(({ event }) => event === undefined)
    ? [paragraph('Check that karmada-controller-manager runs; taint-policy explain says what it waits for.')]
    : [];
  return [{ type: 'section', title: 'Not done yet', blocks: [{ type: 'rows', rows }, ...next] }];
}
