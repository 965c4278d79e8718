import type { DrainFate, DrainPlan, PlannedWorkload } from '../../engine/drain/plan/drainPlan.ts';
import type { TextOptions } from '../answer.ts';
import { gapText, possibleEndsText } from '../outcomeWords.ts';
import { placementText } from '../placement.ts';
import type { Style } from '../style.ts';
import { table } from '../table.ts';
import { offsetText } from '../timelineEvent.ts';
import { reasonText } from './planFates.ts';
import { workloadName } from '../workloadName.ts';

const HEADERS = [
  'ORDER',
  'FATE',
  'WORKLOAD',
  'FROM',
  'TO',
  'EVICTED',
  'READY',
  'GONE',
  'FEWER READY',
  'CERTAINTY',
  'REASON',
];

/** A row for each workload: those that are evicted in their order, then the others. */
export function planWorkloadTable(
  { workloads, now, options }: DrainPlan,
  { style, noHeaders }: TextOptions,
): string {
  const drained = options.clusters;
  const sorted = [...workloads].sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0);
  const at = (time: number | undefined) => (time === undefined ? '' : offsetText(time, now));
  const rows = sorted.map((one) => [
    String(one.order ?? ''),
    fateText(one.fate, style),
    workloadName(one),
    placementText(one.from),
    toText(one, drained),
    at(one.evictedAt),
    at(one.readyAt),
    at(one.goneAt),
    gapText(one),
    one.certainty,
    [reasonText(one, now, drained), ...possibleEndsText(one)].filter((text) => text !== '').join('; '),
  ]);
  return rows.length === 0 ? '' : table(HEADERS, rows, { noHeaders });
}

function fateText(fate: DrainFate, style: Style): string {
  if (fate === 'lost' || fate === 'blocked' || fate === 'flaps') return style.bad(fate);
  return fate === 'partly-moves' ? style.warn(fate) : fate;
}

/** What the other clusters gain: "dublin +2, oregon +1"; all of the placement where no number says so. */
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
