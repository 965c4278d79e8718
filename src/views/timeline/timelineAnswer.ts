import type { History } from '../../analysis/history/history.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { bad, faint, strong, warn } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import { inOrder } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { duration } from '../words/duration.ts';
import { gapText } from '../words/outcomeWords.ts';
import { placementText, resourceName } from '../words/names.ts';
import { plural } from '../words/amounts.ts';
import { barsOfSpans } from './barsOfSpans.ts';
import { happenings } from './happenings.ts';
import { mermaidOf } from './mermaid.ts';
import { traceForm } from './perfetto/traceForm.ts';
import {
  type TimelineInput,
  doubtText,
  minutesText,
  stepTimes,
  timelineDocument,
  worstWorkloads,
} from './timelineWords.ts';
import { timelineMarkdown } from './timelineMarkdown.ts';

/** What happened, in order of time; what is not known; and how long each step of each eviction took. */
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
        }),
    },
    names: () => [...new Set(history.evictions.map(({ workload }) => resourceName(workload)))],
    forms: {
      markdown: () => timelineMarkdown(input),
      mermaid: () => mermaidOf({ title: 'What happened', ...history }),
    },
    binaryForms: traceForm(() => ({ title: 'What happened', ...history })),
    presentation(shown) {
      const { start, end, seen, doubts } = history;
      const blocks: Block[] = [
        ...(input.gantt
          ? barsOfSpans({ title: 'What happened', ...history }, shown.wide)
          : [historySteps(input, shown)]),
        ...evictionTable(history),
        ...missingTable(history),
      ];
      if (shown.noHeaders) return { blocks };
      const from = seen
        ? `recorded from ${rfc3339(start)} over ${duration(end - start)}`
        : `as the state of ${rfc3339(end)} still tells`;
      return {
        blocks: [
          { type: 'heading', parts: [strong('What happened'), faint(from)] },
          ...doubts.map((doubt): Block => ({ type: 'paragraph', words: warn(doubtText(doubt)) })),
          ...blocks,
          ...flapBlocks(history),
          ...assumptionBlocks(input.assumptions, shown),
        ],
      };
    },
  };
}

/** What happened, in order of time: a line for each cause, or with `wide` for each step. */
export function historySteps(
  { history, single }: Pick<TimelineInput, 'history' | 'single'>,
  { wide }: Pick<Shown, 'wide'>,
): Block {
  const shown = happenings(history.events, single || wide);
  if (shown.length === 0)
    return {
      type: 'paragraph',
      words: history.seen
        ? 'Nothing happened to clusters, placements or evictions.'
        : 'Nothing is shown of clusters, placements or evictions.',
    };
  return {
    type: 'section',
    inset: true,
    blocks: [
      {
        type: 'timeline',
        steps: shown.map(({ time, until, actor, words, isBad }) => ({
          when: rfc3339(time),
          actor,
          words: [
            isBad ? bad(words) : words,
            until - time >= 1000 ? faint(`, over ${duration(until - time)}`) : '',
          ],
        })),
      },
    ],
  };
}

/** The steps of each eviction, and how long each took. */
export function evictionTable({ evictions }: History): Block[] {
  if (evictions.length === 0) return [];
  const steps = stepTimes(evictions[0]!).map(([name]) => name);
  return [
    {
      type: 'table',
      columns: [
        { name: 'NAMESPACE' },
        { name: 'EVICTED' },
        { name: 'FROM' },
        { name: 'TO', wraps: 20 },
        ...steps.map((name) => ({ name })),
      ],
      rows: evictions.map((course): Words[] => {
        const { workload, from, to } = course;
        return [
          workload.namespace ?? '',
          `${workload.kind}/${workload.name}`,
          from,
          to.length > 0 ? placementText(to) : '-',
          ...stepTimes(course).map(([, took]) => took || '-'),
        ];
      }),
      narrowing: [
        { fold: { TO: 'to' } },
        { drop: ['DETECTED TO TAINT', 'TO PLACEMENT', 'TO END OF TASK'] },
        { cut: 'EVICTED', to: 16 },
      ],
    },
  ];
}

/** The workloads in which ready replicas were missing, the worst first. */
export function missingTable(history: History): Block[] {
  const worst = worstWorkloads(history);
  if (worst.length === 0) return [];
  return [
    {
      type: 'table',
      columns: [
        { name: 'NAMESPACE' },
        { name: 'WORKLOAD' },
        { name: 'FEWER READY' },
        { name: 'MISSING REPLICA MINUTES' },
        { name: 'CAME BACK' },
      ],
      rows: worst.map(({ workload, missingReplicaMinutes, returns, gap }): Words[] => [
        workload.namespace ?? '',
        `${workload.kind}/${workload.name}`,
        gap ? gapText({ gap }) : '-',
        minutesText(missingReplicaMinutes),
        returns === 0 ? '-' : plural(returns, 'time'),
      ]),
      narrowing: [{ fold: { 'FEWER READY': 'fewer ready' } }, { cut: 'WORKLOAD', to: 16 }],
    },
  ];
}

function flapBlocks({ clusters }: History): Block[] {
  const all = clusters.filter(({ flaps }) => flaps > 0);
  if (all.length === 0) return [];
  const words = all.map(({ name, flaps }) => `${name} ${plural(flaps, 'time')}`).join(', ');
  return [{ type: 'paragraph', words: `Ceased to be Ready: ${words}.` }];
}
