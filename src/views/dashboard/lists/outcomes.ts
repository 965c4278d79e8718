import { snapshotKey } from '../../../karmada/objects/identities.ts';
import type { WorkloadOutcome } from '../../../simulator/verdicts/outcome.ts';
import type { Words } from '../../../presentation/model.ts';
import { bad, faint, good, joined, warn } from '../../../presentation/words.ts';
import { SEVERITY, gapText, outcomeTone } from '../../words/outcomeWords.ts';
import { placementText, workloadName } from '../../words/names.ts';
import type { List } from '../list.ts';
import { fateOf } from '../place.ts';
import type { WhatIf } from '../whatIf.ts';
import { workloadColumn } from '../../screen/screenList.ts';

/** The outcome of a workload in a simulation; `anyway`: the same outcome if nothing of that happens. */
export type ShownOutcome = WorkloadOutcome & { anyway?: true };

/** The outcome of each workload in a simulation: today beside tomorrow, the worst first. */
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
        words: ({ outcome, certainty, anyway }) => [
          anyway ? faint(`anyway ${outcome}`) : outcomeTone(outcome, outcome),
          certainty === 'certain' ? '' : faint(` (${certainty})`),
        ],
        order: ({ outcome, anyway }) => SEVERITY.indexOf(outcome) + (anyway ? SEVERITY.length : 0),
        least: 12,
      },
      {
        name: 'TODAY',
        words: ({ before, after }) => changedWords(before, after, bad),
        order: ({ before }) => placementText(before),
        least: 14,
        leaves: 1,
      },
      {
        name: 'TOMORROW',
        words: ({ before, after }) => changedWords(after, before, good),
        order: ({ after }) => placementText(after),
        least: 14,
      },
      {
        name: 'MISSING REPLICAS',
        words: (one) => (one.gap ? warn(gapText(one)) : faint('none')),
        order: ({ gap }) =>
          -(gap ? (gap.open ? (gap.atEnd ?? gap.replicas) * 1e6 : gap.replicas * gap.seconds) : 0),
        leaves: 3,
      },
      {
        name: 'WHY',
        words: ({ reason }) => reason ?? '',
        order: ({ reason }) => reason ?? '',
        least: 14,
        leaves: 2,
      },
    ],
    opens: ({ binding }) => fateOf(snapshotKey(binding), whatIf),
    object: ({ binding }) => ({ view: 'object', object: binding }),
  };
}

type Placement = WorkloadOutcome['before'];

/** The clusters of a placement: first, and marked, those that the other one does not have, or has with other replicas. */
function changedWords(placement: Placement, other: Placement, mark: (words: Words) => Words): Words {
  if (placement.length === 0) return bad('nowhere');
  const stays = ({ name, replicas = 0 }: Placement[number]) =>
    other.some((one) => one.name === name && (one.replicas ?? 0) === replicas);
  const changed = placement.filter((target) => !stays(target)).map((target) => mark(placementText([target])));
  const same = placement.filter(stays).map((target) => placementText([target]));
  return joined([...changed, ...same], ', ');
}

/**
 * The outcomes that change something, the worst first; last those that come anyway, for what is under way now.
 *
 * @param otherwise the outcome of the workloads if nothing else happens
 */
export function changedOutcomes(
  outcomes: readonly WorkloadOutcome[],
  otherwise: readonly WorkloadOutcome[] = [],
): ShownOutcome[] {
  const without = new Map(otherwise.map((one) => [snapshotKey(one.binding), endText(one)]));
  const rank = ({ outcome, anyway }: ShownOutcome) =>
    SEVERITY.indexOf(outcome) + (anyway ? SEVERITY.length : 0);
  return outcomes
    .filter(({ outcome, gap }) => outcome !== 'stays' || gap !== undefined)
    .map((one): ShownOutcome =>
      without.get(snapshotKey(one.binding)) === endText(one) ? { ...one, anyway: true } : one,
    )
    .sort((a, b) => rank(a) - rank(b));
}

/** What comes of a workload, and how long it is missing for. */
function endText({ outcome, after, gap }: WorkloadOutcome): string {
  // one that stays open lasts as long as the simulation
  const lasts = gap?.open ? ['to the end', gap.atEnd] : gap?.seconds;
  return JSON.stringify([outcome, placementText(after), gap?.replicas, lasts]);
}
