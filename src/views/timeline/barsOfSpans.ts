import type { Phase, Span } from '../../simulator/timeline/span.ts';
import { gapOfSpans } from '../../simulator/verdicts/readinessCourse.ts';
import type { BarLine, Bars, Block, BarSegment } from '../../presentation/model.ts';
import { asBad, asFaint, asStrong } from '../../presentation/words.ts';
import { duration } from '../words/duration.ts';
import { gapText } from '../words/outcomeWords.ts';
import { objectText } from '../words/names.ts';
import { plural } from '../words/amounts.ts';
import { PHASES } from './phases.ts';
import {
  readyByCluster,
  byWorkload,
  isEventful,
  lanesOf,
  worstFirst,
  type SpansShown,
  type WorkloadSpans,
} from './spansShown.ts';
import { ticksOf } from './ticks.ts';

/** How many workloads are drawn unless all are requested. */
const SOME = 12;

/** Bars along one scale: the ready replicas on each cluster, then the affected workloads, those that lack ready replicas longest first. */
export function barsOfSpans(shown: SpansShown, all: boolean): Block[] {
  const { spans, start, end } = shown;
  const eventful = worstFirst(byWorkload(spans).filter(isEventful), end);
  const drawn = all ? eventful : eventful.slice(0, SOME);
  const left = eventful.length - drawn.length;
  const lines = [...curves(shown), ...drawn.flatMap((one) => workloadLines(one, shown))];
  if (lines.length === 0) return [{ type: 'paragraph', words: 'Nothing happens to any workload.' }];
  const bars: Bars = {
    type: 'bars',
    from: start,
    to: end,
    ticks: ticksOf(end - start, 8).map((at) => ({ at: start + at, text: at === 0 ? 'T+0s' : duration(at) })),
    lines,
    legend: legendOf(drawn),
  };
  const more = `${plural(left, 'more workload')} to which something happens; -o wide draws all of them`;
  return left > 0 ? [bars, { type: 'paragraph', words: asFaint(more) }] : [bars];
}

/** The curves of all clusters, scaled to the same height, so that they can be compared. */
function curves({ spans, start }: SpansShown): BarLine[] {
  const courses = readyByCluster(spans, start);
  const highest = courses.flatMap(({ steps }) => steps).reduce((most, { ready }) => Math.max(most, ready), 0);
  return courses
    .filter(({ steps }) => steps.length > 1)
    .map(({ cluster, steps }) => ({
      label: asStrong(cluster),
      levels: steps.map(({ time, ready }) => ({ from: time, value: ready })),
      highest,
      note: `${steps[0]!.ready} → ${steps.at(-1)!.ready} ready`,
    }));
}

function workloadLines({ workload, spans }: WorkloadSpans, shown: SpansShown): BarLine[] {
  const lanes = lanesOf(spans);
  const gap = gapOfSpans(spans, shown.end);
  const whole = lanes.filter(({ phase }) => phase !== undefined).flatMap((lane) => lane.spans);
  return [
    {
      label: asStrong(objectText(workload)),
      stretches: whole.map((span) => stretch(span, shown)),
      ...(gap && { note: asBad(gapText({ gap }, ' fewer')) }),
    },
    ...lanes
      .filter(({ cluster }) => cluster !== undefined)
      .map(({ cluster, spans: own }) => ({
        label: ['  ', cluster!],
        stretches: own.map((span) => stretch(span, shown)),
        note: lastNote(own.at(-1)!),
      })),
  ];
}

function stretch(span: Span, { start, end }: SpansShown): BarSegment {
  const { phase, from, to = end, replicas } = span;
  const { mark, tone, text } = PHASES[phase];
  const until = span.to === undefined ? 'to the end' : `until T+${duration(to - start)}`;
  const count = replicas === undefined ? '' : `, ${plural(replicas, 'replica')}`;
  return {
    from,
    to,
    mark,
    ...(tone && { tone }),
    words: `${text} from T+${duration(from - start)} ${until}${count}`,
  };
}

function lastNote({ to, phase, replicas = 0 }: Span): string {
  if (to !== undefined) return 'gone';
  return replicas > 0 ? `${PHASES[phase].text} ×${replicas}` : PHASES[phase].text;
}

function legendOf(workloads: readonly WorkloadSpans[]): Bars['legend'] {
  const used = new Set<Phase>(workloads.flatMap(({ spans }) => spans.map(({ phase }) => phase)));
  return Object.entries(PHASES)
    .filter(([phase]) => used.has(phase as Phase))
    .map(([, look]) => look);
}
