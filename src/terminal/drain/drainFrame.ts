import type { DrainPhase, DrainedWorkload } from '../../engine/drain/decide/drainStep.ts';
import type { DrainProgress } from '../../engine/drain/drainEvent.ts';
import { objectKey } from '../../engine/objects/identities.ts';
import type { Words } from '../../presentation/model.ts';
import { alignedRows } from '../../presentation/text/alignedRows.ts';
import { concatenated, lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { wrapped } from '../../presentation/text/wrapped.ts';
import { bad, faint, joined, strong, warn } from '../../presentation/words.ts';
import { paceReason } from '../../views/drain/paceReason.ts';
import { countTexts, phaseCounts } from '../../views/drain/phaseCounts.ts';
import type { PhaseTimes } from '../../views/drain/phaseTimes.ts';
import { timeLeft } from '../../views/drain/timeLeft.ts';
import { duration } from '../../views/words/duration.ts';
import { listed } from '../../views/words/listed.ts';
import { placementText } from '../../views/words/placement.ts';
import { workloadName } from '../../views/words/workloadName.ts';
import { barLine } from '../screen/Bar.tsx';
import type { BarCharacters } from '../screen/barCharacters.ts';
import type { FrameProps } from '../screen/Frame.tsx';

export interface DrainView {
  progress: DrainProgress;
  times: PhaseTimes;
  /** the result of `plannedDeparture` for the plan */
  departure: number | undefined;
  characters: BarCharacters;
  /** stopping: a first Ctrl-C has been pressed; ended: nothing more happens, and the frame stays */
  state: 'going' | 'stopping' | 'ended';
  /** columns of the terminal */
  columns: number;
  rows: number;
}

/** Terminals narrower than this get two lines for a workload instead of columns. */
const NARROW = 60;
const WIDEST_BAR = 60;

/** The present state of a drain as a frame; if rows are scarce, it keeps what matters most. */
export function drainFrame(view: DrainView): FrameProps {
  const { columns, rows, state } = view;
  const head = [headline(view), progressLine(view), ...countLines(view), ...warningLines(view)];
  if (state === 'ended') return { columns, rows, head };
  return {
    columns,
    rows,
    head,
    list: (room) => waitingLines(view, room),
    hint: wordsLine(hint(view)),
    hintMatters: state === 'stopping',
  };
}

function hint({ state, columns }: DrainView): Words {
  if (state === 'stopping') return warn('Stopping after this write; Ctrl-C again ends at once.');
  if (columns < NARROW) return faint('Ctrl-C stops between two writes.');
  return faint('Ctrl-C stops between two writes; the same command goes on later.');
}

function headline({ progress, times, departure, columns, state }: DrainView): Line {
  const { clusters, now, startedAt } = progress;
  const left = timeLeft(progress, departure, times);
  const passed = duration(Math.max(0, now - startedAt));
  const about = columns < NARROW ? '~' : 'about ';
  const estimate = !left || state === 'ended' ? '' : `, ${about}${duration(roughly(left))} left`;
  const names = listed(clusters, Math.max(1, Math.floor((columns - 40) / 20)));
  const what = strong(`${state === 'ended' ? 'Drain of' : 'Draining'} ${names}`);
  return wordsLine([what, `   ${passed}${estimate}`]);
}

/** Rounds an estimate: seconds would promise too much. */
function roughly(milliseconds: number): number {
  const step = milliseconds < 60_000 ? 5000 : milliseconds < 3_600_000 ? 10_000 : 60_000;
  return Math.max(step, Math.round(milliseconds / step) * step);
}

function progressLine({ progress: { workloads }, columns, characters }: DrainView): Line {
  const counts = phaseCounts(workloads);
  const total = workloads.length - counts.stays - counts.skipped;
  const underWay = counts.scheduling + counts.starting + counts.ready + counts.leaving + counts.stuck;
  const text = `${counts.gone} of ${total} gone`;
  const bar = Math.min(WIDEST_BAR, columns - text.length - 3);
  if (total === 0 || bar < 8) return [text];
  return concatenated(barLine({ done: counts.gone, underWay, total, columns: bar, characters }), [
    `   ${text}`,
  ]);
}

const GOING: readonly DrainPhase[] = ['queued', 'scheduling', 'starting', 'ready', 'leaving'];

/** How many workloads are in each phase; a count is never broken across lines. */
function countLines({ progress: { workloads, pace }, columns }: DrainView): Line[] {
  const counts = phaseCounts(workloads);
  const pieces: Words[] = [
    ...countTexts(counts, GOING),
    ...countTexts(counts, ['stuck']).map(bad),
    ...countTexts(counts, ['skipped']).map(warn),
    ...countTexts(counts, ['stays']),
  ];
  // the pace matters only to queued workloads; if it is not the normal one, it has a line of its own
  if (pace.mode === 'normal' && counts.queued > 0) pieces.push(faint(paceRate(pace.rate)));
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

function warningLines({ progress: { staleSince, now, pace }, columns }: DrainView): Line[] {
  const warnings: Words[] = [];
  if (pace.mode === 'paused') warnings.push(bad(`Paused: ${paceReason(pace)}`));
  if (pace.mode === 'slow') warnings.push(warn(`Slow, ${paceRate(pace.rate)}: ${pace.reason}`));
  if (staleSince !== undefined)
    warnings.push(bad(`The server has been silent for ${duration(now - staleSince)}: this may be old.`));
  return warnings.flatMap((words) => wrapped(wordsLine(words), columns));
}

/** Phases that wait for something. Queued workloads wait only for their turn, skipped ones for nothing. */
const WAITING: readonly DrainPhase[] = ['stuck', 'scheduling', 'starting', 'ready', 'leaving'];

/** The workloads that the drain waits for and why, in at most `room` lines: stuck ones first, then the longest. */
function waitingLines({ progress: { workloads, now }, times, columns }: DrainView, room: number): Line[] {
  const since = ({ binding }: DrainedWorkload) => times.get(objectKey(binding))?.since ?? now;
  const rank = ({ phase }: DrainedWorkload) => (phase === 'stuck' ? 0 : 1);
  const waiting = workloads
    .filter(({ phase }) => WAITING.includes(phase))
    .sort((a, b) => rank(a) - rank(b) || since(a) - since(b));
  if (waiting.length === 0 || room < 1) return [];
  const narrow = columns < NARROW;
  const height = narrow ? 2 : 1;
  const fit = Math.floor(room / height);
  const more = waiting.length > fit;
  const shown = waiting.slice(0, Math.floor((more ? room - 1 : room) / height));
  if (shown.length === 0) return [];
  const age = (one: DrainedWorkload) => duration(now - since(one));
  const lines = narrow
    ? shown.flatMap((one) => [
        wordsLine(joined([phaseWords(one.phase), age(one), workloadName(one.workload)], ' ')),
        wordsLine(faint(`  ${one.waitingFor ?? moveText(one)}`)),
      ])
    : alignedRows(
        shown.map((one) =>
          [
            phaseWords(one.phase),
            age(one),
            workloadName(one.workload),
            ...(columns >= 100 ? [moveText(one)] : []),
            faint(one.waitingFor ?? ''),
          ].map(wordsLine),
        ),
        undefined,
      );
  const hidden = waiting.length - shown.length;
  return hidden > 0 ? [...lines, wordsLine(faint(`and ${hidden} more`))] : lines;
}

function moveText({ from, to }: DrainedWorkload): string {
  return to.length === 0 ? `from ${placementText(from)}` : `${placementText(from)} → ${placementText(to)}`;
}

function phaseWords(phase: DrainPhase): Words {
  return phase === 'stuck' ? bad(phase) : phase;
}
