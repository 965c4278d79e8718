import type { DrainPhase, DrainProgress } from '../../analysis/drain/decide/drainStep.ts';
import type { Words } from '../../presentation/model.ts';
import { concatenated, lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { wrapLine } from '../../presentation/text/wrapped.ts';
import { asBad, asFaint, asStrong, asWarning } from '../../presentation/words.ts';
import { paceReason } from '../../views/drain/events.ts';
import { type PhaseTimes, countTexts, phaseCounts, timeLeft } from '../../views/drain/phases.ts';
import { liveWords } from '../../views/screen/timeWords.ts';
import { duration } from '../../views/words/duration.ts';
import { listed } from '../../views/words/amounts.ts';
import { barLine, type Characters } from '../screen/characters.ts';
import { rowWithEnds, type ScreenRow, secondaryLine } from '../screen/screenLine.ts';
import { drainedWorkloads, inFlightFirst, type DrainContext } from '../../views/screen/drainedWorkloads.ts';
import { gridOf } from '../screen/grid.ts';

export interface DrainView {
  progress: DrainProgress;
  times: PhaseTimes;
  /** the result of `plannedDeparture` for the plan */
  departure: number | undefined;
  characters: Characters;
  /** the flag graceful-eviction-timeout is an unverified default */
  timeoutAssumed?: boolean;
  /** stopping: Ctrl-C was pressed once; ended: it is over, and the lines stay */
  state: 'going' | 'stopping' | 'ended';
  /** columns of the terminal */
  columns: number;
}

/** Narrower terminals get shorter words. */
const NARROW = 60;
const WIDEST_BAR = 60;

/** A drain's progress, duration, and delays: the first lines matter most. */
export function drainHead(view: DrainView): ScreenRow[] {
  const stopping =
    view.state === 'stopping'
      ? [wordsLine(asWarning('Stopping after this write; Ctrl-C again ends at once.'))]
      : [];
  return [titleRow(view), ...stopping, progressLine(view), ...countLines(view), ...paceLines(view)];
}

function titleRow(view: DrainView): ScreenRow {
  const { state, columns, progress } = view;
  const title = titleWords(view);
  if (state === 'ended') return wordsLine(title);
  const freshness = liveWords(progress.staleSince, progress.now);
  // the remaining time matters more than the clock
  const room = columns - lineWidth(wordsLine(title)) - 2;
  const fits = progress.staleSince !== undefined || lineWidth(wordsLine(freshness)) <= room;
  return rowWithEnds(title, fits ? freshness : '');
}

function titleWords({ progress, times, departure, columns, state }: DrainView): Words {
  const { clusters, now, startedAt } = progress;
  const left = timeLeft(progress, departure, times);
  const passed = duration(Math.max(0, now - startedAt));
  const about = columns < NARROW ? '~' : 'about ';
  const estimate = !left || state === 'ended' ? '' : `, ${about}${duration(roughly(left))} left`;
  const names = listed(clusters, Math.max(1, Math.floor((columns - 40) / 20)));
  return [asStrong(`${state === 'ended' ? 'Drain of' : 'Draining'} ${names}`), `   ${passed}${estimate}`];
}

/** Rounds an estimate: seconds would be too precise. */
function roughly(milliseconds: number): number {
  const step = milliseconds < 60_000 ? 5000 : milliseconds < 3_600_000 ? 10_000 : 60_000;
  return Math.max(step, Math.round(milliseconds / step) * step);
}

function progressLine({ progress: { workloads }, columns, characters }: DrainView): Line {
  const counts = phaseCounts(workloads);
  const total = workloads.length - counts.stays - counts.skipped;
  const text = `${counts.gone} of ${total} gone`;
  const bar = Math.min(WIDEST_BAR, columns - text.length - 3);
  if (total === 0 || bar < 8) return [text];
  const filled = { done: counts.gone, total, columns: bar, characters: characters.bar };
  return concatenated(barLine(filled), [`   ${text}`]);
}

const GOING: readonly DrainPhase[] = ['queued', 'scheduling', 'starting', 'ready', 'leaving'];

/** The number of workloads in each phase; a count is never broken across lines. */
function countLines({ progress: { workloads, pace }, columns }: DrainView): Line[] {
  const counts = phaseCounts(workloads);
  const pieces: Words[] = [
    ...countTexts(counts, GOING),
    ...countTexts(counts, ['stuck']).map(asBad),
    ...countTexts(counts, ['skipped']).map(asWarning),
    ...countTexts(counts, ['stays']),
  ];
  // the pace matters only to queued workloads; an unusual pace has its own line
  if (pace.mode === 'normal' && counts.queued > 0) pieces.push(asFaint(paceRate(pace.rate)));
  const lines: Line[] = [];
  for (const [index, piece] of pieces.entries()) {
    const own = wordsLine(index < pieces.length - 1 ? [piece, ','] : piece);
    const last = lines.at(-1);
    if (last && lineWidth(last) + 1 + lineWidth(own) <= columns)
      lines[lines.length - 1] = concatenated(last, [' '], own);
    else lines.push(own);
  }
  return lines;
}

function paceRate(rate: number): string {
  return `${rate} ${rate === 1 ? 'eviction' : 'evictions'}/s`;
}

function paceLines({ progress: { pace }, columns }: DrainView): Line[] {
  const warnings: Words[] = [];
  if (pace.mode === 'paused') warnings.push(asBad(`Paused: ${paceReason(pace)}`));
  if (pace.mode === 'slow') warnings.push(asWarning(`Slow, ${paceRate(pace.rate)}: ${pace.reason}`));
  return warnings.flatMap((words) => wrapLine(wordsLine(words), columns));
}

/** The workloads that a drain waits for, in at most `room` lines; nothing if none is moving. */
export function inFlightLines(
  { progress, times, characters, columns, timeoutAssumed }: Omit<DrainView, 'state' | 'departure'>,
  room: number,
): Line[] {
  const context: DrainContext = { now: progress.now, bar: characters.bar, times, timeoutAssumed };
  const items = inFlightFirst(progress.workloads, context);
  if (items.length === 0 || room < 2) return [];
  const fit = items.length < room ? items.length : room - 2;
  const { names, rows } = gridOf({
    columns: drainedWorkloads.columns,
    items,
    from: 0,
    to: fit,
    context,
    basis: progress,
    width: columns,
    sort: undefined,
    marks: characters,
  });
  const hidden = items.length - fit;
  return [secondaryLine(names), ...rows, ...(hidden > 0 ? [wordsLine(asFaint(`and ${hidden} more`))] : [])];
}
