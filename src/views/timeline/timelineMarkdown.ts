import { rfc3339 } from '../../kubernetes/time.ts';
import { presentable } from '../../presentation/presentable.ts';
import { duration } from '../words/duration.ts';
import { gapText } from '../words/outcomeWords.ts';
import { placementText, workloadName } from '../words/names.ts';
import { plural } from '../words/amounts.ts';
import { happenings } from './happenings.ts';
import { doubtText, minutesText, stepTimes, worstWorkloads, type TimelineInput } from './timelineWords.ts';

/** What happened as Markdown, for a post-mortem: a section and a table for each part. */
export function timelineMarkdown({ history, single, assumptions }: TimelineInput): string {
  const { start, end, seen, doubts, events, evictions, clusters } = history;
  const how = seen ? `Recorded over ${duration(end - start)}.` : 'Put together from one state.';
  const worst = worstWorkloads(history);
  const flapping = clusters.filter(({ flaps }) => flaps > 0);
  return [
    `## What happened, ${rfc3339(start)} to ${rfc3339(end)}`,
    how,
    doubts.map((doubt) => `- ${cell(doubtText(doubt))}`).join('\n'),
    '### Timeline',
    table(
      ['time', 'who', 'what'],
      happenings(events, single).map(({ time, until, actor, words }) => [
        rfc3339(time) + (until - time >= 1000 ? `, over ${duration(until - time)}` : ''),
        actor,
        words,
      ]),
    ),
    evictions.length > 0 ? '### Evictions' : '',
    evictions.length > 0
      ? 'The last four steps count from the eviction. What is empty was not seen, or has not happened.'
      : '',
    evictions.length > 0
      ? table(
          ['workload', 'from', 'to', ...stepTimes(evictions[0]!).map(([name]) => name.toLowerCase())],
          evictions.map((course) => [
            workloadName(course.workload),
            course.from,
            placementText(course.to),
            ...stepTimes(course).map(([, took]) => took),
          ]),
        )
      : '',
    worst.length > 0 ? '### Missing replicas' : '',
    worst.length > 0
      ? table(
          ['workload', 'fewer ready', 'missing replica minutes', 'came back'],
          worst.map(({ workload, missingReplicaMinutes, returns, gap }) => [
            workloadName(workload),
            gap ? gapText({ gap }) : '',
            minutesText(missingReplicaMinutes),
            String(returns),
          ]),
        )
      : '',
    flapping
      .map(({ name, flaps }) => `- ${cell(name)} ceased to be Ready ${plural(flaps, 'time')}`)
      .join('\n'),
    assumedText(assumptions),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** "Assumed: karmadaVersion=v1.18." What was found out is not told. */
function assumedText(assumptions: TimelineInput['assumptions']): string {
  const assumed = assumptions
    .filter((one) => one.assumed)
    .map(({ name, value }) => `${name}=${String(value)}`);
  return assumed.length === 0 ? '' : `Assumed: ${cell(assumed.join(', '))}.`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'Nothing.';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Foreign text as a cell: it cannot end the cell, nor make links, images or markup. */
function cell(text: string): string {
  return presentable(text).replace(/[\\`*_{}[\]<>|#!]/g, '\\$&');
}
