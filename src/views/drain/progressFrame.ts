import { paceReason } from './paceReason.ts';
import type { DrainPhase, DrainedWorkload } from '../../engine/drain/decide/drainStep.ts';
import type { DrainProgress } from '../../engine/drain/drainEvent.ts';
import { duration } from '../duration.ts';
import { listed } from '../listed.ts';
import { placementText } from '../placement.ts';
import type { Style } from '../style.ts';
import { columns as aligned } from '../table.ts';
import { fitted } from './fitted.ts';
import { countTexts, phaseCounts } from './phaseCounts.ts';
import { objectKey } from '../../engine/objects/identities.ts';
import type { PhaseTimes } from './phaseTimes.ts';
import { progressBar, type BarCharacters } from './progressBar.ts';
import { timeLeft } from './timeLeft.ts';
import { workloadName } from '../workloadName.ts';
import { wrapped } from './wrapped.ts';

export interface Frame {
  /** of the terminal */
  columns: number;
  rows: number;
  style: Style;
  characters: BarCharacters;
  /** stopping: a first Ctrl-C has been pressed; ended: nothing more happens, and the frame stays */
  state: 'going' | 'stopping' | 'ended';
}

/** Terminals narrower than this get two lines for a workload instead of columns. */
const NARROW = 60;
const WIDEST_BAR = 60;

/**
 * The present state of a drain as lines that fit a terminal, fewer than it has rows: what matters most stays
 * where rows are scarce. `departure` is what `plannedDeparture` says of the plan.
 */
export function progressFrame(
  progress: DrainProgress,
  times: PhaseTimes,
  departure: number | undefined,
  frame: Frame,
): string[] {
  const { columns, rows } = frame;
  const room = Math.max(3, rows - 2);
  const lines = [
    headline(progress, departure, frame),
    barLine(progress, frame),
    ...countLines(progress, frame),
    ...warnings(progress, frame),
  ].slice(0, room);
  if (frame.state === 'ended') return lines.map((line) => fitted(line, columns));
  // an empty line before the list; another and the hint after it
  const list = waitingLines(progress, times, room - lines.length - 3, frame);
  if (list.length > 0) lines.push('', ...list);
  if (lines.length + 2 <= room) lines.push('', hint(frame));
  else if (frame.state === 'stopping') lines[lines.length - 1] = hint(frame);
  return lines.map((line) => fitted(line, columns));
}

function hint({ state, columns, style }: Frame): string {
  if (state === 'stopping') return style.warn(`Stopping after this write; Ctrl-C again ends at once.`);
  if (columns < NARROW) return style.faint('Ctrl-C stops between two writes.');
  return style.faint('Ctrl-C stops between two writes; the same command goes on later.');
}

function headline(
  progress: DrainProgress,
  departure: number | undefined,
  { style, columns, state }: Frame,
): string {
  const { clusters, now, startedAt } = progress;
  const left = timeLeft(progress, departure);
  const passed = duration(Math.max(0, now - startedAt));
  const about = columns < NARROW ? '~' : 'about ';
  const estimate = !left || state === 'ended' ? '' : `, ${about}${duration(roughly(left))} left`;
  const time = `${passed}${estimate}`;
  const names = listed(clusters, Math.max(1, Math.floor((columns - 40) / 20)));
  return `${style.strong(`${state === 'ended' ? 'Drain of' : 'Draining'} ${names}`)}   ${time}`;
}

/** An estimate to the second would promise too much. */
function roughly(milliseconds: number): number {
  const step = milliseconds < 60_000 ? 5000 : milliseconds < 3_600_000 ? 10_000 : 60_000;
  return Math.max(step, Math.round(milliseconds / step) * step);
}

function barLine({ workloads }: DrainProgress, { columns, style, characters }: Frame): string {
  const counts = phaseCounts(workloads);
  const total = workloads.length - counts.stays - counts.skipped;
  const underWay = counts.scheduling + counts.starting + counts.ready + counts.leaving + counts.stuck;
  const text = `${counts.gone} of ${total} gone`;
  if (total === 0) return text;
  const bar = Math.min(WIDEST_BAR, columns - text.length - 3);
  if (bar < 8) return text;
  return `${progressBar({ done: counts.gone, underWay, total }, bar, { characters, style })}   ${text}`;
}

const GOING: readonly DrainPhase[] = ['queued', 'scheduling', 'starting', 'ready', 'leaving'];

function countLines({ workloads, pace }: DrainProgress, { style, columns }: Frame): string[] {
  const counts = phaseCounts(workloads);
  const pieces = [
    ...countTexts(counts, GOING),
    ...countTexts(counts, ['stuck']).map(style.bad),
    ...countTexts(counts, ['skipped']).map(style.warn),
    ...countTexts(counts, ['stays']),
  ];
  // a pace matters to a queue alone, and has a line of its own where it is not the normal one
  if (pace.mode === 'normal' && counts.queued > 0) pieces.push(style.faint(paceRate(pace.rate)));
  if (pieces.length === 0) return [];
  return wrapped(
    pieces.map((piece, index) => (index < pieces.length - 1 ? `${piece},` : piece)),
    columns,
  );
}

function paceRate(rate: number): string {
  return `${rate} ${rate === 1 ? 'eviction' : 'evictions'}/s`;
}

function warnings({ staleSince, now, pace }: DrainProgress, { style, columns }: Frame): string[] {
  const lines: string[] = [];
  const warn = (text: string, colour: (text: string) => string) =>
    lines.push(...wrapped(text.split(' '), columns).map(colour));
  if (pace.mode === 'paused') warn(`Paused: ${paceReason(pace)}`, style.bad);
  if (pace.mode === 'slow') warn(`Slow, ${paceRate(pace.rate)}: ${pace.reason}`, style.warn);
  if (staleSince !== undefined)
    warn(`The server has been silent for ${duration(now - staleSince)}: this may be old.`, style.bad);
  return lines;
}

/** What is waited for: those that do not begin wait for their turn alone, and skipped ones for nothing. */
const WAITING: readonly DrainPhase[] = ['stuck', 'scheduling', 'starting', 'ready', 'leaving'];

/** Who is waited for and why, stuck ones first, then the longest, in at most so many lines. */
function waitingLines(
  { workloads, now }: DrainProgress,
  times: PhaseTimes,
  room: number,
  frame: Frame,
): string[] {
  const { style, columns } = frame;
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
        `${phaseText(one.phase, style)} ${age(one)} ${workloadName(one.workload)}`,
        style.faint(`  ${one.waitingFor ?? moveText(one)}`),
      ])
    : aligned(
        shown.map((one) => [
          phaseText(one.phase, style),
          age(one),
          workloadName(one.workload),
          ...(columns >= 100 ? [moveText(one)] : []),
          style.faint(one.waitingFor ?? ''),
        ]),
      ).split('\n');
  const hidden = waiting.length - shown.length;
  return hidden > 0 ? [...lines, style.faint(`and ${hidden} more`)] : lines;
}

function moveText({ from, to }: DrainedWorkload): string {
  return to.length === 0 ? `from ${placementText(from)}` : `${placementText(from)} → ${placementText(to)}`;
}

function phaseText(phase: DrainPhase, style: Style): string {
  return phase === 'stuck' ? style.bad(phase) : phase;
}
