import type { Basis } from '../../karmada/configuration/assumptions.ts';
import { documentSummary } from '../documentSummary.ts';
import type { ClusterOutcome, Simulation } from '../../simulator/simulation/simulation.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import { countOfEach } from '../../kubernetes/longLists.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Block, TimelineStep, Words } from '../../presentation/model.ts';
import { asBad, joined, asStrong, asWarning } from '../../presentation/words.ts';
import {
  objectText,
  placementText,
  resourceName,
  shortWorkloadName,
  workloadIn,
  workloadName,
} from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';
import { LazyList } from '../forms/jsonText.ts';
import { inOrder, type Answer, type Shown } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { duration } from '../words/duration.ts';
import { eventDocument, eventWords, offsetText } from '../words/timelineEvent.ts';
import { evidenceWords } from '../words/evidence.ts';
import {
  permanenceText,
  doubtWords,
  downWords,
  gapText,
  outcomeDocument,
  outcomeCounts,
  outcomeTone,
  possibleEndsText,
  severityOf,
} from '../words/outcomeWords.ts';
import { plural } from '../words/amounts.ts';
import { clusterChangeCells, clusterChangeColumns, changesWorkloads } from '../words/clusterChange.ts';
import { barsOfSpans } from '../timeline/barsOfSpans.ts';
import type { SpansShown } from '../timeline/spansShown.ts';

export interface SimulationInput extends Basis {
  simulation: Simulation;
  /** the events in words: "frankfurt fails" */
  title: string;
  /** print every step of every workload */
  timeline: boolean;
  /** draw bars over time for each workload; the simulation must have spans */
  gantt?: boolean;
  /** the flags that ask for an explanation of the clusters that fail and recover in it; absent if other events are in it */
  sameEvents?: readonly string[] | undefined;
  /** the command line that shows every step, unless this is it */
  inFull?: string | undefined;
  /** the workloads are in the requested order; otherwise the worst come first in texts */
  ordered?: boolean;
}

/** The result of a simulation: the steps on the clusters, the outcome of each workload, each cluster's load. */
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
      simulation.workloads.filter(({ outcome, down }) => outcome !== 'stays' || down).map(resourceName),
    presentation(shown) {
      const tables = [...workloadTable(input, shown), ...clusterTable(simulation.clusters, shown)];
      const isAsked = input.gantt || input.timeline;
      const course = input.gantt ? barsOfSpans(spansOf(input), shown.wide) : [steps(input, shown)];
      if (shown.noHeaders) return { blocks: [...course, ...tables] };
      return {
        blocks: [
          { type: 'paragraph', words: [asStrong(input.title), ': ', ...totals(simulation)] },
          ...nextSteps(input, shown),
          ...(isAsked
            ? [...course, ...tables]
            : [...tables, { type: 'section' as const, detail: 'steps', blocks: course }]),
          ...assumptionBlocks(input.assumptions, shown, { caveats: [{ wordings: spanTexts(simulation) }] }),
        ],
      };
    },
  };
}

/** The spans of a simulation that was run with spans. */
export function spansOf({ simulation: { start, end, spans = [] }, title }: SimulationInput): SpansShown {
  return { title, start, end, spans };
}

export function simulationDocument({ simulation, karmadaVersion, assumptions }: SimulationInput) {
  const { start, end, atRest, events, workloads, clusters } = simulation;
  return {
    kind: 'Simulation' as const,
    schemaVersion: 'v1',
    karmadaVersion,
    start: rfc3339Milliseconds(start),
    end: rfc3339Milliseconds(end),
    atRest,
    summary: {
      ...documentSummary({ workloads }, { outcomes: workloads.map(({ outcome }) => outcome) }),
      down: downCount(simulation),
    },
    assumptions,
    events: new LazyList(events, (event) => eventDocument(event, start)),
    workloads: workloads.map(workloadDocument),
    clusters,
  };
}

function workloadDocument(outcome: WorkloadOutcome) {
  const { deletedReady, flapping, ...rest } = outcome;
  // In a large fleet, most workloads have no times.
  const times = deletedReady || flapping ? outcomeDocument({ deletedReady, flapping }) : {};
  return { workload: workloadIn(rest), ...rest, dependsOn: rest.dependsOn ?? [], ...times };
}

/** "Simulated 11m32s from 2026-09-01T09:30:00Z": the simulated period. */
function spanTexts({ start, end, atRest }: Simulation): string[] {
  const over = `Simulated ${duration(end - start)}`;
  const rest = atRest ? '' : '; still changing at the end';
  return [`${over} from ${rfc3339(start)}${rest}`, `${over}${rest}`];
}

/** The command that explains the worst; every step where no explanation has the same events. */
function nextSteps(
  { simulation: { workloads }, sameEvents, inFull }: SimulationInput,
  shown: Shown,
): Block[] {
  const [worst] = workloads.filter(isTrouble).sort((a, b) => severityOf(a) - severityOf(b));
  if (!worst) return [];
  if (sameEvents) return nextStep(['explain', workloadName(worst), ...sameEvents], shown);
  return inFull === undefined ? [] : [{ type: 'command', text: inFull }];
}

function isTrouble({ outcome, down }: WorkloadOutcome): boolean {
  return (
    down || outcome === 'lost' || outcome === 'blocked' || outcome === 'flaps' || outcome === 'partly-moves'
  );
}

function downCount({ workloads }: Simulation): number {
  return workloads.filter(({ down }) => down).length;
}

function steps({ simulation, timeline }: SimulationInput, shown: Shown): Block {
  const { events, start } = simulation;
  const onClusters = ({ clusters, object, type }: TimelineEvent) =>
    (clusters === undefined && object.kind === 'Cluster') || type === 'EvictionPaceChanged';
  const steps = timeline
    ? events.map((event) => timelineStep(event, start, shown.wide))
    : [
        ...events
          .filter(onClusters)
          .map((event) => ({ time: event.time, step: timelineStep(event, start, false) })),
        ...condensed(events, start),
      ]
        .sort((a, b) => a.time - b.time)
        .map(({ step }) => step);
  return { type: 'section', inset: true, blocks: [{ type: 'timeline', steps: steps }] };
}

/** Steps of many workloads: one line per kind of step. */
function condensed(events: TimelineEvent[], start: number): { time: number; step: TimelineStep }[] {
  const lines: { time: number; step: TimelineStep }[] = [];
  const group = (types: TimelineEvent['type'][], words: (count: number) => Words) => {
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
      step: {
        when: offsetText(first.time, start),
        actor: [...new Set(found.map(({ controller }) => controller))].join(', '),
        words: [words(workloads), until],
      },
    });
  };
  group(['BindingFollowed'], (count) =>
    count === 1 ? '1 binding follows its policy' : `${count} bindings follow their policies`,
  );
  group(['EvictionWaits'], (count) => `${plural(count, 'workload')} tolerating the taint for a time`);
  group(['Evicted'], (count) => `${plural(count, 'workload')} evicted`);
  group(['Scheduled'], (count) => `${plural(count, 'workload')} rescheduled`);
  group(['ScheduleFailed'], (count) => asBad(`${plural(count, 'workload')} not placed`));
  group(['WaitsForDirectPurge'], (count) =>
    asWarning(
      `${plural(count, 'workload')} ${count === 1 ? 'waits for its' : 'wait for their'} old copy to be deleted`,
    ),
  );
  group(['TaskEnded'], (count) => `evictions of ${plural(count, 'workload')} ended`);
  group(['EvictionAbandoned'], (count) => asWarning(`evictions of ${plural(count, 'workload')} abandoned`));
  group(['EvictionDropped'], (count) => `evictions of ${plural(count, 'workload')} dropped from the queue`);
  group(['EvictionBlocked'], (count) => asBad(`evictions of ${plural(count, 'workload')} blocked`));
  return lines;
}

/** A step, with `whole` all its evidence. */
export function timelineStep(event: TimelineEvent, start: number, whole: boolean): TimelineStep {
  const { object, controller, evidence } = event;
  const what = object.kind === 'Cluster' ? object.name : objectText(object);
  return {
    when: offsetText(event.time, start),
    actor: controller,
    // the text comes last: a message of the scheduler may be long
    words: `${what} ${eventWords(event)}`,
    ...(whole ? { details: evidence.map((one) => evidenceWords(one, object)) } : {}),
  };
}

function workloadTable({ simulation, ordered }: SimulationInput, { wide }: Shown): Block[] {
  const { workloads } = simulation;
  const shown = workloads.filter((one) => wide || isEventful(one));
  if (!ordered) shown.sort((a, b) => severityOf(a) - severityOf(b));
  if (shown.length === 0) return [];
  return [
    {
      type: 'table',
      columns: [
        { name: 'OUTCOME' },
        { name: 'WORKLOAD' },
        { name: 'BEFORE', wraps: 20 },
        { name: 'AFTER', wraps: 20 },
        { name: 'REPLICAS DOWN' },
        ...(wide ? [{ name: 'EVICTING' }, { name: 'CERTAINTY' }] : []),
        { name: 'NOTE', wraps: 40 },
      ],
      rows: shown.map((one) => [
        [one.down ? asBad(one.outcome) : outcomeTone(one.outcome, one.outcome), doubtMark(one)],
        shortWorkloadName(one),
        beforeText(one),
        afterWords(one),
        one.gap?.open ? asBad(gapText(one)) : gapText(one),
        ...(wide ? [one.evicting.join(','), one.certainty] : []),
        noteWords(one),
      ]),
      narrowing: [
        { fold: { NOTE: '' } },
        { fold: { BEFORE: 'before' } },
        { fold: { AFTER: 'after' } },
        { fold: { EVICTING: 'evicting', CERTAINTY: 'certainty' } },
        { cut: 'WORKLOAD', to: 16 },
      ],
    },
  ];
}

/** Whether something happens to it: other workloads have a row only with `-o wide`. */
function isEventful(one: WorkloadOutcome): boolean {
  return (
    one.outcome !== 'stays' ||
    one.down === true ||
    one.gap !== undefined ||
    one.evictionQueue !== undefined ||
    isRescheduled(one)
  );
}

/** "?" after uncertain values. */
function doubtMark({ certainty }: WorkloadOutcome): Words {
  return certainty === 'certain' ? '' : asWarning('?');
}

/** "virginia×6, evicting frankfurt×6" */
function beforeText({ before, leaving = [] }: WorkloadOutcome): string {
  const left = leaving.length > 0 ? [`evicting ${placementText(leaving)}`] : [];
  return [placementText(before), ...left].filter((text) => text !== '').join(', ');
}

/** "virginia×6", or "nowhere, evicting frankfurt" if only an old copy is left */
function afterWords({ after, evicting }: WorkloadOutcome): Words {
  const left = evicting.length > 0 ? `, evicting ${evicting.join(', ')}` : '';
  return placementText(after) || [asBad('nowhere'), left];
}

function isRescheduled({ before, after }: WorkloadOutcome): boolean {
  return placementText(before) !== placementText(after);
}

function noteWords(outcome: WorkloadOutcome): Words {
  const { reason = '', deletedReady = [] } = outcome;
  const deleted = deletedReady
    .slice(0, 1)
    .map(({ cluster, time, replicas }) =>
      asBad(`${plural(replicas, 'ready replica')} on ${cluster} deleted at ${rfc3339(time)}`),
    );
  return joined(
    [downWords(outcome), reason, ...deleted, ...possibleEndsText(outcome), doubtWords(outcome)],
    '; ',
  );
}

/** Changes on clusters; with `wide` all of them. */
export function clusterTable(clusters: ClusterOutcome[], { wide }: Pick<Shown, 'wide'>): Block[] {
  const changed = clusters.filter(
    (one) =>
      wide ||
      changesWorkloads(one) ||
      one.before.ready !== one.after.ready ||
      one.before.taints.join() !== one.after.taints.join(),
  );
  if (changed.length === 0) return [];
  const rows = changed.map((one) => [...clusterChangeCells(one.name, one), one.after.taints.join(', ')]);
  return [
    {
      type: 'table',
      columns: [...clusterChangeColumns, { name: 'TAINTS', wraps: 40 }],
      rows,
      narrowing: [{ fold: { TAINTS: 'taints' } }, { cut: 'CLUSTER', to: 16 }],
    },
  ];
}

/** "14 workloads: 2 are lost, 1 is blocked; 2 down permanently." */
function totals(simulation: Simulation): Words[] {
  const { workloads, clusters } = simulation;
  if (workloads.length === 0) {
    const others = clusters.some(({ before, after }) => before.workloads + after.workloads > 0);
    return [others ? 'no workload matches the selection; clusters count all.' : 'there are no workloads.'];
  }
  const parts = outcomeCounts(countOfEach(workloads.map(({ outcome }) => outcome)));
  const down = workloads.filter((one) => one.down);
  const lasts = permanenceText(down.every(({ gap }) => gap?.permanent));
  const downAtEnd = down.length === 0 ? [] : ['; ', asBad(`${down.length} down ${lasts}`)];
  const doubtful = workloads.filter((one) => one.certainty !== 'certain' && !isEventful(one)).length;
  const unsure = doubtful === 0 ? [] : [asWarning(`; ${doubtful} uncertain among those that stay (-o wide)`)];
  return [joined(parts, ', '), ` of ${plural(workloads.length, 'workload')}`, ...downAtEnd, ...unsure, '.'];
}
