import type { WorkloadDifference } from '../../simulator/comparison/differences.ts';
import type { ClusterEffect, PolicyEffect, TurnEffect } from '../../analysis/taintPolicy/effect.ts';
import { turnDifferences } from '../../analysis/taintPolicy/conditionTurns.ts';
import type { Block, Table, Words } from '../../presentation/model.ts';
import { asBad } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { comparedWords, worstFirst } from '../simulation/comparedWorkload.ts';
import { listed } from '../words/amounts.ts';
import { workloadName } from '../words/names.ts';
import {
  reconcileDocument,
  reconcilePhrases,
  moveDocuments,
  taintDocument,
  taintText,
  turnDocument,
} from './taintWords.ts';

/** The effect of a change on clusters and workloads, immediate and on condition changes, as documents. */
export function effectDocument({ clusters, workloads, turns, turnsNotPlayed }: PolicyEffect) {
  return {
    clusters: clusters.map(clusterDocument),
    workloads: workloads.map(workloadDocument),
    turns: turns.map((one) => ({
      cluster: one.cluster,
      condition: one.turn.condition,
      workloads: one.workloads.map(workloadDocument),
    })),
    turnsNotPlayed,
  };
}

function clusterDocument(effect: ClusterEffect) {
  const { cluster, policies, atOnce, calledOff, removed, later, noLonger } = effect;
  return {
    name: cluster,
    policies,
    atOnce: reconcileDocument(atOnce),
    ...calledOffDocument(calledOff),
    removed: removed.map(taintDocument),
    later: later.map(turnDocument),
    noLonger: noLonger.map(turnDocument),
  };
}

function calledOffDocument({ gains, loses }: ClusterEffect['calledOff']) {
  if (gains.length + loses.length === 0) return {};
  return { calledOff: { gains: moveDocuments(gains), loses: moveDocuments(loses) } };
}

function workloadDocument({ workload, kinds, from, to }: WorkloadDifference) {
  return { workload, kinds, without: from ?? null, with: to ?? null };
}

/** The effect of a change on clusters and workloads: immediate, at the end of a window, on condition changes. */
export function effectBlocks(effect: PolicyEffect, shown: Shown): Block[] {
  return [
    ...atOnceBlocks(effect, shown),
    ...workloadBlocks('Workloads', effect.workloads, shown),
    ...detail('effects of condition changes', [
      ...laterBlocks('Once a condition changes', effect, 'later'),
      ...laterBlocks('No longer, once a condition changes', effect, 'noLonger'),
    ]),
    ...detail('workloads after condition changes', [
      ...effect.turns.flatMap((turn) => turnBlocks(turn, shown)),
      ...(effect.turnsNotPlayed > 0
        ? [paragraph(`${effect.turnsNotPlayed} more changes of conditions were not simulated.`)]
        : []),
    ]),
  ];
}

const detail = (name: string, blocks: Block[]): Block[] =>
  blocks.map((block) => ({ type: 'section', detail: name, blocks: [block] }));
const paragraph = (words: Words): Block => ({ type: 'paragraph', words });

function atOnceBlocks({ clusters }: PolicyEffect, { names }: Shown): Block[] {
  const atOnce = clusters.flatMap(({ cluster, atOnce: reconcile, removed }): Words[][] => {
    const taken = removed.map((taint) => `loses ${taintText(taint)} (${names.withTaints})`);
    const phrases = [...reconcilePhrases(reconcile, { when: 'at once' }), ...taken];
    if (phrases.length === 0) return [];
    const text = phrases.join('; ');
    return [[cluster, reconcile.refused === undefined ? text : asBad(text)]];
  });
  const later = clusters.flatMap(({ cluster, atOnce: reconcile, calledOff: { gains, loses } }): Words[][] => {
    const off = reconcilePhrases({ ...reconcile, refused: undefined, gains, loses, renews: [] }).map(
      (phrase) => `no longer ${phrase}`,
    );
    const phrases = [...reconcilePhrases(reconcile, { when: 'later' }), ...off];
    return phrases.length === 0 ? [] : [[cluster, phrases.join('; ')]];
  });
  const section = (title: string, rows: Words[][]): Block => ({
    type: 'section',
    title,
    blocks: [{ type: 'rows', rows }],
  });
  return [
    ...(atOnce.length > 0 ? [section('At once', atOnce)] : []),
    ...(later.length > 0 ? [section('At the end of a window, if conditions stay as they are', later)] : []),
  ];
}

/** Differences at condition changes; clusters with the same differences share a row. */
function laterBlocks(title: string, { clusters }: PolicyEffect, which: 'later' | 'noLonger'): Block[] {
  const groups = new Map<string, { condition: string; phrases: string; clusters: string[] }>();
  for (const one of clusters) {
    const [turns, others] = which === 'later' ? [one.later, one.noLonger] : [one.noLonger, one.later];
    for (const { condition, reconcile, also } of turnDifferences(turns, others)) {
      const phrases = `${also && which === 'later' ? 'also ' : ''}${reconcilePhrases(reconcile).join('; ')}`;
      const group = { condition: `${condition.type}=${condition.status}`, phrases };
      const id = JSON.stringify(group);
      const known = groups.get(id);
      if (known) known.clusters.push(one.cluster);
      else groups.set(id, { ...group, clusters: [one.cluster] });
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

function turnBlocks({ cluster, turn, workloads }: TurnEffect, shown: Shown): Block[] {
  return workloadBlocks(
    `Workloads, if ${cluster} has ${turn.condition.type}=${turn.condition.status}`,
    workloads,
    shown,
  );
}

function workloadBlocks(title: string, workloads: readonly WorkloadDifference[], { wide }: Shown): Block[] {
  if (workloads.length === 0) return [];
  const table: Table = {
    type: 'table',
    columns: [
      { name: 'WORKLOAD' },
      { name: 'BEFORE', wraps: 16 },
      { name: 'AFTER', wraps: 16 },
      { name: 'NOTE', wraps: 20 },
    ],
    rows: worstFirst(workloads).map(({ workload, from, to }) => [
      workloadName(workload),
      ...comparedWords(from, to, wide),
      to?.reason ?? '',
    ]),
    narrowing: [{ drop: ['NOTE'] }, { cut: 'WORKLOAD', to: 20 }],
  };
  return [{ type: 'section', title, blocks: [table] }];
}
