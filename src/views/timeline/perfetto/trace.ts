import { bindingName, objectKey, snapshotKey } from '../../../karmada/objects/identities.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { compareUtf8 } from '../../../kubernetes/utf8.ts';
import { presentable } from '../../../presentation/presentable.ts';
import { PLACED_PHASES, type Span } from '../../../simulator/timeline/span.ts';
import { objectText } from '../../words/names.ts';
import { PHASES } from '../phases.ts';
import {
  type TotalSpan,
  runningTotal,
  type SpansShown,
  type WorkloadSpans,
  byWorkload,
  lanesOf,
  worstFirst,
} from '../spansShown.ts';
import { createPackets } from './packets.ts';
import { type TraceItem, type TracedEvent, type Track, createTraceWriter } from './traceItems.ts';

/** The content of a trace: workloads over time, events, and the free capacity of clusters. */
export interface Traced extends SpansShown {
  events: readonly TracedEvent[];
  /** pod capacity of clusters for our workloads, by cluster name; absent: unknown */
  capacity?: ReadonlyMap<string, number>;
}

/** Bytes after which a piece is returned. */
const PIECE = 1 << 16;

/**
 * A Perfetto trace (TrackEvent), in pieces: for ui.perfetto.dev and trace_processor. Under one track with the title are the missing
 * replicas, the clusters with their figures and events over time, and the workloads, worst first, with their events and a track for each of
 * their clusters. Flows lead from evicted copies to their replacements.
 */
export function* perfettoTrace(traced: Traced): Generator<Uint8Array> {
  const packets = createPackets(traced.start);
  for (const item of itemsOf(traced)) {
    packets.write(item);
    if (packets.size() > PIECE) yield packets.take();
  }
  yield packets.take();
}

/** Tracks precede their events; the events of a track are in chronological order. */
function* itemsOf({ title, start, end, spans, events, capacity }: Traced): Generator<TraceItem> {
  const newTrack = trackMaker();
  const writer = createTraceWriter();
  const workloads = worstFirst(byWorkload(spans), end);
  const byPlace = eventsByPlace(events, workloads);
  const top = newTrack(undefined, title);
  yield top;
  const gaps = spans.filter(({ phase }) => phase === 'gap');
  yield* counter(top, 'replicas missing', amounts(gaps, 'replicas'));
  yield* clusterTracks();
  yield* workloadTracks();
  if (byPlace.elsewhere.length > 0) yield* group(top, 'Other objects', byPlace.elsewhere);

  function* clusterTracks(): Generator<TraceItem> {
    const clusters = newTrack(top, 'Clusters');
    yield clusters;
    const copies = new Map<string, Span[]>();
    for (const span of spans)
      if (span.cluster !== undefined) getOrAdd(copies, span.cluster, () => []).push(span);
    const names = new Set([...copies.keys(), ...byPlace.ofClusters.keys(), ...(capacity?.keys() ?? [])]);
    for (const name of [...names].sort(compareUtf8)) {
      const cluster = yield* group(clusters, name, byPlace.ofClusters.get(name));
      const own = copies.get(name) ?? [];
      const placed = own.filter(({ phase }) => PLACED_PHASES.has(phase));
      yield* counter(cluster, 'replicas placed', amounts(placed, 'replicas'));
      yield* counter(cluster, 'replicas ready', amounts(own, 'ready'));
      const most = capacity?.get(name);
      if (most !== undefined)
        yield* counter(cluster, 'capacity for pods', [{ from: start, amount: most }], 'pods');
    }
  }

  function* workloadTracks(): Generator<TraceItem> {
    const all = newTrack(top, 'Workloads');
    yield all;
    let flows = 0;
    for (const { workload, spans: own } of workloads) {
      const track = yield* group(all, objectText(workload), byPlace.ofWorkloads.get(objectKey(workload)));
      const links = new Map<Span, { flows: number[]; ends: number[] }>();
      const linksOf = (span: Span) => getOrAdd(links, span, () => ({ flows: [], ends: [] }));
      for (const { old, copy } of replacements(own, start)) {
        linksOf(old).flows.push(++flows);
        linksOf(copy).ends.push(flows);
      }
      for (const { cluster, phase, spans: lane } of lanesOf(own)) {
        const copies = newTrack(track, cluster ?? PHASES[phase!].text);
        yield copies;
        for (const span of lane) {
          yield {
            type: 'begin',
            track: copies.id,
            time: span.from,
            ...writer.ofSpan(span),
            ...links.get(span),
          };
          yield { type: 'end', track: copies.id, time: span.to ?? end };
        }
      }
    }
  }

  function* group(under: Track, name: string, own: readonly TracedEvent[] = []): Generator<TraceItem, Track> {
    const track = newTrack(under, name);
    yield track;
    for (const event of own)
      yield { type: 'instant', track: track.id, time: event.time, ...writer.ofEvent(event) };
    return track;
  }

  /** A track with the sum of the spans over time. */
  function* counter(
    under: Track,
    name: string,
    stretches: Iterable<TotalSpan>,
    unit = 'replicas',
  ): Generator<TraceItem> {
    const track = newTrack(under, name, unit);
    yield track;
    for (const { time, total } of runningTotal(stretches, start))
      yield { type: 'count', track: track.id, time, value: total };
  }
}

function amounts(spans: readonly Span[], of: 'replicas' | 'ready'): TotalSpan[] {
  return spans.map(({ from, to, [of]: amount = 0 }) => ({ from, to, amount }));
}

interface EventPlaces {
  ofClusters: Map<string, TracedEvent[]>;
  /** by `objectKey` */
  ofWorkloads: Map<string, TracedEvent[]>;
  elsewhere: TracedEvent[];
}

/** The events of clusters, those of workloads, those of workloads including their bindings, and all others. */
function eventsByPlace(events: readonly TracedEvent[], workloads: readonly WorkloadSpans[]): EventPlaces {
  const owners = new Map<string, string>();
  for (const { workload } of workloads) {
    const { kind, namespace, name } = workload;
    owners.set(objectKey(workload), objectKey(workload));
    owners.set(bindingPlace({ namespace, name: bindingName(kind, name) }), objectKey(workload));
  }
  const places: EventPlaces = { ofClusters: new Map(), ofWorkloads: new Map(), elsewhere: [] };
  for (const event of events) {
    const { object } = event;
    const isBinding = object.kind === 'ResourceBinding' || object.kind === 'ClusterResourceBinding';
    const owner = owners.get(isBinding ? bindingPlace(object) : objectKey(object));
    if (object.kind === 'Cluster') getOrAdd(places.ofClusters, object.name, () => []).push(event);
    else if (owner !== undefined) getOrAdd(places.ofWorkloads, owner, () => []).push(event);
    else places.elsewhere.push(event);
  }
  return places;
}

function bindingPlace(binding: { namespace?: string | undefined; name: string }): string {
  return `binding ${snapshotKey(binding)}`;
}

/** Creates tracks: numbers them, and places each under its parent. With a unit, a track counts. */
function trackMaker(): (under: Track | undefined, name: string, unit?: string) => Track {
  let last = 0;
  const children = new Map<number, number>();
  return (under, name, unit) => {
    const rank = children.get(under?.id ?? 0) ?? 0;
    children.set(under?.id ?? 0, rank + 1);
    return {
      type: 'track',
      id: ++last,
      ...(under && { parent: under.id }),
      name: presentable(name),
      rank,
      ...(unit !== undefined && { unit }),
    };
  };
}

/** An evicted copy, and a copy placed next: the spans that begin with each. */
interface Replacement {
  old: Span;
  copy: Span;
}

/**
 * Which copies of one workload replace which. Copies placed at one instant replace every earlier evicted copy without a replacement; a copy
 * that gains replicas counts as placed. Copies present at the start replace nothing.
 */
export function replacements(spans: readonly Span[], start: number): Replacement[] {
  const changes = lanesOf(spans).flatMap((lane) =>
    lane.cluster === undefined ? [] : changesOf(lane.spans, start),
  );
  changes.sort((a, b) => a.time - b.time || Number(b.leaves) - Number(a.leaves));
  const found: Replacement[] = [];
  let unanswered: Span[] = [];
  let answered: { time: number; by: Span[] } | undefined;
  for (const { time, leaves, span } of changes) {
    if (leaves) unanswered.push(span);
    else {
      if (answered?.time !== time) {
        answered = { time, by: unanswered };
        unanswered = [];
      }
      for (const old of answered.by) found.push({ old, copy: span });
    }
  }
  return found;
}

interface Change {
  /** epoch milliseconds */
  time: number;
  /** it was evicted; otherwise it is placed, or gains replicas */
  leaves: boolean;
  span: Span;
}

/** When the copy on one cluster was evicted, and when it was placed there, in chronological order. */
function changesOf(spans: readonly Span[], start: number): Change[] {
  const changes: Change[] = [];
  let placed: Span | undefined;
  for (const span of spans) {
    const isPlaced = PLACED_PHASES.has(span.phase);
    const continues = placed?.to === span.from;
    if (placed?.to !== undefined && !(continues && isPlaced))
      changes.push({ time: placed.to, leaves: true, span: continues ? span : placed });
    const isNew = continues ? (span.replicas ?? 0) > (placed?.replicas ?? 0) : span.from > start;
    if (isPlaced && isNew) changes.push({ time: span.from, leaves: false, span });
    placed = isPlaced ? span : undefined;
  }
  if (placed?.to !== undefined) changes.push({ time: placed.to, leaves: true, span: placed });
  const [first] = spans;
  if (first?.phase === 'evicting' && first.from === start)
    changes.unshift({ time: start, leaves: true, span: first });
  return changes;
}
