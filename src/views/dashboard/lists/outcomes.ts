import { snapshotKey } from '../../../engine/objects/identities.ts';
import type { WorkloadOutcome } from '../../../engine/verdicts/outcome.ts';
import type { Words } from '../../../presentation/model.ts';
import { bad, faint, good, joined, warn } from '../../../presentation/words.ts';
import { gapText, outcomeTone, SEVERITY } from '../../words/outcomeWords.ts';
import { placementText } from '../../words/placement.ts';
import { workloadName } from '../../words/workloadName.ts';
import type { List } from '../list.ts';
import { fateOf } from '../place.ts';
import type { WhatIf } from '../whatIf.ts';
import { workloadColumn } from '../../screen/workloadColumn.ts';

/** What becomes of each workload in a simulation: today beside tomorrow, the worst first. */
export function outcomeList(whatIf: WhatIf): List<WorkloadOutcome> {
  return {
    name: 'workloads',
    one: 'workload',
    none: 'Nothing changes.',
    items: () => [],
    key: ({ binding }) => snapshotKey(binding),
    namespace: ({ namespace }) => namespace,
    text: (one) =>
      `${workloadName(one)} ${placementText(one.before)} ${placementText(one.after)} ${one.outcome} ${one.reason ?? ''}`,
    columns: [
      workloadColumn((one) => one),
      {
        name: 'OUTCOME',
        words: ({ outcome, certainty }) => [
          outcomeTone(outcome, outcome),
          certainty === 'certain' ? '' : faint(` (${certainty})`),
        ],
        order: ({ outcome }) => SEVERITY.indexOf(outcome),
        least: 12,
      },
      {
        name: 'TODAY',
        words: ({ before, after }) => changedWords(before, after, bad),
        order: ({ before }) => placementText(before),
        least: 14,
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
        order: ({ gap }) => -(gap ? gap.replicas * (gap.open ? 1e6 : gap.seconds) : 0),
        leaves: 2,
      },
      {
        name: 'WHY',
        words: ({ reason }) => reason ?? '',
        order: ({ reason }) => reason ?? '',
        least: 14,
        leaves: 1,
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

/** The outcomes that change something, the worst first. */
export function changedOutcomes(outcomes: readonly WorkloadOutcome[]): WorkloadOutcome[] {
  return outcomes
    .filter(({ outcome, gap }) => outcome !== 'stays' || gap !== undefined)
    .sort((a, b) => SEVERITY.indexOf(a.outcome) - SEVERITY.indexOf(b.outcome));
}
