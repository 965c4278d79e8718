/** What a trace is made of. Times are epoch milliseconds; all texts are presentable. */
export type TraceItem = Track | TrackEvent;

/** A line of the trace, or a group of lines. */
export interface Track {
  type: 'track';
  id: number;
  /** the track that it stands under */
  parent?: number;
  name: string;
  /** its place among those beside it */
  rank: number;
  /** it counts something: "replicas" */
  unit?: string;
}

/** Something on a track: what goes on from a time to another, what happens at once, or a number from a time on. */
export type TrackEvent = { track: number; time: number } & (
  ({ type: 'begin' | 'instant' } & Told) | { type: 'end' } | { type: 'count'; value: number }
);

export interface Told {
  name: string;
  category: string;
  notes: readonly Note[];
  /** the flows that begin with it, and those that it ends, by their numbers */
  flows?: readonly number[];
  ends?: readonly number[];
}

/** What is known about an event besides. */
export type Note = readonly [name: string, value: string | number | boolean | readonly string[]];
