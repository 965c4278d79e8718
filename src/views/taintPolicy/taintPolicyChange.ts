import type { Basis } from '../../karmada/configuration/assumptions.ts';
import { documentSummary } from '../documentSummary.ts';
import type { DeletionBasis, DeletionDrift } from '../../analysis/taintPolicy/deletionPlan.ts';
import type { PolicyEffect } from '../../analysis/taintPolicy/effect.ts';
import type { LeftTaint } from '../../analysis/taintPolicy/removalPlan.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, joined, asStrong, asWarning } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { listed, plural } from '../words/amounts.ts';
import { type DryRun, dryRunSuffix } from '../words/dryRunSuffix.ts';
import { resourceName } from '../words/names.ts';
import { effectBlocks, effectDocument } from './policyEffect.ts';
import {
  type ReportedRefusal,
  type ReportedRisk,
  refusalBlocks,
  refusalLine,
  riskRows,
} from './riskWords.ts';
import { ownershipDocument, taintDocument, taintText } from './taintWords.ts';
import type { ReportedWrite } from '../../analysis/taintPolicy/policyChange.ts';

export interface TaintPolicyChangeInput extends Basis {
  action: 'apply' | 'delete';
  effect: PolicyEffect;
  risks: readonly ReportedRisk[];
  /** whether leftover taints are removed too */
  withTaints: boolean;
  dryRun: DryRun;
  /** empty if nothing blocks the change */
  refused: readonly ReportedRefusal[];
  /** for an unblocked plan: the next command */
  next?: string | undefined;
  /** for a deletion: the basis of a saved plan */
  standsOn?: DeletionBasis | undefined;
  /** absent until something has been written */
  writes?: readonly ReportedWrite[];
  /** awaited changes that did not happen */
  missing?: readonly ReportedMissing[];
  /** in text, only the writes: the plan has already been shown */
  part?: 'writes';
}

/** The effect of a change of ClusterTaintPolicies, planned or done. */
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
      summary: documentSummary({
        policies: effect.policies,
        clusters: effect.clusters,
        workloads: effect.workloads,
        risks,
      }),
      policies: effect.policies.map(({ name, verb }) => ({ name, verb })),
      ...effectDocument(effect),
      leftBehind: leftDocuments(effect),
      withTaints,
      ...(standsOn ? { standsOn } : {}),
      risks: risks.map(({ place, ...risk }) => ({ ...risk, ...(place ?? {}) })),
      refused: refused.map(refusalLine),
      ...(writes ? { writes: writes.map(writeDocument) } : {}),
      ...(missing ? { missing } : {}),
    },
    names: () => effect.policies.map(({ name }) => resourceName({ kind: 'ClusterTaintPolicy', name })),
    presentation: (shown) => ({
      blocks: [
        ...(input.part === 'writes' ? [] : planBlocks(input, shown)),
        ...(writes ? writeBlocks(writes, missing, dryRun) : []),
      ],
    }),
  };
}

function planBlocks(input: TaintPolicyChangeInput, shown: Shown): Block[] {
  const { effect, risks, withTaints, assumptions, refused, next } = input;
  return [
    { type: 'paragraph', words: totals(input) },
    ...refused.flatMap(refusalBlocks),
    ...(next !== undefined && refused.length === 0 ? [{ type: 'command', text: next } as const] : []),
    policyRows(input),
    ...effectBlocks(effect, shown),
    ...leftBlocks(effect, withTaints, shown),
    ...(risks.length > 0 ? [riskRows(risks)] : []),
    ...assumptionBlocks(assumptions, shown, { deciding: risks.flatMap(({ assumed = [] }) => assumed) }),
  ];
}

/** "Plan: 1 policy to be created, 3 of 5 clusters change taints at once, 2 workloads end differently (1 lost), 1 risk.": the totals. */
function totals({ effect, risks, refused, withTaints }: TaintPolicyChangeInput): Words {
  const { policies, clusters, workloads, turns, turnsNotPlayed, removal } = effect;
  const cleaned = new Set(withTaints ? removal.steps.map(({ cluster }) => cluster) : []);
  const verbs = [...new Set(policies.map(({ verb }) => verb))].map((verb) => {
    const count = policies.filter((one) => one.verb === verb).length;
    return `${count} ${count === 1 ? 'policy' : 'policies'} ${verb === 'unchanged' ? verb : `to be ${verb}`}`;
  });
  const tainted = clusters.filter(
    ({ cluster, atOnce: { gains, loses } }) => gains.length + loses.length > 0 || cleaned.has(cluster),
  ).length;
  const lost = workloads.filter(({ to }) => to?.outcome === 'lost').length;
  const turned = new Set(turns.flatMap((turn) => turn.workloads.map(({ workload }) => objectKey(workload))))
    .size;
  const atLeast = turnsNotPlayed > 0 ? 'at least ' : '';
  return [
    refused.length > 0 ? asBad('Refused') : asStrong('Plan'),
    ': ',
    joined(
      [
        ...verbs,
        `${tainted} of ${plural(clusters.length, 'cluster')} ${tainted === 1 ? 'changes' : 'change'} taints at once`,
        [
          `${plural(workloads.length, 'workload')} ${workloads.length === 1 ? 'ends' : 'end'} differently`,
          ...(lost > 0 ? [' (', asBad(`${lost} lost`), ')'] : []),
        ],
        ...(turned > 0 ? [asWarning(`${atLeast}${turned} once a condition changes`)] : []),
        ...(risks.length > 0 ? [asWarning(plural(risks.length, 'risk'))] : []),
      ],
      ', ',
    ),
    '.',
  ];
}

function policyRows({ effect: { policies, clusters }, dryRun }: TaintPolicyChangeInput): Block {
  const planned = (verb: string) => (dryRun === 'none' ? `to be ${verb}` : `${verb}${dryRunSuffix[dryRun]}`);
  return {
    type: 'rows',
    rows: policies.map(({ name, verb }) => {
      const own = clusters.filter((one) => one.policies.includes(name)).map(({ cluster }) => cluster);
      const aims = verb === 'deleted' ? '' : own.length === 0 ? 'for no cluster' : `for ${listed(own)}`;
      return [asStrong(name), verb === 'unchanged' ? verb : planned(verb), aims];
    }),
  };
}

/** Awaited taints of a cluster that are missing, or that should be gone and are not. */
interface ReportedMissing {
  cluster: string;
  missing: readonly object[];
  stillThere: readonly object[];
  event?: string;
}

function writeDocument({ kind, name, action, taints, message, conflicts }: ReportedWrite) {
  return {
    kind,
    name,
    action,
    ...(taints ? { taints: taints.map(taintDocument) } : {}),
    ...(message === undefined ? {} : { message }),
    ...(conflicts ? { conflicts } : {}),
  };
}

/** A row for each planned or finished write; then the awaited changes that did not happen. */
function writeBlocks(
  writes: readonly ReportedWrite[],
  missing: readonly ReportedMissing[] | undefined,
  dryRun: DryRun,
): Block[] {
  return [
    {
      type: 'rows',
      rows: writes.map((write): Words[] => [resultText(write, dryRunSuffix[dryRun])]),
    },
    ...(missing ? missingBlocks(missing) : []),
  ];
}

function resultText(write: ReportedWrite, suffix: string): Words {
  const { kind, name, action, skipped, taints, message, conflicts } = write;
  const resource =
    kind === 'Cluster'
      ? `cluster.cluster.karmada.io/${name}`
      : `clustertaintpolicy.policy.karmada.io/${name}`;
  const what = taints && taints.length > 0 ? `: ${taints.map((one) => taintText(one)).join(', ')}` : '';
  const why = message === undefined ? '' : `: ${message}`;
  const text = `${resource} ${action}${suffix}${what}${why}`;
  return conflicts || skipped || action === 'refused' || action === 'unknown' ? asBad(text) : text;
}

function missingBlocks(missing: readonly ReportedMissing[]): Block[] {
  if (missing.length === 0) return [{ type: 'paragraph', words: asGood('The taints are as planned above.') }];
  const rows = missing.map((one): Words[] => {
    const texts = (taints: readonly object[]) => taints.map((taint) => taintText(taint as Taint)).join(', ');
    const lacks = one.missing.length > 0 ? `does not have ${texts(one.missing)}` : '';
    const has = one.stillThere.length > 0 ? `still has ${texts(one.stillThere)}` : '';
    const why = one.event === undefined ? '' : `: ${one.event}`;
    return [one.cluster, asBad(`${[lacks, has].filter((text) => text !== '').join(', ')}${why}`)];
  });
  const next: Block[] = missing.some(({ event }) => event === undefined)
    ? [
        {
          type: 'paragraph',
          words: 'Check that karmada-controller-manager runs; taint-policy explain says what it waits for.',
        },
      ]
    : [];
  return [{ type: 'section', title: 'Not done yet', blocks: [{ type: 'rows', rows }, ...next] }];
}

function leftDocuments({ leftBehind, removal }: PolicyEffect) {
  return leftBehind.map((left) => {
    const { cluster, taint, why, policies, wanted, ownership, stillListedBy } = left;
    const stays = removal.kept.find((one) => one.left === left);
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
  });
}

const WHY_LEFT: Record<LeftTaint['why'], string> = {
  deleted: 'its policy is deleted',
  'taint dropped': 'its policy no longer lists it',
  'cluster dropped': 'its policy is no longer for the cluster',
  'other value': 'its policy sets another value, without effect',
};

/** The leftover taints of a change, a row each with its outcome. */
function leftBlocks({ leftBehind, removal }: PolicyEffect, withTaints: boolean, { names }: Shown): Block[] {
  if (leftBehind.length === 0) return [];
  const rows = leftBehind.map((left): Words[] => {
    const stays = removal.kept.find((one) => one.left === left);
    const fate = stays
      ? asFaint(`stays: ${stays.why}`)
      : withTaints
        ? asWarning(`removed (${names.withTaints})`)
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

/** One line about what changed since a plan to delete policies was made: "Cluster alpha: …". */
export function deletionDriftText(drift: DeletionDrift): string {
  switch (drift.change) {
    case 'edited':
      return `${drift.kind} ${drift.name} was edited`;
    case 'replaced':
      return `${drift.kind} ${drift.name} was deleted and recreated`;
    case 'taint changed':
      return `Cluster ${drift.cluster}: the taint ${taintText(drift.taint)} was ${changeText(drift.taint, drift.now)}`;
    case 'taint kept': {
      const { cluster, taint, why, listedBy } = drift;
      const because =
        why === 'still listed'
          ? `ClusterTaintPolicy ${listed(listedBy)} lists it now`
          : 'its policy is now unknown';
      return `Cluster ${cluster}: the taint ${taintText(taint)} would stay: ${because}`;
    }
    case 'taint new':
      return `Cluster ${drift.cluster}: the taint ${taintText(drift.taint)} is new`;
  }
}

function changeText(before: Taint, now: Taint): string {
  if ((before.value ?? '') !== (now.value ?? '')) return `changed to ${taintText(now)}`;
  return now.timeAdded ? `added again at ${now.timeAdded}` : 'set again by an operator';
}
