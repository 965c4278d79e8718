import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Phase, Span } from '../../../../src/simulator/timeline/span.ts';
import { type Traced, perfettoTrace, replacements } from '../../../../src/views/timeline/perfetto/trace.ts';
import { cart, cartSpan } from '../../../fixtures/cartSpan.ts';
import { clocksOf, decodedPackets, shownEvents } from '../../../fixtures/perfettoTrace.ts';

const START = Date.parse('2026-09-01T09:30:00.250Z');
const evidence = [{ rule: 'no toleration for the taint', field: 'spec.taints[0]', value: 'x' }];
const span = cartSpan(START);
const traced: Traced = {
  title: 'east-1 fails',
  start: START,
  end: START + 10_000,
  spans: [
    span({ phase: 'gap', from: START + 1000, to: START + 3000, replicas: 2 }),
    span({ cluster: 'east-1', to: START + 1000, replicas: 2, ready: 2 }),
    span({
      cluster: 'east-1',
      phase: 'evicting',
      from: START + 1000,
      to: START + 3000,
      replicas: 2,
      ready: 0,
      evidence,
    }),
    span({
      cluster: 'east-2',
      phase: 'starting',
      from: START + 1500,
      to: START + 3000,
      replicas: 2,
      ready: 0,
    }),
    span({ cluster: 'east-2', from: START + 3000, replicas: 2, ready: 2, certainty: 'estimate' }),
  ],
  events: [
    {
      time: START + 500,
      controller: 'cluster-controller',
      type: 'TaintAdded',
      message: 'a:NoExecute',
      object: { kind: 'Cluster', name: 'east-1' },
    },
    {
      time: START + 1000,
      controller: 'taint-manager',
      type: 'Evicted',
      cluster: 'east-1',
      object: { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' },
      evidence,
    },
    {
      time: START + 1200,
      controller: 'scenario',
      type: 'ObjectApplied',
      object: { kind: 'PropagationPolicy', namespace: 'shop', name: 'all' },
    },
  ],
  capacity: new Map([['east-2', 110]]),
};

const bytesOf = (input: Traced) => Buffer.concat([...perfettoTrace(input)]);
const eventsOf = (input: Traced) => shownEvents(decodedPackets(bytesOf(input)));
const seconds = (nanoseconds: bigint) => Number(nanoseconds) / 1e9;

describe('a Perfetto trace', () => {
  const events = eventsOf(traced);

  test('has a slice for each span, on a track for each cluster below its workload', () => {
    const slices = events.filter(({ type }) => type === 'slice');
    expect(slices.map(({ track, name, at, lasts }) => [track, name, seconds(at), seconds(lasts!)])).toEqual([
      ['east-1 fails/Workloads/Deployment shop/cart/replicas down', 'replicas down', 1, 2],
      ['east-1 fails/Workloads/Deployment shop/cart/east-1', 'ready', 0, 1],
      ['east-1 fails/Workloads/Deployment shop/cart/east-1', 'evicting', 1, 2],
      ['east-1 fails/Workloads/Deployment shop/cart/east-2', 'starting', 1.5, 1.5],
      ['east-1 fails/Workloads/Deployment shop/cart/east-2', 'ready', 3, 7],
    ]);
    expect(slices.map(({ category }) => category)).toEqual(['workload', 'copy', 'copy', 'copy', 'copy']);
  });

  test('annotates slices with numbers, certainty and evidence, and marks unfinished ones', () => {
    const notes = events.filter(({ type }) => type === 'slice').map((one) => one.notes);
    expect(notes[0]).toEqual({ missing: 2, certainty: 'certain' });
    expect(notes[2]).toEqual({
      replicas: 2,
      ready: 0,
      certainty: 'certain',
      why: ['no toleration for the taint [spec.taints[0]: x]'],
    });
    expect(notes[4]).toEqual({ replicas: 2, ready: 2, certainty: 'estimate', 'continues at the end': true });
  });

  test('has events as instants on clusters, workloads, and other objects', () => {
    const instants = events.filter(({ type }) => type === 'instant');
    expect(instants.map(({ track, name, category, at }) => [track, name, category, seconds(at)])).toEqual([
      ['east-1 fails/Clusters/east-1', 'TaintAdded', 'cluster-controller', 0.5],
      ['east-1 fails/Workloads/Deployment shop/cart', 'Evicted', 'taint-manager', 1],
      ['east-1 fails/Other objects', 'ObjectApplied', 'scenario', 1.2],
    ]);
    expect(instants[1]!.notes).toEqual({
      object: 'ResourceBinding shop/cart-deployment',
      what: 'evicted from east-1',
      why: ['no toleration for the taint [spec.taints[0]: x]'],
    });
  });

  test('counts missing replicas, placed and ready replicas per cluster, and capacity', () => {
    const counted = new Map<string, string[]>();
    for (const { type, track, at, value } of events)
      if (type === 'count') counted.set(track, [...(counted.get(track) ?? []), `${value} at ${seconds(at)}`]);
    expect(Object.fromEntries(counted)).toEqual({
      'east-1 fails/replicas missing': ['0 at 0', '2 at 1', '0 at 3'],
      'east-1 fails/Clusters/east-1/replicas placed': ['2 at 0', '0 at 1'],
      'east-1 fails/Clusters/east-1/replicas ready': ['2 at 0', '0 at 1'],
      'east-1 fails/Clusters/east-2/replicas placed': ['0 at 0', '2 at 1.5'],
      'east-1 fails/Clusters/east-2/replicas ready': ['0 at 0', '2 at 3'],
      'east-1 fails/Clusters/east-2/capacity for pods': ['110 at 0'],
    });
  });

  test('links the eviction of an old copy to its replacement', () => {
    const [from] = events.filter(({ flows }) => flows.length > 0);
    const to = events.find(({ ends }) => ends.includes(from!.flows[0]!))!;
    expect([from!.name, from!.track]).toEqual(['evicting', expect.stringMatching(/east-1$/)]);
    expect([to.name, to.track]).toEqual(['starting', expect.stringMatching(/east-2$/)]);
  });

  test('starts at trace time 0, and maps it to the time of day in nanoseconds', () => {
    const [first] = decodedPackets(bytesOf(traced));
    const [traceTime, realTime] = [6n, 1n].map((id) => clocksOf(first!).find((one) => one.id === id)!);
    expect(realTime!.nanoseconds - traceTime!.nanoseconds).toBe(BigInt(START) * 1_000_000n);
    expect(first!['sequence_flags']).toEqual([1n]);
  });

  test('keeps our order of tracks, and merges no tracks', () => {
    const tracks = decodedPackets(bytesOf(traced)).flatMap((packet) => packet['track_descriptor'] ?? []);
    for (const track of tracks) expect(track).toMatchObject({ sibling_merge_behavior: [2n] });
    expect(tracks.filter((track) => typeof track === 'object' && !track['counter'])).toEqual(
      tracks.filter((track) => typeof track === 'object' && track['child_ordering']?.[0] === 3n),
    );
  });

  test('is split into chunks of whole packets', () => {
    const many = Array.from({ length: 3000 }, (_, i) =>
      span({ workload: { ...cart, name: `w${i}` }, cluster: 'east-1', replicas: i, ready: i }),
    );
    const pieces = [...perfettoTrace({ ...traced, spans: many })];
    expect(pieces.length).toBeGreaterThan(1);
    const packets = pieces.flatMap((piece) => decodedPackets(piece));
    expect(shownEvents(packets).filter(({ type }) => type === 'slice')).toHaveLength(3000);
  });

  test('accepts names of any length, and escapes control characters', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('</script>', '\u202egnp', 'a\u0000b\n', '\ud800', 'long'.repeat(5000), ''),
    );
    fc.assert(
      fc.property(names, names, fc.nat(1e9), (name, cluster, replicas) => {
        const one = span({ workload: { kind: name, name }, cluster, replicas, ready: 0 });
        const [slice] = eventsOf({ ...traced, title: name, spans: [one] }).filter(
          ({ type }) => type === 'slice',
        );
        expect(slice!.notes).toMatchObject({ replicas });
        expect(slice!.track).not.toMatch(/[\p{Cc}\u202e]/u);
      }),
      { numRuns: 200 },
    );
  });
});

const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };

/** The lanes of a workload as "ready 0-5, evicting 5-9"; without a second time: it continues. *3 means 3 desired replicas. */
function linked(lanes: Record<string, string>): string[] {
  const spans = Object.entries(lanes).flatMap(([cluster, text]) =>
    text.split(', ').map((one): Span => {
      const [, phase, from, to, replicas = '1'] = /^(\w+) (\d+)-(\d*)(?:\*(\d+))?$/.exec(one)!;
      return {
        workload,
        cluster,
        phase: phase as Phase,
        from: Number(from),
        replicas: Number(replicas),
        ...(to !== '' && { to: Number(to) }),
        certainty: 'certain',
        evidence: [],
      };
    }),
  );
  const name = ({ cluster, phase, from }: Span) => `${cluster} ${phase} ${from}`;
  return replacements(spans, 0).map(({ old, copy }) => `${name(old)} > ${name(copy)}`);
}

test('a copy that is placed after an eviction is the replacement of the old copy', () => {
  expect(linked({ a: 'ready 0-5, evicting 5-9', b: 'starting 6-8, ready 8-' })).toEqual([
    'a evicting 5 > b starting 6',
  ]);
});

test('given a copy that is purged at once, its last span is linked to the replacement', () => {
  expect(linked({ a: 'tolerating 0-5', b: 'starting 5-' })).toEqual(['a tolerating 0 > b starting 5']);
});

test('copies that are placed at the same time share the evictions before it; added replicas count as placed', () => {
  expect(
    linked({
      a: 'ready 0-5, evicting 5-',
      b: 'ready 0-6, leaving 6-',
      c: 'starting 7-',
      d: 'ready 0-7, starting 7-*2',
    }),
  ).toEqual([
    'a evicting 5 > c starting 7',
    'b leaving 6 > c starting 7',
    'a evicting 5 > d starting 7',
    'b leaving 6 > d starting 7',
  ]);
});

test('a later placement replaces only copies evicted after the previous placement', () => {
  expect(linked({ a: 'ready 0-5, leaving 5-', b: 'ready 6-8, leaving 8-', c: 'ready 9-' })).toEqual([
    'a leaving 5 > b ready 6',
    'b leaving 8 > c ready 9',
  ]);
});

test('an eviction that is in progress at the start is linked; initial copies and health changes are not replacements', () => {
  expect(linked({ a: 'evicting 0-9', b: 'starting 2-' })).toEqual(['a evicting 0 > b starting 2']);
  expect(linked({ a: 'ready 0-5, unreachable 5-', b: 'starting 0-3, ready 3-' })).toEqual([]);
  expect(linked({ a: 'ready 0-', b: 'starting 4-' })).toEqual([]);
});
