import type { DrainPlan, PlannedWorkload } from '../../analysis/drain/plan/drainPlan.ts';
import type { Block } from '../../presentation/model.ts';
import { joined } from '../../presentation/words.ts';
import { gapText } from '../words/gapText.ts';
import { possibleEndsText } from '../words/outcomeWords.ts';
import { placementText } from '../words/placement.ts';
import { offsetText } from '../words/timelineEvent.ts';
import { fateTone, reasonText } from './planFates.ts';
import { workloadName } from '../words/workloadName.ts';

/** A row for each workload: first those that are evicted, in order of eviction, then the others; nothing if there are none. */
export function planWorkloadTable({ workloads, now, options }: DrainPlan): Block[] {
  const drained = options.clusters;
  const sorted = [...workloads].sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0);
  const at = (time: number | undefined) => (time === undefined ? '' : offsetText(time, now));
  if (sorted.length === 0) return [];
  return [
    {
      type: 'table',
      columns: [
        { name: 'ORDER' },
        { name: 'FATE' },
        { name: 'WORKLOAD' },
        { name: 'FROM', wraps: 16 },
        { name: 'TO', wraps: 16 },
        { name: 'EVICTED' },
        { name: 'READY' },
        { name: 'GONE' },
        { name: 'FEWER READY' },
        { name: 'CERTAINTY' },
        { name: 'REASON', wraps: 40 },
      ],
      rows: sorted.map((one) => [
        String(one.order ?? ''),
        fateTone(one.fate, one.fate, (fate) => fate),
        workloadName(one),
        placementText(one.from),
        toText(one, drained),
        at(one.evictedAt),
        at(one.readyAt),
        at(one.goneAt),
        gapText(one),
        one.certainty,
        joined([reasonText(one, now, drained), ...possibleEndsText(one)], '; '),
      ]),
      narrowing: [
        { fold: { REASON: '' } },
        { fold: { FROM: 'from', TO: 'to' } },
        { fold: { 'FEWER READY': 'fewer ready', CERTAINTY: 'certainty' } },
        { cut: 'WORKLOAD', to: 16 },
      ],
    },
  ];
}

/** What the other clusters gain: "dublin +2, oregon +1"; the whole placement if there are no numbers. */
function toText({ before, after, order, fate }: PlannedWorkload, drained: string[]): string {
  if (order === undefined && fate !== 'follows') return '';
  const gained = after.flatMap(({ name, replicas = 0 }) => {
    if (drained.includes(name)) return [];
    const had = before.find((one) => one.name === name);
    const more = replicas - (had?.replicas ?? 0);
    if (had && more <= 0) return [];
    return [{ name, ...(more > 0 ? { replicas: more } : {}) }];
  });
  return placementText(gained);
}
