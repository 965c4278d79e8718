import { EVENTS } from '../live/events.ts';
import { STATE_KINDS } from '../live/stateKinds.ts';
import type { RecordingGap } from './recordingParts.ts';

/** A period of silence: overlapping gaps, as when an API server is down. Times are epoch milliseconds. */
export interface Silence {
  /** when the first kind fell silent */
  from: number;
  /** when the last one responded again; absent: not before the end */
  to?: number;
  /** the kinds that were silent, for all of this time or part of it */
  kinds: string[];
  /** kinds whose changes are known only by their results */
  lost: string[];
  /** the longest period in which all of these kinds were silent, if any */
  whole?: { from: number; to?: number };
}

/** Merges gaps that overlap or touch into silences, in time order. */
export function silences(gaps: readonly RecordingGap[]): Silence[] {
  const found: { gaps: [RecordingGap, ...RecordingGap[]]; to: number }[] = [];
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    const { to = Infinity } = gap;
    if (last && gap.from <= last.to) {
      last.gaps.push(gap);
      last.to = Math.max(last.to, to);
    } else found.push({ gaps: [gap], to });
  }
  return found.map(({ gaps: own, to }) => {
    const kinds = [...new Set(own.map(({ kind }) => kind))].sort();
    const lost = new Set(own.flatMap((gap) => (gap.lost ? [gap.kind] : [])));
    const whole = wholeSilence(own, kinds.length);
    return {
      from: own[0].from,
      kinds,
      lost: kinds.filter((kind) => lost.has(kind)),
      ...(to === Infinity ? {} : { to }),
      ...(whole ? { whole } : {}),
    };
  });
}

/** The longest period in which this many kinds are silent at once. */
function wholeSilence(gaps: readonly RecordingGap[], count: number): Silence['whole'] {
  const turns = gaps
    .flatMap(({ kind, from, to = Infinity }) => [
      { at: from, kind, by: 1 },
      { at: to, kind, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  const silent = new Map<string, number>();
  let longest: { from: number; to: number } | undefined;
  let since: number | undefined;
  for (const { at, kind, by } of turns) {
    if (
      since !== undefined &&
      silent.size === count &&
      at - since > (longest ? longest.to - longest.from : 0)
    )
      longest = { from: since, to: at };
    const now = (silent.get(kind) ?? 0) + by;
    if (now === 0) silent.delete(kind);
    else silent.set(kind, now);
    since = silent.size === count ? (by > 0 && now > 1 ? since : at) : undefined;
  }
  return longest && { from: longest.from, ...(longest.to === Infinity ? {} : { to: longest.to }) };
}

/** Up to this many kinds are named; more are counted. */
const FEW_KINDS = 3;

/** " of Cluster, Work", " of 7 kinds", or nothing if these are all kinds in the recording (`held`). */
export function ofKinds(kinds: readonly string[], held: ReadonlySet<string>): string {
  const silent = new Set(kinds);
  const heard = [...STATE_KINDS, EVENTS].some(({ kind }) => held.has(kind) && !silent.has(kind));
  if (!heard) return '';
  return ` of ${kindsText(kinds)}`;
}

/** "Cluster, Work", "7 kinds" */
export function kindsText(kinds: readonly string[]): string {
  return kinds.length > FEW_KINDS ? `${kinds.length} kinds` : kinds.join(', ');
}
