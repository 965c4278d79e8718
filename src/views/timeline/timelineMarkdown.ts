import { rfc3339 } from '../../kubernetes/time.ts';
import { markdownCell, markdownPage, markdownTable } from '../forms/markdown.ts';
import { duration } from '../words/duration.ts';
import { gapText } from '../words/outcomeWords.ts';
import { workloadName } from '../words/names.ts';
import { plural } from '../words/amounts.ts';
import { timelineRows } from './timelineRows.ts';
import {
  doubtText,
  knownFrom,
  minutesText,
  stepColumns,
  toText,
  worstEvictions,
  worstWorkloads,
  type TimelineInput,
} from './timelineWords.ts';

/** The history as Markdown, for a post-mortem: a section and a table for each part. */
export function timelineMarkdown(input: TimelineInput): string {
  const { single, assumptions } = input;
  const evictions = worstEvictions(input);
  const history = { ...input.history, evictions };
  const { start, end, doubts, events, clusters } = history;
  const worst = worstWorkloads(history);
  const steps = stepColumns(history);
  const flapping = clusters.filter(({ flaps }) => flaps > 0);
  return markdownPage(assumptions, [
    `## What happened, ${rfc3339(start)} to ${rfc3339(end)}`,
    `${knownFrom(history)[0]}.`,
    doubts.map((doubt) => `- ${markdownCell(doubtText(doubt))}`).join('\n'),
    '### Timeline',
    markdownTable(
      ['time', 'who', 'what'],
      timelineRows(events, single).map(({ time, until, actor, words }) => [
        rfc3339(time) + (until - time >= 1000 ? `, over ${duration(until - time)}` : ''),
        actor,
        words,
      ]),
    ),
    evictions.length > 0 ? '### Evictions' : '',
    evictions.length > 0
      ? 'The last four steps count from the eviction. An empty cell is a step that did not happen.'
      : '',
    evictions.length > 0
      ? markdownTable(
          ['workload', 'from', 'to', ...steps.map(({ name }) => name.toLowerCase())],
          evictions.map((course, at) => [
            workloadName(course.workload),
            course.from,
            toText(course, history),
            ...steps.map(({ times }) => times[at] ?? ''),
          ]),
        )
      : '',
    worst.length > 0 ? '### Missing replicas' : '',
    worst.length > 0
      ? markdownTable(
          ['workload', 'replicas down', 'replica-minutes', 'came back'],
          worst.map(({ workload, missingReplicaMinutes, returns, gap }) => [
            workloadName(workload),
            gap ? gapText({ gap }) : '',
            minutesText(missingReplicaMinutes),
            String(returns),
          ]),
        )
      : '',
    flapping
      .map(({ name, flaps }) => `- ${markdownCell(name)} became not Ready ${plural(flaps, 'time')}`)
      .join('\n'),
  ]);
}
