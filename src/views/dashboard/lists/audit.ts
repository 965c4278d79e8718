import type { Audit } from '../../../analysis/audit/audit.ts';
import type { AuditedWorkload } from '../../../analysis/audit/auditedWorkload.ts';
import type { AuditedContingency } from '../../../analysis/audit/contingencies.ts';
import { snapshotKey } from '../../../karmada/objects/identities.ts';
import { TROUBLES } from '../../../analysis/audit/trouble.ts';
import type { Words } from '../../../presentation/model.ts';
import { asBad, asFaint, joined, plain, asStrong, asWarning } from '../../../presentation/words.ts';
import {
  contingenciesText,
  contingencyName,
  worstContingenciesFirst,
  downtimeWords,
  isAtRisk,
  newTroubles,
  survivalWords,
  whyText,
  worstWords,
} from '../../audit/auditAnswer.ts';
import { homesText, troubleCounts, troubleWords } from '../../audit/auditWords.ts';
import { workloadColumn } from '../../screen/screenList.ts';
import { listed, plural } from '../../words/amounts.ts';
import { downText, outcomeCounts } from '../../words/outcomeWords.ts';
import { placementText, shortWorkloadName, workloadName } from '../../words/names.ts';
import type { List } from '../list.ts';
import { NO_CHANGES } from '../whatIf.ts';
import { costWords } from './clusters.ts';

/** A dashboard's audit: plain data from another thread. */
export interface ShownAudit {
  totals: Words;
  /** those with workloads, the costliest first */
  contingencies: readonly AuditedContingency[];
  /** workloads harmed by a contingency, the worst first, with its clusters */
  atRisk: readonly (AuditedWorkload & { failing: readonly string[] })[];
}

/** A dashboard's view of an audit. */
export function shownAudit(audit: Audit): ShownAudit {
  const contingencies = worstContingenciesFirst(audit.contingencies.filter(({ workloads }) => workloads > 0));
  const failingIn = new Map(contingencies.map(({ name, clusters }) => [name, clusters]));
  return {
    totals: totalsOf(audit),
    contingencies,
    atRisk: audit.workloads
      .filter(isAtRisk)
      .map((one) => ({ ...one, failing: failingIn.get(one.worst?.contingency ?? '') ?? [] })),
  };
}

function totalsOf(audit: Audit): Words {
  if (audit.coverage.workloads === 0) return 'No workload is placed on a cluster: nothing can be lost.';
  if (audit.contingencies.length === 0) return 'There is no cluster: nothing can be audited.';
  return survivalWords(audit);
}

type Contingency = ShownAudit['contingencies'][number];

/** The cost of each contingency, the costliest first. */
export function contingencyList({ atRisk }: ShownAudit): List<Contingency> {
  return {
    name: 'clusters',
    one: 'contingency',
    none: 'No failure puts a workload at risk.',
    items: () => [],
    key: ({ name }) => name,
    text: (one) => `${one.name} ${one.clusters.join(' ')} ${plain(troubleCounts(one.troubles))}`,
    columns: [
      {
        name: 'IF THIS FAILS',
        words: contingencyName,
        order: ({ name }) => name,
        least: 14,
      },
      {
        name: 'WORKLOADS',
        words: ({ workloads }) => String(workloads),
        order: ({ workloads }) => -workloads,
        right: true,
      },
      {
        name: 'NEW TROUBLE',
        words: newTroubles,
        order: ({ troubles }) =>
          -TROUBLES.reduce((sum, trouble, at) => sum + (troubles[trouble] ?? 0) * 1000 ** -at, 0),
        least: 20,
      },
      {
        name: 'MOVE',
        words: ({ cost }) => String(cost.moves),
        order: ({ cost }) => -cost.moves,
        right: true,
        leaves: 3,
      },
      {
        name: 'DOWNTIME',
        words: ({ cost }) => costWords(cost),
        short: ({ cost }) => shortCost(cost),
        order: ({ cost }) => -(cost.missingForGood * 1e6 + cost.missingReplicaMinutes),
        least: 16,
        leaves: 1,
      },
      {
        name: 'UNCERTAIN',
        words: ({ uncertain }) => (uncertain === 0 ? asFaint('0') : String(uncertain)),
        order: ({ uncertain }) => -uncertain,
        right: true,
        leaves: 2,
      },
    ],
    about: ({ name, kind, clusters, workloads, outcomes, cost, uncertain, ...one }) => ({
      title: [
        asStrong(name),
        one.down
          ? ' stays down'
          : kind === 'cluster'
            ? ' fails'
            : `  ${listed([...clusters], 6)} fail together`,
      ],
      facts: [
        ['trouble', newTroubles(one)],
        ['harmed', listed(harmedBy(name, atRisk), 6)],
        ['outcomes', joined(outcomeCounts(outcomes), ', ')],
        ['downtime', costWords(cost)],
        ['uncertain', uncertain === 0 ? '' : `${uncertain} of ${plural(workloads, 'workload')}`],
      ],
      next: [
        ['Enter', 'each workload then'],
        ['Tab', 'the workloads at risk'],
      ],
    }),
    opens: ({ clusters }) => ({ view: 'tomorrow', whatIf: { ...NO_CHANGES, failing: clusters } }),
  };
}

/** "32 permanently", "19 replica-minutes": the larger part of a cost. */
function shortCost(cost: AuditedContingency['cost']): Words {
  const { missingForGood, missingReplicaMinutes } = cost;
  if (missingForGood > 0) return downText(cost, '');
  return missingReplicaMinutes > 0 ? plural(missingReplicaMinutes, 'replica-minute') : '';
}

function harmedBy(contingency: string, atRisk: ShownAudit['atRisk']): string[] {
  return atRisk
    .filter(({ troubles }) => troubles.some((one) => one.contingency === contingency))
    .map(({ workload }) => shortWorkloadName(workload));
}

type AtRisk = ShownAudit['atRisk'][number];

/** Workloads that a contingency leaves lost, down, blocked or flapping: by which contingency, and why. */
export const atRiskList: List<AtRisk> = {
  name: 'workloads',
  one: 'workload',
  none: 'Every workload survives each contingency.',
  items: () => [],
  key: ({ binding }) => snapshotKey(binding),
  namespace: ({ workload }) => workload.namespace,
  text: (one) =>
    `${workloadName(one.workload)} ${plain(worstWords(one))} ${contingenciesText(one)} ${whyText(one)}`,
  columns: [
    workloadColumn(({ workload }) => workload),
    {
      name: 'AT WORST',
      words: worstWords,
      order: (one) => TROUBLES.indexOf(one.worst?.trouble ?? one.now ?? 'lost'),
    },
    { name: 'IF THIS FAILS', words: contingenciesText, order: contingenciesText, least: 12 },
    {
      name: 'DOWNTIME',
      words: downtimeWords,
      order: ({ downtime }) => -(downtime ? (downtime.seconds ?? Infinity) : 0),
      leaves: 2,
    },
    {
      name: 'WHY',
      words: whyText,
      order: whyText,
      least: 16,
      leaves: 3,
    },
    {
      name: 'CAN MOVE TO',
      words: ({ secondHomes }) => (secondHomes.length === 0 ? asBad('none') : homesText(secondHomes, 2)),
      order: ({ secondHomes }) => secondHomes.length,
      least: 12,
      leaves: 4,
    },
  ],
  about: (one) => ({
    title: [asStrong(workloadName(one.workload)), '  ', worstWords(one)],
    facts: [
      ['why', joined([whyText(one), one.worst?.reason ?? ''], ': ')],
      [
        'if this fails',
        joined(
          one.troubles
            .slice(0, 5)
            .map(({ contingency, trouble }): Words => [`${contingency}: `, troubleWords(trouble)]),
          ', ',
        ),
      ],
      ['now on', placementText(one.clusters)],
      ['can move to', one.secondHomes.length === 0 ? asBad('none') : homesText(one.secondHomes)],
      ['downtime', downtimeWords(one)],
      [one.certainty, one.certainty === 'certain' ? '' : asWarning(`depends on ${one.dependsOn.join('; ')}`)],
    ],
    next: [['Enter', 'why, and what would help']],
  }),
  opens: ({ binding, failing }) => ({
    view: 'workload',
    key: snapshotKey(binding),
    ...(failing.length > 0 && { ifFails: failing }),
  }),
  object: ({ binding }) => ({ view: 'object', object: binding }),
};
