import type { DrainEvent } from '../../analysis/drain/decide/drainStep.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, inLines, plain, asWarning } from '../../presentation/words.ts';
import { eventLine, eventWords } from '../drain/events.ts';
import { offsetText } from '../words/timelineEvent.ts';
import type { ScreenList } from './screenList.ts';

/** The events of a drain with one cause: one line, however many workloads are affected. */
export interface DrainCause {
  cause: string;
  /** the time of its newest event, epoch milliseconds */
  time: number;
  count: number;
  words: Words;
  /** the newest events, oldest first, as log lines */
  lines: readonly Words[];
}

/** The most lines kept per cause. */
const MAX_LINES = 500;

/** The causes after another event, newest first; `startedAt` is the start of the drain. */
export function withEvent(
  causes: readonly DrainCause[],
  event: DrainEvent,
  startedAt: number,
): readonly DrainCause[] {
  const cause = causeOf(event);
  const known = causes.find((one) => one.cause === cause);
  const count = (known?.count ?? 0) + 1;
  const next: DrainCause = {
    cause,
    count,
    time: event.time,
    words: count === 1 ? eventWords(event) : manyWords(event, count),
    lines: [...(known?.lines ?? []), eventLine(event, startedAt)].slice(-MAX_LINES),
  };
  return [next, ...causes.filter((one) => one !== known)];
}

/** The causes after a message that is not about the drain, such as a warning of the server. */
export function withMessage(
  causes: readonly DrainCause[],
  text: string,
  time: number,
): readonly DrainCause[] {
  const cause = `said ${text}`;
  const known = causes.find((one) => one.cause === cause);
  const words = asWarning(text);
  const said: DrainCause = { cause, time, words, count: (known?.count ?? 0) + 1, lines: [words] };
  return [said, ...causes.filter((one) => one !== known)];
}

/** The causes, newest first. `startedAt` is the start of the drain, epoch milliseconds. */
export function drainCauses(startedAt: number): ScreenList<DrainCause, unknown> {
  return {
    one: 'event',
    key: ({ cause }) => cause,
    text: ({ words }) => plain(words),
    columns: [
      { name: 'AT', words: ({ time }) => offsetText(time, startedAt), order: ({ time }) => -time },
      {
        name: 'TIMES',
        words: ({ count }) => (count === 1 ? asFaint('1') : String(count)),
        order: ({ count }) => -count,
        right: true,
        leaves: 1,
      },
      { name: 'WHAT', words: ({ words }) => words, order: ({ words }) => plain(words), least: 24 },
    ],
  };
}

/** Each event of a cause, newest first. */
export function causeBlocks({ lines }: DrainCause): Block[] {
  return [...inLines(lines.toReversed()).blocks];
}

function causeOf(event: DrainEvent): string {
  switch (event.type) {
    case 'evicted':
      return `evicted ${event.from.map(({ name }) => name).join(',')}`;
    case 'scheduled':
      return event.to.length === 0 ? 'unschedulable' : 'scheduled';
    case 'released':
    case 'gone':
      return `${event.type} ${event.from.join(',')}`;
    case 'stays':
    case 'skipped':
    case 'stuck':
      return `${event.type} ${event.reason}`;
    case 'cancelled':
    case 'conflict':
      return event.type;
    default:
      return `${event.type} ${event.time} ${plain(eventWords(event))}`;
  }
}

/** The text for several events of a cause. */
function manyWords(event: DrainEvent, count: number): Words {
  switch (event.type) {
    case 'evicted':
      return `evicted ${count} workloads from ${event.from.map(({ name }) => name).join(' and ')}`;
    case 'scheduled':
      return event.to.length === 0
        ? asWarning(`${count} workloads unschedulable`)
        : `placed ${count} workloads`;
    case 'released':
      return `released ${count} workloads on ${event.from.join(', ')}, their replacements are ready`;
    case 'gone':
      return asGood(`gone ${count} workloads from ${event.from.join(', ')}`);
    case 'stays':
      return `${count} times a workload stays: ${event.reason}`;
    case 'skipped':
      return asWarning(`skipped ${count} times: ${event.reason}`);
    case 'stuck':
      return asBad(`stuck ${count} times: ${event.reason}`);
    case 'cancelled':
      return `restored ${count} workloads`;
    case 'conflict':
      return `retried ${count} times: another client had changed the object`;
    default:
      return eventWords(event);
  }
}
