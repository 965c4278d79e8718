import type { ClusterOutcome, Simulation } from '../engine/simulation/simulation.ts';
import type { TimelineEvent } from '../engine/simulation/timeline/timelineEvent.ts';
import type { WorkloadOutcome } from '../engine/verdicts/outcome.ts';
import { rfc3339, rfc3339Milliseconds } from '../kubernetes/time.ts';
import { LazyList } from './lazyList.ts';
import { inOrder, type Answer, type TextOptions } from './answer.ts';
import { assumptionText, type AnsweredAssumption } from './assumptions.ts';
import { duration } from './duration.ts';
import { eventDocument, eventWords, offsetText } from './timelineEvent.ts';
import { evidenceText } from './evidence.ts';
import {
  SEVERITY,
  gapText,
  outcomeCount,
  outcomeDocument,
  outcomeStyle,
  possibleEndsText,
} from './outcomeWords.ts';
import { createFootnotes, type Footnotes } from './footnotes.ts';
import { objectText } from './objectText.ts';
import { placementText } from './placement.ts';
import type { Style } from './style.ts';
import { columns, table } from './table.ts';

export interface SimulationInput {
  simulation: Simulation;
  /** what happens, in words: "frankfurt fails" */
  title: string;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
  /** print every step of every workload */
  timeline: boolean;
  /** the workloads are in the order that was asked for, else the worst come first in texts */
  ordered?: boolean;
}

/** What a simulation comes to: the steps on the clusters, what becomes of each workload, each cluster's load. */
export function simulationAnswer(input: SimulationInput): Answer {
  const { simulation } = input;
  return {
    get document() {
      return simulationDocument(input);
    },
    list: {
      field: 'workloads',
      inOrder: (positions) =>
        simulationAnswer({
          ...input,
          simulation: { ...simulation, workloads: inOrder(simulation.workloads, positions) },
          ordered: true,
        }),
    },
    names: () =>
      simulation.workloads
        .filter(({ outcome }) => outcome !== 'stays')
        .map(({ kind, name }) => `${kind.toLowerCase()}/${name}`),
    text(options) {
      const sections = [
        options.noHeaders ? '' : heading(input, options.style),
        steps(input, options),
        workloadTable(input, options),
        clusterTable(simulation.clusters, options),
        options.noHeaders ? '' : summary(simulation, options.style),
        options.noHeaders ? '' : assumptionText(input.assumptions, options.style, options.wide),
      ];
      return sections.filter((section) => section !== '').join('\n\n');
    },
  };
}

function simulationDocument({ simulation, karmadaVersion, assumptions }: SimulationInput) {
  const { start, end, atRest, events, workloads, clusters } = simulation;
  return {
    kind: 'Simulation',
    schemaVersion: 'v1',
    karmadaVersion,
    start: rfc3339Milliseconds(start),
    end: rfc3339Milliseconds(end),
    atRest,
    assumptions,
    events: new LazyList(events, (event) => eventDocument(event, start)),
    workloads: workloads.map(workloadDocument),
    clusters,
  };
}

function workloadDocument(outcome: WorkloadOutcome) {
  const { deletedReady, flapping, ...workload } = outcome;
  // Of a large fleet most workloads hold no times.
  return deletedReady || flapping ? { ...workload, ...outcomeDocument({ deletedReady, flapping }) } : outcome;
}

function heading({ simulation, title }: SimulationInput, style: Style): string {
  const span = duration(simulation.end - simulation.start);
  return `${style.strong(title)}   ${style.faint(`simulated from ${rfc3339(simulation.start)} over ${span}${simulation.atRest ? '' : ', not at rest then'}`)}`;
}

function steps({ simulation, timeline }: SimulationInput, options: TextOptions): string {
  const { events, start } = simulation;
  if (timeline)
    return columns(
      events.flatMap((event) => eventLines(event, start, options)),
      2,
    );
  const onClusters = events.filter(
    (event) => event.clusters === undefined && event.object.kind === 'Cluster',
  );
  const lines = onClusters.map((event) => ({
    time: event.time,
    line: eventLines(event, start, options)[0]!,
  }));
  lines.push(...condensed(events, start, options.style));
  lines.sort((a, b) => a.time - b.time);
  return columns(
    lines.map(({ line }) => line),
    2,
  );
}

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What happens to many workloads, in a line for each kind of step. */
function condensed(events: TimelineEvent[], start: number, style: Style): { time: number; line: string[] }[] {
  const lines: { time: number; line: string[] }[] = [];
  const group = (types: TimelineEvent['type'][], words: (count: number) => string) => {
    const found = events.filter(({ type }) => types.includes(type));
    const [first, last] = [found[0], found.at(-1)];
    if (!first || !last) return;
    const workloads = new Set(found.map(({ object }) => `${object.namespace ?? ''}/${object.name}`)).size;
    const until =
      offsetText(last.time, start) === offsetText(first.time, start)
        ? ''
        : `, the last ${workloads === 1 ? 'time ' : ''}at ${offsetText(last.time, start)}`;
    lines.push({
      time: first.time,
      line: [
        offsetText(first.time, start),
        style.faint([...new Set(found.map(({ controller }) => controller))].join(', ')),
        words(workloads) + until,
      ],
    });
  };
  group(['BindingFollowed'], (count) =>
    count === 1 ? '1 binding follows its policy' : `${count} bindings follow their policies`,
  );
  group(['EvictionWaits'], (count) => `${plural(count, 'workload')} tolerated for a time`);
  group(['Evicted'], (count) => `${plural(count, 'workload')} evicted`);
  group(['Scheduled'], (count) => `${plural(count, 'workload')} given another placement`);
  group(['ScheduleFailed'], (count) => style.bad(`${plural(count, 'workload')} not placed`));
  group(['WaitsForDirectPurge'], (count) =>
    style.warn(`${plural(count, 'workload')} not started anywhere until the old copy is gone`),
  );
  group(['TaskEnded'], (count) => `evictions of ${plural(count, 'workload')} ended`);
  group(['EvictionBlocked'], (count) => style.bad(`evictions of ${plural(count, 'workload')} blocked`));
  return lines;
}

function eventLines(event: TimelineEvent, start: number, { style, wide }: TextOptions): string[][] {
  const what = [
    event.object.kind === 'Cluster' ? event.object.name : objectText(event.object),
    eventWords(event),
  ].join(' ');
  // the words come last: a message of the scheduler would push away what stands behind it
  const line = [offsetText(event.time, start), style.faint(event.controller), what];
  if (!wide) return [line];
  return [line, ...event.evidence.map((one) => ['', '', `  ${evidenceText(one, event.object, style)}`])];
}

function workloadTable(
  { simulation: { workloads }, ordered }: SimulationInput,
  { style, wide, noHeaders }: TextOptions,
): string {
  const shown = workloads.filter(
    (one) => wide || one.outcome !== 'stays' || one.gap !== undefined || isPlacedAnew(one),
  );
  if (!ordered) shown.sort((a, b) => SEVERITY.indexOf(a.outcome) - SEVERITY.indexOf(b.outcome));
  if (shown.length === 0) return '';
  const footnotes = createFootnotes(style);
  const rows = shown.map((one) => [
    outcomeStyle(one.outcome, style)(one.outcome),
    one.namespace ?? '',
    `${one.kind}/${one.name}`,
    beforeText(one),
    afterText(one, style),
    one.gap?.open ? style.bad(gapText(one)) : gapText(one),
    ...(wide ? [one.evicting.join(','), one.certainty] : []),
    reasonText(one, style, footnotes),
  ]);
  const headers = [
    'OUTCOME',
    'NAMESPACE',
    'WORKLOAD',
    'BEFORE',
    'AFTER',
    'FEWER READY',
    ...(wide ? ['EVICTING', 'CERTAINTY'] : []),
    'NOTE',
  ];
  const lines = table(headers, rows, { noHeaders });
  return noHeaders ? lines : [lines, ...footnotes.lines()].join('\n');
}

/** "virginia×6, leaving frankfurt×6" */
function beforeText({ before, leaving = [] }: WorkloadOutcome): string {
  const left = leaving.length > 0 ? [`leaving ${placementText(leaving)}`] : [];
  return [placementText(before), ...left].filter((text) => text !== '').join(', ');
}

/** "virginia×6", or "nowhere, leaving frankfurt" while an old copy is all that there is */
function afterText({ after, evicting }: WorkloadOutcome, style: Style): string {
  const left = evicting.length > 0 ? `, leaving ${evicting.join(', ')}` : '';
  return placementText(after) || `${style.bad('nowhere')}${left}`;
}

function isPlacedAnew({ before, after }: WorkloadOutcome): boolean {
  return placementText(before) !== placementText(after);
}

function reasonText(outcome: WorkloadOutcome, style: Style, footnotes: Footnotes): string {
  const { reason, deletedReady = [] } = outcome;
  const deleted = deletedReady
    .slice(0, 1)
    .map(({ cluster, time, replicas }) =>
      style.bad(`${plural(replicas, 'ready replica')} on ${cluster} deleted at ${rfc3339(time)}`),
    );
  return [reason ?? '', ...deleted, ...possibleEndsText(outcome), footnotes.doubt(outcome)]
    .filter((text) => text !== '')
    .join('; ');
}

function clusterTable(clusters: ClusterOutcome[], { style, wide, noHeaders }: TextOptions): string {
  const changed = clusters.filter(
    ({ before, after }) =>
      wide ||
      before.replicas !== after.replicas ||
      before.workloads !== after.workloads ||
      before.ready !== after.ready ||
      before.taints.join() !== after.taints.join(),
  );
  if (changed.length === 0) return '';
  const arrow = (before: number | string, after: number | string) =>
    before === after ? String(after) : `${before} → ${after}`;
  const rows = changed.map(({ name, before, after }) => [
    name,
    after.ready === 'True' ? arrow(before.ready, after.ready) : style.bad(arrow(before.ready, after.ready)),
    arrow(before.workloads, after.workloads),
    arrow(before.replicas, after.replicas),
    after.taints.join(', '),
  ]);
  return table(['CLUSTER', 'READY', 'WORKLOADS', 'REPLICAS', 'TAINTS'], rows, { noHeaders });
}

function summary({ workloads }: Simulation, style: Style): string {
  if (workloads.length === 0) return 'No workloads.';
  const parts = SEVERITY.flatMap((outcome) => {
    const count = workloads.filter((one) => one.outcome === outcome).length;
    return count > 0 ? [outcomeStyle(outcome, style)(outcomeCount(outcome, count))] : [];
  });
  return `${plural(workloads.length, 'workload')}: ${parts.join(', ')}.`;
}
