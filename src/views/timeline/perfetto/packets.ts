import { PbfWriter } from 'pbf';
import type { Note, Described, Track, TraceItem, TrackEvent } from './traceItems.ts';

// The field numbers are those of Perfetto's perfetto_trace.proto, one object per message.
const TRACE = { packet: 1 };
const PACKET = {
  clockSnapshot: 6,
  timestamp: 8,
  sequence: 10,
  event: 11,
  internedData: 12,
  sequenceFlags: 13,
  defaults: 59,
  track: 60,
};
const DEFAULTS = { timestampClock: 58 };
const CLOCK_SNAPSHOT = { clock: 1 };
const CLOCK = { id: 1, timestamp: 2, unitNanoseconds: 4 };
const TRACK = { id: 1, name: 2, parent: 5, counter: 8, childOrder: 11, rank: 12, merging: 15 };
const COUNTER = { unitName: 6, sharedAxis: 7 };
const EVENT = {
  category: 3,
  note: 4,
  type: 9,
  name: 10,
  track: 11,
  value: 30,
  flow: 47,
  endingFlow: 48,
};
const NOTE = { name: 1, boolean: 2, integer: 4, text: 17, item: 12 };
const INTERNED = { category: 1, name: 2, noteName: 3, text: 29 };
const INTERNED_ONE = { id: 1, text: 2 };

const TYPES = { begin: 1, end: 2, instant: 3, count: 4 };
const EXPLICIT_ORDER = 3;
const NEVER_MERGED = 2;
const STATE_CLEARED = 1;
const NEEDS_STATE = 2;
const [REALTIME, BOOTTIME] = [1, 6];
/** The clock of our timestamps: milliseconds since the start. It is defined only within our sequence, to which all packets belong. */
const OUR_CLOCK = 64;
const OUR_SEQUENCE = 1;

/** Strings stored once in a trace, and referred to by number. */
type Interned = keyof typeof INTERNED;

/** Writes the packets of a trace; each except the first may refer to earlier ones. */
interface Packets {
  write(item: TraceItem): void;
  /** how many bytes are ready */
  size(): number;
  take(): Uint8Array;
}

/** Begins with the packet that relates the clocks at one instant. @param start epoch milliseconds */
export function createPackets(start: number): Packets {
  let written = new PbfWriter();
  const numbers = new Map<string, number>();
  const lasts = { category: 0, name: 0, noteName: 0, text: 0 };
  let fresh: [kind: Interned, number: number, text: string][] = [];

  function numberOf(kind: Interned, text: string): number {
    const key = `${kind} ${text}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = ++lasts[kind];
    numbers.set(key, number);
    fresh.push([kind, number, text]);
    return number;
  }

  function packet(write: (into: PbfWriter) => void): void {
    written.writeMessage(
      TRACE.packet,
      (_, into) => {
        into.writeVarintField(PACKET.sequence, OUR_SEQUENCE);
        write(into);
      },
      undefined,
    );
  }

  packet((into) => {
    into.writeVarintField(PACKET.sequenceFlags, STATE_CLEARED);
    into.writeMessage(PACKET.clockSnapshot, writeClocks, start);
    into.writeMessage(
      PACKET.defaults,
      (clock: number, to) => to.writeVarintField(DEFAULTS.timestampClock, clock),
      OUR_CLOCK,
    );
  });

  return {
    size: () => written.pos,
    take() {
      const bytes = written.finish();
      written = new PbfWriter();
      return bytes;
    },
    write(item) {
      if (item.type === 'track') return packet((into) => into.writeMessage(PACKET.track, writeTrack, item));
      const described = 'name' in item ? numbered(item, numberOf) : undefined;
      packet((into) => {
        into.writeVarintField(PACKET.timestamp, Math.max(0, Math.round(item.time - start)));
        into.writeVarintField(PACKET.sequenceFlags, NEEDS_STATE);
        if (fresh.length > 0) into.writeMessage(PACKET.internedData, writeInterned, fresh);
        fresh = [];
        into.writeMessage(PACKET.event, writeEvent, { item, described });
      });
    },
  };
}

/**
 * The values of Perfetto's trace time (BOOTTIME), the time of day and our clock at one instant. Trace time starts at 0. The instant is a
 * whole second, which a double represents exactly in nanoseconds.
 */
function writeClocks(start: number, into: PbfWriter): void {
  const second = Math.ceil(start / 1000);
  const since = second * 1000 - start;
  const clocks = [
    { id: BOOTTIME, timestamp: since * 1e6, unit: 1 },
    { id: REALTIME, timestamp: second * 1e9, unit: 1 },
    { id: OUR_CLOCK, timestamp: since, unit: 1e6 },
  ];
  for (const clock of clocks)
    into.writeMessage(
      CLOCK_SNAPSHOT.clock,
      ({ id, timestamp, unit }, to) => {
        to.writeVarintField(CLOCK.id, id);
        to.writeVarintField(CLOCK.timestamp, timestamp);
        if (unit !== 1) to.writeVarintField(CLOCK.unitNanoseconds, unit);
      },
      clock,
    );
}

function writeTrack({ id, parent, name, rank, unit }: Track, into: PbfWriter): void {
  into.writeVarintField(TRACK.id, id);
  if (parent !== undefined) into.writeVarintField(TRACK.parent, parent);
  into.writeStringField(TRACK.name, name);
  into.writeVarintField(TRACK.rank, rank);
  into.writeVarintField(TRACK.merging, NEVER_MERGED);
  if (unit === undefined) return into.writeVarintField(TRACK.childOrder, EXPLICIT_ORDER);
  into.writeMessage(
    TRACK.counter,
    (of: string, to) => {
      to.writeStringField(COUNTER.unitName, of);
      to.writeStringField(COUNTER.sharedAxis, of);
    },
    unit,
  );
}

/** The content of an event, its strings as numbers. */
interface Numbered {
  name: number;
  category: number;
  notes: readonly (readonly [name: number, value: number | boolean | readonly number[] | { text: number }])[];
  flows: readonly number[];
  ends: readonly number[];
}

function numbered(
  { name, category, notes, flows = [], ends = [] }: Described,
  numberOf: (kind: Interned, text: string) => number,
): Numbered {
  const valueOf = (value: Note[1]) => {
    if (typeof value === 'string') return { text: numberOf('text', value) };
    return typeof value === 'object' ? value.map((text) => numberOf('text', text)) : value;
  };
  return {
    name: numberOf('name', name),
    category: numberOf('category', category),
    notes: notes.map(([of, value]) => [numberOf('noteName', of), valueOf(value)]),
    flows,
    ends,
  };
}

function writeEvent(
  { item, described }: { item: TrackEvent; described: Numbered | undefined },
  into: PbfWriter,
): void {
  into.writeVarintField(EVENT.type, TYPES[item.type]);
  into.writeVarintField(EVENT.track, item.track);
  if (item.type === 'count') into.writeVarintField(EVENT.value, item.value);
  if (!described) return;
  into.writeVarintField(EVENT.category, described.category);
  into.writeVarintField(EVENT.name, described.name);
  for (const note of described.notes) into.writeMessage(EVENT.note, writeNote, note);
  for (const flow of described.flows) into.writeFixed64Field(EVENT.flow, flow);
  for (const flow of described.ends) into.writeFixed64Field(EVENT.endingFlow, flow);
}

function writeNote([name, value]: Numbered['notes'][number], into: PbfWriter): void {
  into.writeVarintField(NOTE.name, name);
  if (typeof value === 'boolean') into.writeBooleanField(NOTE.boolean, value);
  else if (typeof value === 'number') into.writeVarintField(NOTE.integer, value);
  else if ('text' in value) into.writeVarintField(NOTE.text, value.text);
  else
    for (const text of value)
      into.writeMessage(NOTE.item, (one: number, to) => to.writeVarintField(NOTE.text, one), text);
}

function writeInterned(texts: readonly [Interned, number, string][], into: PbfWriter): void {
  for (const [kind, number, text] of texts)
    into.writeMessage(
      INTERNED[kind],
      (_, to) => {
        to.writeVarintField(INTERNED_ONE.id, number);
        to.writeStringField(INTERNED_ONE.text, text);
      },
      undefined,
    );
}
