import type { History, HistoryEvent } from '../../analysis/history/history.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, joined, asStrong, asDetail } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import { inOrder } from '../answer.ts';
import { assumptionBlocks, doubtCaveat } from '../assumptions.ts';
import { duration } from '../words/duration.ts';
import { gapText } from '../words/outcomeWords.ts';
import { resourceName, shortWorkloadName, workloadName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';
import { listed, plural } from '../words/amounts.ts';
import { barsOfSpans } from './barsOfSpans.ts';
import { timelineRows } from './timelineRows.ts';
import { mermaidOf } from './mermaid.ts';
import { traceForm } from './perfetto/traceForm.ts';
import {
  toText,
  type TimelineInput,
  doubtText,
  knownFrom,
  minutesText,
  stepColumns,
  timelineDocument,
  worstEvictions,
  worstWorkloads,
} from './timelineWords.ts';
import { timelineMarkdown } from './timelineMarkdown.ts';

/** The events in chronological order, the unknowns, and the duration of each step of each eviction. */
export function timelineAnswer(input: TimelineInput): Answer {
  const { history } = input;
  return {
    get document() {
      return timelineDocument(input);
    },
    list: {
      field: 'evictions',
      inOrder: (positions) =>
        timelineAnswer({
          ...input,
          history: { ...history, evictions: inOrder(history.evictions, positions) },
          ordered: true,
        }),
    },
    names: () => [...new Set(history.evictions.map(({ workload }) => resourceName(workload)))],
    forms: {
      markdown: () => timelineMarkdown(input),
      mermaid: () => mermaidOf({ title: 'What happened', ...history }),
    },
    binaryForms: traceForm(() => ({ title: 'What happened', ...history })),
    presentation(shown) {
      const { doubts } = history;
      const listed = shown.wide || input.isChosen ? history : newestIncident(history);
      const evictions = worstEvictions({ ...input, history: listed });
      const blocks: Block[] = [
        ...(input.gantt
          ? barsOfSpans({ title: 'What happened', ...history }, shown.wide)
          : [historySteps({ ...input, history: listed }, shown)]),
        ...evictionTable({ ...listed, evictions }),
        ...asDetail('replicas down', missingTable(history)),
      ];
      if (shown.noHeaders) return { blocks };
      return {
        blocks: [
          { type: 'paragraph', words: [asStrong('What happened'), ': ', totals(listed), '.'] },
          ...explainWorst(input, shown),
          ...blocks,
          ...asDetail('clusters not Ready', flapBlocks(history)),
          ...assumptionBlocks(input.assumptions, shown, {
            caveats: [
              { wordings: knownFrom(history) },
              { wordings: earlierTexts(history, listed) },
              doubtCaveat(doubts.map(doubtText)),
            ],
          }),
        ],
      };
    },
  };
}

/** The command that explains the workload with the worst outcome, if it still exists; else the one that shows the present. */
function explainWorst(input: TimelineInput, shown: Shown): Block[] {
  const { history } = input;
  const gone = new Set(
    history.events.filter(({ type }) => type === 'ObjectDeleted').map(({ object }) => objectKey(object)),
  );
  const worst = [...worstWorkloads(history), ...worstEvictions(input)].find(
    ({ workload }) => !gone.has(objectKey(workload)),
  );
  return nextStep(worst ? ['explain', workloadName(worst.workload)] : ['status'], shown);
}

/** Events closer together than this belong to one incident. */
const QUIET = 60 * 60 * 1000;

/** For a single state the newest incident; for a recording everything. */
export function newestIncident(history: History): History {
  const { events, seen } = history;
  if (seen) return history;
  const begins = events.findLastIndex((event, at) => {
    const before = events[at - 1];
    return before !== undefined && event.time - Math.max(before.until ?? 0, before.time) > QUIET;
  });
  if (begins <= 0) return history;
  const from = events[begins]!.time;
  const evictions = history.evictions.filter(
    ({ evicted, scheduled, ended }) => (evicted ?? scheduled ?? ended ?? from) >= from,
  );
  return { ...history, evictions, events: events.slice(begins) };
}

/** "41 earlier events, 1 earlier eviction": the unlisted events, in full and short; empty if everything is listed. */
function earlierTexts(history: History, listed: History): string[] {
  const events = history.events.length - listed.events.length;
  const evictions = history.evictions.length - listed.evictions.length;
  if (events === 0) return [];
  const earlier = plural(events, 'earlier event');
  return [evictions > 0 ? `${earlier}, ${plural(evictions, 'earlier eviction')}` : earlier, earlier];
}

/** "5 workloads evicted, 3 not placed; 1 cluster not Ready": an incident in numbers. */
function totals({ events, evictions, start }: History): Words {
  const workloads = (type: HistoryEvent['type']) =>
    new Set(events.filter((one) => one.type === type).map(({ object }) => objectKey(object))).size;
  // for some placements only the result is known
  const untimed = evictions.filter(
    ({ to, scheduled, evicted = start }) => to.length > 0 && scheduled === undefined && evicted >= start,
  );
  // a task has no time until Karmada has processed it
  const timed = new Map<string, boolean>();
  for (const { workload, evicted } of evictions)
    timed.set(objectKey(workload), evicted !== undefined || timed.get(objectKey(workload)) === true);
  const evicted = workloads('Evicted') + [...timed.values()].filter((hasTime) => !hasTime).length;
  const placed = workloads('Scheduled') + new Set(untimed.map(({ workload }) => objectKey(workload))).size;
  const last = new Map<string, HistoryEvent['type']>();
  for (const { type, object } of events)
    if (type === 'Scheduled' || type === 'ScheduleFailed') last.set(objectKey(object), type);
    else if (type === 'ObjectDeleted') last.delete(objectKey(object));
  const notPlaced = [...last.values()].filter((type) => type === 'ScheduleFailed').length;
  const down = new Set(
    events
      .filter(
        ({ type, message }) => type === 'ConditionChanged' && /^Ready=(False|Unknown)/.test(message ?? ''),
      )
      .map(({ object }) => object.name),
  );
  const parts: Words[] = [
    ...(down.size > 0 ? [asBad(`${listed([...down])} not Ready`)] : []),
    ...(evicted > 0 ? [`${plural(evicted, 'workload')} evicted`] : []),
    ...(placed > 0 ? [`${placed} rescheduled`] : []),
    ...(notPlaced > 0 ? [asBad(`${notPlaced} not placed`)] : []),
  ];
  return parts.length > 0
    ? joined(parts, ', ')
    : events.length > 0
      ? plural(events.length, 'event')
      : 'nothing on record';
}

/** Length of the date in an RFC 3339 time. */
const DATE = 'yyyy-mm-dd'.length;

/** The events in chronological order: one line per cause, or with `wide` per step. */
export function historySteps(
  { history, single }: Pick<TimelineInput, 'history' | 'single'>,
  { wide }: Pick<Shown, 'wide'>,
): Block {
  const shown = timelineRows(history.events, single || wide);
  if (shown.length === 0)
    return {
      type: 'paragraph',
      words: history.seen
        ? 'Nothing happened to clusters, placements or evictions.'
        : history.twoStates
          ? 'No changes to clusters, placements or evictions.'
          : 'The state has no record of changes to clusters, placements or evictions.',
    };
  const isOneDay = new Set(shown.map(({ time }) => rfc3339(time).slice(0, DATE))).size === 1;
  return {
    type: 'section',
    inset: true,
    blocks: [
      {
        type: 'timeline',
        steps: shown.map(({ time, until, actor, words, isBad }) => ({
          when: rfc3339(time),
          ...(isOneDay && { clock: rfc3339(time).slice(DATE + 1) }),
          actor,
          words: [
            isBad ? asBad(words) : words,
            until - time >= 1000 ? asFaint(`, over ${duration(until - time)}`) : '',
          ],
        })),
      },
    ],
  };
}

/** The steps of each eviction, and how long each took. */
export function evictionTable(history: History): Block[] {
  const { evictions } = history;
  if (evictions.length === 0) return [];
  const steps = stepColumns(history);
  return [
    {
      type: 'table',
      columns: [
        { name: 'EVICTED' },
        { name: 'FROM' },
        { name: 'TO', wraps: 20 },
        ...steps.map(({ name }) => ({ name })),
      ],
      rows: evictions.map((course, at): Words[] => [
        shortWorkloadName(course.workload),
        course.from,
        toText(course, history),
        ...steps.map(({ times }) => times[at] ?? ''),
      ]),
      narrowing: [
        { fold: { TO: 'to' } },
        { drop: ['DETECTED TO TAINT', 'TO PLACEMENT', 'TO END OF TASK'] },
        { drop: ['TO OLD COPY GONE'] },
        { drop: ['TAINT TO EVICTION'] },
        { cut: 'EVICTED', to: 16 },
        { fold: Object.fromEntries(steps.map(({ name }) => [name, name.toLowerCase()])) },
      ],
    },
  ];
}

/** The workloads that lacked ready replicas, the worst first. */
export function missingTable(history: History): Block[] {
  const worst = worstWorkloads(history);
  if (worst.length === 0) return [];
  return [
    {
      type: 'table',
      columns: [
        { name: 'WORKLOAD' },
        { name: 'REPLICAS DOWN' },
        { name: 'REPLICA-MINUTES' },
        { name: 'CAME BACK' },
      ],
      rows: worst.map(({ workload, missingReplicaMinutes, returns, gap }): Words[] => [
        shortWorkloadName(workload),
        gap ? gapText({ gap }) : '-',
        minutesText(missingReplicaMinutes),
        returns === 0 ? '-' : plural(returns, 'time'),
      ]),
      narrowing: [{ fold: { 'REPLICAS DOWN': 'replicas down' } }, { cut: 'WORKLOAD', to: 16 }],
    },
  ];
}

function flapBlocks({ clusters }: History): Block[] {
  const all = clusters.filter(({ flaps }) => flaps > 0);
  if (all.length === 0) return [];
  const words = all.map(({ name, flaps }) => `${name} ${plural(flaps, 'time')}`).join(', ');
  return [{ type: 'paragraph', words: `Became not Ready: ${words}.` }];
}
