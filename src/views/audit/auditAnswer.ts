import type { AuditInput } from './auditInput.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { causeBlocks } from './auditCauses.ts';
import { gateBlocks } from './auditGate.ts';
import { headroomBlocks } from './auditHeadroom.ts';
import { countOfEach } from '../../kubernetes/longLists.ts';
import type { Audit } from '../../analysis/audit/audit.ts';
import {
  type AuditedWorkload,
  isCovered,
  meetsTarget,
  worstTrouble,
} from '../../analysis/audit/auditedWorkload.ts';
import type { AuditedContingency, ContingencyTaint } from '../../analysis/audit/contingencies.ts';
import { isUncovered, type Trouble, TROUBLES } from '../../analysis/audit/trouble.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { Block, Paragraph, Words } from '../../presentation/model.ts';
import { asBad, asGood, isEmpty, joined, asStrong, asWarning, asDetail } from '../../presentation/words.ts';
import { type Answer, inOrder, type Shown } from '../answer.ts';
import { plural } from '../words/amounts.ts';
import { duration } from '../words/duration.ts';
import { failoverStateWords } from '../words/failoverState.ts';
import { resourceName, shortWorkloadName, workloadName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';
import { downText } from '../words/outcomeWords.ts';
import {
  causeText,
  downtimeText,
  contingencyTitle,
  homesText,
  troubleCounts,
  troubleWords,
} from './auditWords.ts';

/** The losses if clusters failed. */
export function auditAnswer(input: AuditInput): Answer {
  const { audit } = input;
  return {
    get document() {
      return auditDocument(input);
    },
    list: {
      field: 'workloads',
      inOrder: (positions) =>
        auditAnswer({
          ...input,
          audit: { ...audit, workloads: inOrder(audit.workloads, positions) },
          ordered: true,
        }),
    },
    names: () => audit.workloads.filter(isAtRisk).map(({ workload }) => resourceName(workload)),
    presentation(shown) {
      const tables = auditTables(input, shown);
      if (shown.noHeaders) return { blocks: tables };
      return {
        blocks: [
          ...gateBlocks(input),
          ...safeBlocks(input, shown),
          auditVerdict(input),
          ...explainWorst(input, shown),
          ...(input.safeTogether ? asDetail('the audit', tables) : tables),
          ...causeBlocks(input, shown),
          ...headroomBlocks(input, shown),
          ...assumptionBlocks(input.assumptions, shown),
        ],
      };
    },
  };
}

/** The tables of workloads and contingencies. */
export function auditTables(input: AuditInput, shown: Shown): Block[] {
  return [...workloadTable(input, shown), ...contingencyTable(input, shown)];
}

export function auditDocument({
  audit,
  applied,
  taint,
  failover,
  gate,
  now,
  karmadaVersion,
  assumptions,
  safeTogether,
}: AuditInput) {
  const { coverage, contingencies, workloads, clusters, causes } = audit;
  return {
    kind: 'FailoverAudit' as const,
    schemaVersion: 'v1',
    karmadaVersion,
    now: rfc3339(now),
    assumptions,
    ...(applied && { applied }),
    ...(taint && { taint }),
    failover,
    complete: contingencies.length === audit.asked,
    summary: {
      ...coverage,
      contingencies: contingencies.length,
      troubles: worstCounts(workloads),
    },
    contingencies,
    workloads: workloads.map((one) => ({
      ...one,
      covered: isCovered(one),
      ...(one.target !== undefined && { targetMet: meetsTarget(one) }),
    })),
    clusters,
    causes,
    ...(safeTogether && { safeTogether }),
    ...(gate && { gate }),
  };
}

/** The number of workloads by worst trouble. */
function worstCounts(workloads: readonly AuditedWorkload[]): Partial<Record<Trouble, number>> {
  return countOfEach(workloads.flatMap(({ worst }) => worst?.trouble ?? []));
}

/** Whether it belongs in the list of a text. */
export function isAtRisk(workload: AuditedWorkload): boolean {
  return workload.worst !== undefined || workload.now !== undefined || meetsTarget(workload) === false;
}

/**
 * "5 of 14 workloads survive each of 8 contingencies; the others at worst: 7 lost, 2 blocked. Survivors: 3 in part, 4
 * uncertain".
 */
export function survivalWords(
  { coverage, contingencies, workloads }: Audit,
  taint?: ContingencyTaint,
): Words {
  const { covered, workloads: all, coveredUncertain } = coverage;
  const troubles = (some: readonly AuditedWorkload[]) =>
    troubleCounts(countOfEach(some.flatMap((one) => worstTrouble(one) ?? [])));
  const others = troubles(workloads.filter((one) => !isCovered(one)));
  const survivors = joined(
    [
      troubles(workloads.filter(isCovered)),
      coveredUncertain > 0 ? asWarning(`${coveredUncertain} uncertain`) : '',
    ].filter((words) => !isEmpty(words)),
    ', ',
  );
  return [
    (covered === all ? asGood : asBad)(asStrong(`${covered} of ${plural(all, 'workload')}`)),
    ` survive each of ${plural(contingencies.length, 'contingency')}`,
    taint ? ` with the taint ${formatTaint(taint)}` : '',
    isEmpty(others) ? '' : ['; the others at worst: ', others],
    isEmpty(survivors) ? '' : ['. Survivors: ', survivors],
  ];
}

/** The verdict of an audit: the survivors, and the deciding factors. */
export function auditVerdict({
  audit,
  failover,
  applied,
  taint,
}: Pick<AuditInput, 'audit' | 'failover' | 'applied' | 'taint'>): Paragraph {
  const { coverage, contingencies, asked } = audit;
  const { inTroubleNow, inTroubleAnyway, targets, notPlaced } = coverage;
  if (coverage.workloads === 0) {
    const why = notPlaced > 0 ? `${plural(notPlaced, 'workload')} on no cluster` : 'no workload is selected';
    return { type: 'paragraph', words: `Nothing to audit: ${why}.` };
  }
  if (contingencies.length === 0) {
    const why =
      asked === 0
        ? 'Nothing to audit: there is no cluster; '
        : `Nothing audited: stopped after 0 of ${asked}; `;
    const down = asBad(
      `${inTroubleNow} of ${plural(coverage.workloads + notPlaced, 'workload')} in trouble now`,
    );
    return { type: 'paragraph', words: [why, down, '.'] };
  }
  const counts: Words[] = [
    ...(targets.asked > 0 ? [`${targets.met} of ${targets.asked} meet their recovery target`] : []),
    ...(inTroubleNow > 0 ? [asBad(`${inTroubleNow} in trouble now`)] : []),
    ...(inTroubleAnyway > 0 ? [asBad(`${inTroubleAnyway} in trouble without further failures`)] : []),
    ...(notPlaced > 0 ? [`${notPlaced} not counted, on no cluster`] : []),
  ];
  const stopped = `${counts.length > 0 ? 'stopped' : 'Stopped'} after ${contingencies.length} of ${asked}`;
  const parts = contingencies.length < asked ? [...counts, asWarning(stopped)] : counts;
  const off = failover.state === 'on' ? [] : [' Cluster failover is ', failoverStateWords(failover), '.'];
  return {
    type: 'paragraph',
    words: [
      applied ? `With ${applied.join(', ')} applied: ` : '',
      survivalWords(audit, taint),
      parts.length > 0 ? '. ' : '',
      joined(parts, '; '),
      '.',
      ...off,
    ],
  };
}

/** Which clusters can be drained together, and which not even alone. */
function safeBlocks({ safeTogether }: AuditInput, shown: Shown): Block[] {
  if (!safeTogether) return [];
  const { sets, unsafe, complete, planned } = safeTogether;
  return [
    {
      type: 'section',
      title: [
        sets.length === 0
          ? asBad('No cluster can be drained without risk.')
          : asGood(`Safe to drain together, ${plural(sets.length, 'choice')}:`),
        complete ? '' : asWarning(` Stopped after ${plural(planned, 'plan')}.`),
      ],
      blocks: [{ type: 'rows', rows: sets.map((set) => [set.join(' + ')]) }],
    },
    ...sets.slice(0, 1).flatMap((set) => nextStep(['drain', ...set, shown.names.planOnly], shown)),
    ...(unsafe.length === 0
      ? []
      : [
          {
            type: 'section' as const,
            title: 'Not safe, even one at a time:',
            blocks: [
              {
                type: 'rows' as const,
                rows: unsafe.map(({ cluster, refusals }) => [cluster, refusals[0]?.problem ?? '']),
              },
            ],
          },
        ]),
  ];
}

/** The command that explains the worst outcome; if only a simulation can, the command for that. */
function explainWorst({ audit, applied = [], taint }: AuditInput, shown: Shown): Block[] {
  const contingencyOf = ({ worst }: AuditedWorkload) =>
    audit.contingencies.find(({ name }) => name === worst?.contingency);
  const ill = audit.workloads.filter(({ now, worst }) => now !== undefined || worst !== undefined);
  // one taint says more than one for each cluster of an area
  const alone = taint && ill.find((one) => contingencyOf(one)?.clusters.length === 1);
  const first = alone ?? ill[0];
  if (!first) return [];
  const contingency = contingencyOf(first);
  if (!contingency) return nextStep(['explain', workloadName(first.workload)], shown);
  const { names } = shown;
  const simulates = taint !== undefined || applied.length > 0;
  const { name, kind, clusters } = contingency;
  const happens = (cluster: string) =>
    taint
      ? names.taints(cluster, formatTaint(taint))
      : simulates
        ? names.fails(cluster)
        : names.ifFails(cluster);
  const isArea = kind === 'provider' || kind === 'region' || kind === 'zone';
  const events =
    isArea && !taint ? [names.areaFails(kind, name.slice(kind.length + 1))] : clusters.map(happens);
  return nextStep(
    simulates
      ? ['simulate', ...applied.map(names.applies), ...events]
      : ['explain', workloadName(first.workload), ...events],
    shown,
  );
}

function workloadTable({ audit, taint }: AuditInput, { wide }: Shown): Block[] {
  const rows = audit.workloads.filter((one) => wide || isAtRisk(one));
  return [
    {
      type: 'table',
      columns: [
        { name: 'AT WORST', wraps: 11 },
        { name: 'WORKLOAD' },
        { name: contingencyTitle(taint).toUpperCase(), wraps: 12 },
        { name: 'DOWNTIME' },
        { name: 'WHY', wraps: 18 },
        ...(wide ? [{ name: 'CAN MOVE TO', wraps: 30 }, { name: 'CERTAINTY' }] : []),
      ],
      rows: rows.map((one) => [
        worstWords(one),
        shortWorkloadName(one.workload),
        contingenciesText(one),
        downtimeWords(one),
        whyText(one),
        ...(wide ? [homesText(one.secondHomes), one.certainty] : []),
      ]),
      narrowing: [
        { fold: { 'CAN MOVE TO': 'can move to' } },
        { cut: 'WORKLOAD', to: 20 },
        { fold: { WHY: '' } },
      ],
    },
  ];
}

/** The cause of its worst trouble. */
export function whyText({ worst, nowCause }: Pick<AuditedWorkload, 'worst' | 'nowCause'>): string {
  const cause = worst?.cause ?? nowCause;
  return cause ? causeText(cause) : '';
}

/** "lost?", "down, blocked now": its worst trouble in a contingency, and its trouble now. */
export function worstWords({ now, worst }: Pick<AuditedWorkload, 'now' | 'worst'>): Words {
  const present = now && (!worst || isUncovered(now)) ? [troubleWords(now), ' now'] : '';
  if (!worst) return present;
  const doubt = worst.certainty === 'certain' ? '' : '?';
  return joined([[troubleWords(worst.trouble), asWarning(doubt)], present], ', ');
}

/** "frankfurt +2": its worst contingency, and how many others are as bad. */
export function contingenciesText({ worst, troubles }: AuditedWorkload): string {
  if (!worst) return '';
  const same = troubles.filter(({ trouble }) => trouble === worst.trouble).length;
  return same > 1 ? `${worst.contingency} +${same - 1}` : worst.contingency;
}

/** Its longest downtime, in red if that exceeds its target. */
export function downtimeWords(one: AuditedWorkload): Words {
  const text = downtimeText(one.downtime);
  return meetsTarget(one) === false ? asBad(`${text}, target ${duration((one.target ?? 0) * 1000)}`) : text;
}

function contingencyTable({ audit, taint }: AuditInput, { wide }: Shown): Block[] {
  const shown = audit.contingencies.filter((one) => wide || one.workloads > 0);
  return [
    {
      type: 'table',
      columns: [
        { name: contingencyTitle(taint).toUpperCase() },
        { name: 'WORKLOADS' },
        { name: 'NEW TROUBLE', wraps: 44 },
        { name: 'MOVE' },
        { name: 'REPLICA-MINUTES' },
        { name: 'REPLICAS DOWN' },
        { name: 'UNCERTAIN' },
      ],
      rows: worstContingenciesFirst(shown).map((one) => [
        contingencyName(one),
        String(one.workloads),
        newTroubles(one),
        String(one.cost.moves),
        String(one.cost.missingReplicaMinutes),
        downText(one.cost, '') || '-',
        String(one.uncertain),
      ]),
      narrowing: [
        { drop: ['UNCERTAIN', 'MOVE'] },
        { drop: ['REPLICA-MINUTES', 'REPLICAS DOWN'] },
        { fold: { 'NEW TROUBLE': '' } },
      ],
    },
  ];
}

/** "region eu", "frankfurt, down": already. */
export function contingencyName({ name, down }: Pick<AuditedContingency, 'name' | 'down'>): string {
  return down ? `${name}, down` : name;
}

/** "2 lost, 1 blocked", "as now". */
export function newTroubles({ troubles, down }: Pick<AuditedContingency, 'troubles' | 'down'>): Words {
  const counts = troubleCounts(troubles);
  return isEmpty(counts) ? (down ? 'as now' : asGood('none')) : counts;
}

export function worstContingenciesFirst(contingencies: readonly AuditedContingency[]): AuditedContingency[] {
  return contingencies.toSorted((a, b) => {
    for (const trouble of TROUBLES) {
      const more = (b.troubles[trouble] ?? 0) - (a.troubles[trouble] ?? 0);
      if (more !== 0) return more;
    }
    return b.cost.missingReplicaMinutes - a.cost.missingReplicaMinutes;
  });
}
