import { snapshotKey } from '../../../karmada/objects/identities.ts';
import type { OutcomeOfWorkload, WorkloadOutcome } from '../../../simulator/verdicts/outcome.ts';
import type { Feed } from '../../../analysis/overview/feed.ts';
import type { WorkloadVerdict } from '../../../analysis/forecast/losses.ts';
import type { Words } from '../../../presentation/model.ts';
import { asBad, asFaint, asGood, joined, asStrong, asWarning } from '../../../presentation/words.ts';
import { lossTotals, type LossTotals } from '../../../analysis/forecast/costOfLoss.ts';
import { plural } from '../../words/amounts.ts';
import {
  costTexts,
  downWords,
  gapText,
  outcomeCounts,
  outcomeTone,
  SEVERITY,
  severityOf,
} from '../../words/outcomeWords.ts';
import { placementText, workloadName } from '../../words/names.ts';
import type { List } from '../list.ts';
import { reasonPlace } from '../place.ts';
import type { WhatIf } from '../whatIf.ts';
import { workloadColumn } from '../../screen/screenList.ts';

export type ShownOutcome = OutcomeOfWorkload &
  Pick<WorkloadVerdict, 'outcome' | 'after'> & {
    /** the same outcome without the what-if */
    anyway?: true;
    /** the overview's part of a forecast: the duration and reason of missing replicas are not known yet */
    early?: true;
  };

/** The outcome of the workloads that a what-if changes. */
export interface ShownOutcomes {
  outcomes: readonly ShownOutcome[];
  /** how many workloads were simulated */
  workloads: number;
  whatIf: WhatIf;
  /** while the simulation runs: what the overview has forecast */
  early?: LossTotals;
}

/** The outcome of each workload in a simulation: now and then side by side, the worst first. */
export function outcomeList(whatIf: WhatIf): List<ShownOutcome> {
  return {
    name: 'workloads',
    one: 'workload',
    none: 'Nothing changes.',
    items: () => [],
    key: ({ binding }) => snapshotKey(binding),
    namespace: ({ namespace }) => namespace,
    text: (one) =>
      `${workloadName(one)} ${placementText(one.before)} ${placementText(one.after)} ${one.outcome}${one.anyway ? ' anyway' : ''} ${one.reason ?? ''}`,
    columns: [
      workloadColumn((one) => one),
      {
        name: 'OUTCOME',
        words: (one) => [endTone(one), one.certainty === 'certain' ? '' : asFaint(` (${one.certainty})`)],
        short: (one) => [endTone(one), one.certainty === 'certain' ? '' : asFaint('?')],
        order: rankOf,
        least: 12,
      },
      {
        name: 'NOW',
        words: ({ before, after }) => changedWords(before, after, asBad),
        order: ({ before }) => placementText(before),
        least: 14,
        leaves: 1,
      },
      {
        name: 'THEN',
        words: ({ before, after }) => changedWords(after, before, asGood),
        order: ({ after }) => placementText(after),
        least: 14,
      },
      {
        name: 'REPLICAS DOWN',
        words: (one) => (one.early ? asFaint('...') : one.gap ? asWarning(gapText(one)) : ''),
        order: ({ gap }) =>
          -(gap ? (gap.open ? (gap.atEnd ?? gap.replicas) * 1e6 : gap.replicas * gap.seconds) : 0),
        leaves: 3,
      },
      {
        name: 'WHY',
        words: whyWords,
        order: ({ reason }) => reason ?? '',
        least: 14,
        leaves: 2,
      },
    ],
    about: ({ before, after, outcome, certainty, dependsOn = [], gap, ...one }) => ({
      title: [asStrong(workloadName(one)), '  ', outcomeTone(outcome, outcome)],
      facts: [
        ['why', whyWords({ outcome, ...one })],
        ['now', placementText(before)],
        ['then', after.length === 0 ? asBad('nowhere') : placementText(after)],
        ['down', one.early ? asFaint('...') : gap ? asWarning(gapText({ gap, outcome }, ' replicas')) : ''],
        [certainty, dependsOn.length === 0 ? '' : `depends on ${dependsOn.join('; ')}`],
      ],
      next: [['Enter', 'why, and what would help']],
    }),
    opens: ({ binding }) => reasonPlace(snapshotKey(binding), whatIf),
    object: ({ binding }) => ({ view: 'object', object: binding }),
  };
}

function endTone({ outcome, down, anyway }: ShownOutcome): Words {
  if (anyway) return asFaint(`anyway ${outcome}`);
  return down ? asBad(outcome) : outcomeTone(outcome, outcome);
}

/** The reason for its outcome, and that it is down if the outcome does not show it. */
function whyWords(one: Pick<ShownOutcome, 'outcome' | 'down' | 'reason' | 'early'>): Words {
  return one.early ? asFaint('...') : joined([downWords(one), one.reason ?? ''], '; ');
}

type Placement = WorkloadOutcome['before'];

/** The clusters of a placement: first, and marked, those that the other placement lacks, or has with other replicas. */
function changedWords(placement: Placement, other: Placement, mark: (words: Words) => Words): Words {
  if (placement.length === 0) return asBad('nowhere');
  const stays = ({ name, replicas = 0 }: Placement[number]) =>
    other.some((one) => one.name === name && (one.replicas ?? 0) === replicas);
  const changed = placement.filter((target) => !stays(target)).map((target) => mark(placementText([target])));
  const same = placement.filter(stays).map((target) => placementText([target]));
  return joined([...changed, ...same], ', ');
}

/**
 * The outcomes that differ, the worst first; last those that happen anyway, caused by current events.
 * @param otherwise the outcome of the workloads if nothing else happens
 */
export function changedOutcomes(
  outcomes: readonly WorkloadOutcome[],
  otherwise: readonly WorkloadOutcome[] = [],
): ShownOutcome[] {
  const without = new Map(otherwise.map((one) => [snapshotKey(one.binding), endText(one)]));
  return outcomes
    .filter(({ outcome, gap }) => outcome !== 'stays' || gap !== undefined)
    .map((one): ShownOutcome =>
      without.get(snapshotKey(one.binding)) === endText(one) ? { ...one, anyway: true } : one,
    )
    .sort(bySeverity);
}

/** The worst first, last those that happen anyway. */
function rankOf(one: ShownOutcome): number {
  return severityOf(one) + (one.anyway ? SEVERITY.length : 0);
}

function bySeverity(a: ShownOutcome, b: ShownOutcome): number {
  return rankOf(a) - rankOf(b);
}

/**
 * A first answer for a failing cluster while its simulation runs: the overview's forecast for the workloads there. Undefined if there is
 * none, or something else happens as well.
 */
export function forecastOutcomes(
  { given, failing, taints, edits }: WhatIf,
  feed: Feed,
): ShownOutcomes | undefined {
  const [cluster, ...others] = failing;
  const forecast = cluster === undefined ? undefined : feed.forecasts.get(cluster);
  if (!forecast || given || others.length + taints.length + edits.length > 0) return undefined;
  const summaries = new Map(feed.workloads.map((one) => [one.key, one]));
  const outcomes = forecast.workloads.flatMap(({ key, ...verdict }): ShownOutcome | [] => {
    const summary = summaries.get(key);
    if (!summary || (verdict.outcome === 'stays' && !verdict.down)) return [];
    const { binding, workload, clusters: before, evicting } = summary;
    const { kind, namespace, name } = workload;
    return {
      kind,
      ...(namespace && { namespace }),
      name,
      binding,
      before,
      evicting,
      ...verdict,
      early: true,
    };
  });
  const { length: workloads } = feed.workloads;
  const whatIf = { failing, taints, edits };
  return { outcomes: outcomes.sort(bySeverity), workloads, whatIf, early: forecast };
}

/** The outcome of a workload, and its downtime. */
function endText({ outcome, after, gap }: ShownOutcome): string {
  // a gap that stays open lasts as long as the simulation
  const lasts = gap?.open ? ['to the end', gap.atEnd] : gap?.seconds;
  return JSON.stringify([outcome, placementText(after), gap?.replicas, lasts]);
}

/**
 * "12 of 14 workloads change: 5 lost, 2 blocked; 36 replicas down permanently; 3 uncertain": a what-if in one line.
 * @param brief only what stays down, and the counts
 */
export function outcomeTotals({ outcomes, workloads: all, early }: ShownOutcomes, brief = false): Words {
  const own = outcomes.filter(({ anyway }) => !anyway);
  const { ifItFails, uncertainIfItFails, costIfItFails } = early ?? lossTotals(own);
  const counts = outcomeCounts(ifItFails);
  const [down, replicas, downtime] = costTexts(costIfItFails);
  const anyway = outcomes.length - own.length;
  const changes =
    own.length === 0
      ? asGood(anyway === 0 ? 'Nothing changes' : 'No further changes')
      : [`${own.length} of ${plural(all, 'workload')} change: `, joined(counts, ', ')];
  const others = [
    anyway === 0 ? '' : asFaint(`${anyway} ${anyway === 1 ? 'changes' : 'change'} without it`),
    early ? asFaint('simulating...') : '',
  ];
  // A narrow screen cuts the end of the line, so workloads that are down come first.
  if (brief) return joined([asBad(down || replicas.replace(/ down .*/, ' down')), changes, ...others], '; ');
  const uncertain = uncertainIfItFails === 0 ? '' : asFaint(`${uncertainIfItFails} uncertain`);
  return joined([changes, asBad(down), asBad(replicas), asWarning(downtime), uncertain, ...others], '; ');
}
