import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';
import { countOfEach } from '../../kubernetes/longLists.ts';
import type { Audit } from '../../analysis/audit/audit.ts';
import type { AuditedCluster } from '../../analysis/audit/auditedCluster.ts';
import type { AuditedCause } from '../../analysis/audit/auditedCauses.ts';
import {
  type AuditedWorkload,
  isCovered,
  meetsTarget,
  worstTrouble,
} from '../../analysis/audit/auditedWorkload.ts';
import type { AuditedContingency, ContingencyTaint } from '../../analysis/audit/contingencies.ts';
import type { Cures } from '../../analysis/audit/cures.ts';
import type { WorkloadEvents } from '../../analysis/audit/workloadEvents.ts';
import { type Breach, type GateCondition, judgedKey, type Progress } from '../../analysis/audit/gate.ts';
import type { Headroom } from '../../analysis/forecast/headroom.ts';
import { isUncovered, type Trouble, TROUBLES } from '../../analysis/audit/trouble.ts';
import type { SafeTogether } from '../../analysis/audit/safeTogether.ts';
import type { FailoverSwitch } from '../../analysis/explanation/failoverSwitch.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { Block, Paragraph, TreeNode, Words } from '../../presentation/model.ts';
import { asBad, asGood, isEmpty, joined, asStrong, asWarning, asDetail } from '../../presentation/words.ts';
import { type Answer, inOrder, type Shown } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { freeShare } from '../words/freeShare.ts';
import { plural } from '../words/amounts.ts';
import { duration } from '../words/duration.ts';
import { failoverStateWords } from '../words/failoverState.ts';
import { givenText, patchCommand } from '../explanation/changes.ts';
import { resourceName, shortWorkloadName, workloadName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';
import { downText } from '../words/outcomeWords.ts';
import {
  causeText,
  downtimeText,
  headroomWords,
  resourcesShown,
  resourceText,
  contingencyTitle,
  benefitText,
  homesText,
  troubleCounts,
  troubleText,
  troubleWords,
} from './auditWords.ts';

export interface AuditInput extends DatedBasis {
  audit: Audit;
  /** the files of changes applied before it; absent: none */
  applied?: readonly string[] | undefined;
  /** what happens to clusters instead of failing; absent: they fail */
  taint?: ContingencyTaint | undefined;
  failover: FailoverSwitch;
  gate?: GateResult | undefined;
  safeTogether?: SafeTogether | undefined;
  /** the steps of troubled workloads; absent: not requested */
  courses?: readonly WorkloadEvents[] | undefined;
  /** the workloads are in the requested order */
  ordered?: boolean;
}

export interface GateResult {
  conditions: readonly GateCondition[];
  /** breaches of the gate; with a baseline only new ones */
  breaches: readonly Breach[];
  /** the changes since the baseline; absent: there is none */
  progress?: Progress;
}

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

/** "2 workloads lost: no other cluster", and a change that would help one of them. */
function causeBlocks({ audit }: AuditInput, { kubectl }: Shown): Block[] {
  if (audit.causes.length === 0) return [];
  const title = 'Causes, and what would help:';
  // the column WHY shows the causes, too
  return [
    {
      type: 'section',
      detail: 'what would help',
      blocks: [{ type: 'section', title, blocks: causeTree(audit, kubectl) }],
    },
  ];
}

export function causeTree({ causes }: Audit, kubectl?: Shown['kubectl']): Block[] {
  return causes.length === 0
    ? []
    : [{ type: 'tree', nodes: causes.map((cause) => causeNode(cause, kubectl)) }];
}

function causeNode(cause: AuditedCause, kubectl: Shown['kubectl']): TreeNode {
  const { workloads, trouble, cures } = cause;
  return {
    mark: '-',
    words: [plural(workloads.length, 'workload'), ' ', troubleWords(trouble), `: ${causeText(cause)}`],
    children: cures ? cureNodes(cures, kubectl) : [],
  };
}

/** Each change that would help a workload, with its patches as commands. */
export function cureNodes({ workload, contingency, changes }: Cures, kubectl?: Shown['kubectl']): TreeNode[] {
  const name = shortWorkloadName(workload);
  if (changes.length === 0)
    return [{ mark: '-', words: `${name}, if ${contingency} fails: none of the tried changes helps` }];
  return changes.map(({ text, patches, best, ...change }) => ({
    mark: '-',
    words: `${name}, if ${contingency} fails: ${text}; then ${givenText(change)}${changes.length > 1 ? ` (${best.map(benefitText).join(', ')})` : ''}`,
    children: patches.map((patch) => ({ words: { type: 'command', text: patchCommand(patch, kubectl) } })),
  }));
}

/** Clusters with the least headroom first; on a small screen one line names a few. */
function headroomBlocks({ audit, taint }: AuditInput, { wide }: Shown): Block[] {
  const shown = leastFirst(audit.clusters.filter(({ headroom }) => wide || headroom.length > 0));
  if (shown.length === 0) return [];
  const resources = resourcesShown(shown);
  const worst = `WORST ${contingencyTitle(taint).toUpperCase()}`;
  const table: Block = {
    type: 'table',
    columns: [
      { name: 'HEADROOM ON' },
      ...resources.map((resource) => ({ name: resource.toUpperCase() })),
      { name: worst },
    ],
    rows: shown.map(({ name, down, headroom }) => [
      down ? asBad(`${name}, down`) : name,
      ...resources.map((resource) => headroomWords(headroom, resource)),
      [...new Set(headroom.flatMap(({ worst }) => worst?.contingency ?? []))].join(', '),
    ]),
    narrowing: [{ cut: worst, to: 12 }, { drop: [worst] }],
  };
  return [{ type: 'section', detail: 'all headroom', brief: [headroomLine(shown)], blocks: [table] }];
}

/** "Least headroom: frankfurt 34% cpu, dublin 75% cpu, 3 more", after the worst contingency */
function headroomLine(clusters: readonly AuditedCluster[]): Block {
  const words = (count: number): Words => {
    const named = clusters.slice(0, count).map((cluster) => [cluster.name, ' ', scarcestWords(cluster)]);
    const more = clusters.length > count ? `, ${clusters.length - count} more` : '';
    return ['Least headroom: ', joined(named, ', '), more];
  };
  return { type: 'oneLine', wordings: [4, 3, 2, 1].map(words) };
}

function scarcestWords({ headroom }: AuditedCluster): Words {
  const [scarcest] = headroom.toSorted((a, b) => shareAfter(a) - shareAfter(b));
  if (!scarcest) return 'not reported';
  const share = shareAfter(scarcest);
  const tone = share <= 0 ? asBad : share < 0.1 ? asWarning : (text: Words) => text;
  const resource = resourceText(scarcest.resource);
  return share < 0
    ? [`${resource} `, tone(freeShare(share, 1))]
    : [tone(freeShare(share, 1)), ` ${resource}`];
}

/** The share that is left after the worst contingency. */
function shareAfter({ allocatable, free, worst }: Headroom): number {
  return allocatable > 0 ? (worst?.free ?? free) / allocatable : 0;
}

export function leastFirst(clusters: readonly AuditedCluster[]): AuditedCluster[] {
  const least = ({ headroom }: AuditedCluster) => Math.min(...headroom.map(shareAfter));
  return clusters.toSorted((a, b) => {
    const [x, y] = [least(a), least(b)];
    return x === y ? 0 : x - y;
  });
}

function gateBlocks({ gate, audit }: AuditInput): Block[] {
  if (!gate) return [];
  const { breaches, progress } = gate;
  const names = new Map(
    audit.workloads.map((one) => [judgedKey(one.workload), shortWorkloadName(one.workload)]),
  );
  const first = breaches.slice(0, 3).map((breach) => breachText(breach, names));
  const more = breaches.length > 3 ? ` and ${breaches.length - 3} more` : '';
  const since =
    progress === undefined
      ? ''
      : ` Since the baseline: ${progress.better.length} better, ${progress.worse.length} worse, ${progress.added.length} added.`;
  return [
    {
      type: 'paragraph',
      words: [
        breaches.length === 0
          ? asGood('The gate passes.')
          : asBad(`The gate fails${progress ? ' on new risks' : ''}: ${first.join(', ')}${more}.`),
        since,
      ],
    },
  ];
}

/** "shop/deploy/cart lost", "dublin has 8% of cpu left" */
export function breachText(breach: Breach, names: ReadonlyMap<string, string>): string {
  if (breach.condition === 'headroom')
    return `${breach.cluster} keeps ${Math.floor(breach.share * 100)}% of its ${resourceText(breach.resource)}`;
  const name = names.get(breach.workload) ?? breach.workload;
  return breach.condition === 'rto'
    ? `${name} misses its target`
    : `${name} ${troubleText(breach.condition)}`;
}
