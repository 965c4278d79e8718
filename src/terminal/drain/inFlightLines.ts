import { wordsLine, type Line } from '../../presentation/text/spans.ts';
import { faint } from '../../presentation/words.ts';
import { drainedWorkloads, onTheWay, type DrainContext } from '../../views/screen/drainedWorkloads.ts';
import { gridOf } from '../screen/grid.ts';
import { faintly } from '../screen/screenLine.ts';
import type { DrainView } from './drainHead.ts';

/** The workloads that a drain waits for, in at most `room` lines; nothing if none is on its way. */
export function inFlightLines(
  { progress, times, characters, columns }: Omit<DrainView, 'state' | 'departure'>,
  room: number,
): Line[] {
  const context: DrainContext = { now: progress.now, bar: characters.bar, times };
  const items = onTheWay(progress.workloads, context);
  if (items.length === 0 || room < 2) return [];
  const fit = items.length < room ? items.length : room - 2;
  const { names, rows } = gridOf({
    columns: drainedWorkloads.columns,
    ...{ items, from: 0, to: fit, context, basis: progress },
    ...{ width: columns, sort: undefined, marks: characters },
  });
  const hidden = items.length - fit;
  return [faintly(names), ...rows, ...(hidden > 0 ? [wordsLine(faint(`and ${hidden} more`))] : [])];
}
