import { expect, test } from '@jest/globals';
import type { Phase, Span } from '../../../../src/simulator/timeline/span.ts';
import { replacements } from '../../../../src/views/timeline/perfetto/replacements.ts';

const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };

/** The lanes of a workload as "ready 0-5, evicting 5-9"; no second time: it goes on. With *3 it is to have 3 replicas. */
function linked(lanes: Record<string, string>): string[] {
  const spans = Object.entries(lanes).flatMap(([cluster, text]) =>
    text.split(', ').map((one): Span => {
      const [, phase, from, to, replicas = '1'] = /^(\w+) (\d+)-(\d*)(?:\*(\d+))?$/.exec(one)!;
      return {
        ...{ workload, cluster, phase: phase as Phase, from: Number(from), replicas: Number(replicas) },
        ...(to !== '' && { to: Number(to) }),
        ...{ certainty: 'certain', evidence: [] },
      };
    }),
  );
  const name = ({ cluster, phase, from }: Span) => `${cluster} ${phase} ${from}`;
  return replacements(spans, 0).map(({ old, copy }) => `${name(old)} > ${name(copy)}`);
}

test('a copy that is placed after an eviction takes the place of the old one', () => {
  expect(linked({ a: 'ready 0-5, evicting 5-9', b: 'starting 6-8, ready 8-' })).toEqual([
    'a evicting 5 > b starting 6',
  ]);
});

test('a copy that is purged at once has no span of its eviction: its last one is linked', () => {
  expect(linked({ a: 'tolerating 0-5', b: 'starting 5-' })).toEqual(['a tolerating 0 > b starting 5']);
});

test('copies that are placed at one instant share the evictions before it; more replicas count as placed', () => {
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

test('a later placement answers only what came after the one before', () => {
  expect(linked({ a: 'ready 0-5, leaving 5-', b: 'ready 6-8, leaving 8-', c: 'ready 9-' })).toEqual([
    'a leaving 5 > b ready 6',
    'b leaving 8 > c ready 9',
  ]);
});

test('an eviction under way at the start is answered, too; copies of the start, and health, replace nothing', () => {
  expect(linked({ a: 'evicting 0-9', b: 'starting 2-' })).toEqual(['a evicting 0 > b starting 2']);
  expect(linked({ a: 'ready 0-5, unreachable 5-', b: 'starting 0-3, ready 3-' })).toEqual([]);
  expect(linked({ a: 'ready 0-', b: 'starting 4-' })).toEqual([]);
});
