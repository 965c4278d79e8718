import type { DeletionBasis } from '../../analysis/taintPolicy/deletionPlan.ts';
import type { PolicyEffect } from '../../analysis/taintPolicy/effect.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block } from '../../presentation/model.ts';
import { strong } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { dryRunSuffix, type DryRun } from '../words/dryRunSuffix.ts';
import { listed } from '../words/listed.ts';
import { resourceName } from '../words/resourceName.ts';
import { writeBlocks, writeDocument, type ToldMissing, type ToldWrite } from './changeWrites.ts';
import { leftBlocks, leftDocuments } from './leftTaints.ts';
import { effectBlocks, effectDocument } from './policyEffect.ts';
import { refusalBlocks, refusalLine, type ToldRefusal } from './refusals.ts';
import { riskRows, type ToldRisk } from './risks.ts';

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
  missing?: readonly ToldMissing[];
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
  const { effect, risks, withTaints, assumptions, refused } = input;
  return [
    policyRows(input),
    ...effectBlocks(effect, shown),
    ...leftBlocks(effect, withTaints, shown),
    ...(risks.length > 0 ? [riskRows(risks)] : []),
    ...assumptionBlocks(
      assumptions,
      shown,
      risks.flatMap(({ assumed = [] }) => assumed),
    ),
    ...refused.flatMap(refusalBlocks),
  ];
}

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
