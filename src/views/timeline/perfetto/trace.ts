import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { objectKey } from '../../../karmada/objects/identities.ts';
import { PLACED, type Span } from '../../../simulator/timeline/span.ts';
import { compareUtf8 } from '../../../kubernetes/utf8.ts';
import { objectText } from '../../words/objectText.ts';
import { PHASES } from '../phases.ts';
import { runningTotal, type Stretch } from '../runningTotal.ts';
import { byWorkload, lanesOf, worstFirst, type SpansShown } from '../spansShown.ts';
import { eventsByPlace } from './eventPlaces.ts';
import { createPackets } from './packets.ts';
import { replacements } from './replacements.ts';
import { createTeller, type TracedEvent } from './told.ts';
import type { Track, TraceItem } from './traceItem.ts';
import { trackMaker } from './tracks.ts';

/** What a trace tells: what went on with workloads, what happened meanwhile, and what clusters had room for. */
export interface Traced extends SpansShown {
  events: readonly TracedEvent[];
  /** for how many pods of our workloads clusters have room, by cluster name; absent: unknown */
  room?: ReadonlyMap<string, number>;
}

/** Bytes after which a piece is given away. */
const PIECE = 1 << 16;

/**
 * A trace of Perfetto (TrackEvent), in pieces: for ui.perfetto.dev and trace_processor. Under one track with the title stand the replicas
 * that are missing, the clusters with what they have over time and what happens to them, and the workloads, worst first, with what happens
 * to each and a track for each of its clusters. Flows lead from copies that had to leave to those that took their place.
 */
export function* perfettoTrace(traced: Traced): Generator<Uint8Array> {
  const packets = createPackets(traced.start);
  for (const item of itemsOf(traced)) {
    packets.write(item);
    if (packets.size() > PIECE) yield packets.take();
  }
  yield packets.take();
}

/** Tracks come before what is on them; what is on a track is in order of time. */
function* itemsOf({ title, start, end, spans, events, room }: Traced): Generator<TraceItem> {
  const newTrack = trackMaker();
  const teller = createTeller();
  const workloads = worstFirst(byWorkload(spans), end);
  const told = eventsByPlace(events, workloads);
  const top = newTrack(undefined, title);
  yield top;
  const gaps = spans.filter(({ phase }) => phase === 'gap');
  yield* counter(top, 'replicas missing', amounts(gaps, 'replicas'));
  yield* clusterTracks();
  yield* workloadTracks();
  if (told.elsewhere.length > 0) yield* group(top, 'Other objects', told.elsewhere);

  function* clusterTracks(): Generator<TraceItem> {
    const clusters = newTrack(top, 'Clusters');
    yield clusters;
    const copies = new Map<string, Span[]>();
    for (const span of spans)
      if (span.cluster !== undefined) getOrAdd(copies, span.cluster, () => []).push(span);
    const names = new Set([...copies.keys(), ...told.ofClusters.keys(), ...(room?.keys() ?? [])]);
    for (const name of [...names].sort(compareUtf8)) {
      const cluster = yield* group(clusters, name, told.ofClusters.get(name));
      const own = copies.get(name) ?? [];
      const placed = own.filter(({ phase }) => PLACED.has(phase));
      yield* counter(cluster, 'replicas placed', amounts(placed, 'replicas'));
      yield* counter(cluster, 'replicas ready', amounts(own, 'ready'));
      const most = room?.get(name);
      if (most !== undefined)
        yield* counter(cluster, 'room for pods', [{ from: start, amount: most }], 'pods');
    }
  }

  function* workloadTracks(): Generator<TraceItem> {
    const all = newTrack(top, 'Workloads');
    yield all;
    let flows = 0;
    for (const { workload, spans: own } of workloads) {
      const track = yield* group(all, objectText(workload), told.ofWorkloads.get(objectKey(workload)));
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
            ...teller.ofSpan(span),
            ...links.get(span),
          };
          yield { type: 'end', track: copies.id, time: span.to ?? end };
        }
      }
    }
  }

  /** A track with events on it. */
  function* group(under: Track, name: string, own: readonly TracedEvent[] = []): Generator<TraceItem, Track> {
    const track = newTrack(under, name);
    yield track;
    for (const event of own)
      yield { type: 'instant', track: track.id, time: event.time, ...teller.ofEvent(event) };
    return track;
  }

  /** A track that counts what the stretches come to together. */
  function* counter(
    under: Track,
    name: string,
    stretches: Iterable<Stretch>,
    unit = 'replicas',
  ): Generator<TraceItem> {
    const track = newTrack(under, name, unit);
    yield track;
    for (const { time, total } of runningTotal(stretches, start))
      yield { type: 'count', track: track.id, time, value: total };
  }
}

function amounts(spans: readonly Span[], of: 'replicas' | 'ready'): Stretch[] {
  return spans.map(({ from, to, [of]: amount = 0 }) => ({ from, to, amount }));
}
