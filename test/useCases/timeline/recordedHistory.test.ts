import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import type { Recording, RecordingGap } from '../../../src/state/recording/recording.ts';
import { silences } from '../../../src/state/recording/silences.ts';
import { doubtsOfRecording } from '../../../src/useCases/timeline/recordedHistory.ts';

const START = Date.parse('2026-09-01T10:00:00Z');
const HELD = new Set(['Cluster', 'ResourceBinding', 'Work', 'PropagationPolicy', 'Lease']);

const gap = (kind: string, from: number, to?: number, lost = true): RecordingGap => ({
  kind,
  from: START + from * 1000,
  lost,
  ...(to === undefined ? {} : { to: START + to * 1000 }),
});

function doubtsOf(gaps: RecordingGap[], kinds = HELD): string[] {
  const recording = { gaps, kinds, isTorn: false, to: START + 100_000, facts: {} } as unknown as Recording;
  return doubtsOfRecording(recording, START + 100_000).map(({ text, from = 0, to }) => {
    const clock = (time: number) => rfc3339(time).slice(14, 19);
    const short = text.replace(/2026-09-01T10:/g, '').replace(/(\d)Z/g, '$1');
    return `${clock(from)}-${to === undefined ? '' : clock(to)} ${short}`;
  });
}

describe('the report of an unreachable API server in a recording', () => {
  test('is one line, although its watches fail and recover one after the other', () => {
    const gaps = [
      gap('Lease', 16, 40),
      gap('PropagationPolicy', 0, 42),
      gap('Cluster', 9, 41, false),
      gap('Work', 10, 44),
      gap('ResourceBinding', 11, 45),
    ];
    expect(doubtsOf(gaps)).toEqual([
      '00:00-00:45 No updates were received from 00:16 to 00:40, of some kinds also before or after that: only the results of changes are known, except for Cluster: their changes have the time of their arrival.',
    ]);
  });

  test('has no end if the API server is unreachable at the end', () => {
    expect(doubtsOf([...HELD].map((kind) => gap(kind, 30)))).toEqual([
      '00:30- No updates were received: only the results of changes are known.',
    ]);
  });

  test('states the number of kinds if other kinds are still watched', () => {
    const gaps = ['Cluster', 'ResourceBinding', 'Work', 'Event'].map((kind) => gap(kind, 5, 9, false));
    expect(doubtsOf(gaps)).toEqual([
      '00:05-00:09 No updates were received of 4 kinds: changes have the time of their arrival.',
    ]);
  });

  test('states the number of kinds with lost changes if they are many', () => {
    const gaps = Array.from({ length: 9 }, (_, i) => gap(`Kind${i}`, 5, 9, i < 4));
    expect(doubtsOf(gaps)).toEqual([
      '00:05-00:09 No updates were received of 9 kinds: changes have the time of their arrival; of 4 kinds only the results of changes are known.',
    ]);
  });

  test('states that its kinds were never unreachable together', () => {
    expect(doubtsOf([gap('Cluster', 1, 5), gap('Work', 5, 9)])).toEqual([
      '00:01-00:09 No updates were received of Cluster, Work, of each kind for a part of this time: only the results of changes are known.',
    ]);
  });
});

test('the report lists a few kinds by name, and each separate gap in its own line', () => {
  expect(doubtsOf([gap('Work', 5, 9, false), gap('Event', 20, 30), gap('Event', 29, 40)])).toEqual([
    '00:05-00:09 No updates were received of Work: changes have the time of their arrival.',
    '00:20-00:40 No updates were received of Event, except for moments: only the results of changes are known.',
  ]);
});

test('the report covers exactly the gaps of its kinds, and a complete gap covers all kinds', () => {
  const anyGap = fc
    .tuple(
      fc.constantFrom('Cluster', 'Work', 'Lease'),
      fc.nat(40),
      fc.option(fc.integer({ min: 1, max: 15 })),
    )
    .map(([kind, from, length]) => gap(kind, from, length === null ? undefined : from + length));
  fc.assert(
    fc.property(fc.array(anyGap, { maxLength: 12 }), (gaps) => {
      const all = silences(gaps);
      const isIn = (at: number, { from, to = Infinity }: { from: number; to?: number }) =>
        from <= at && at < to;
      for (let second = 0.5; second < 60; second++) {
        const at = START + second * 1000;
        const silent = new Set(gaps.filter((one) => isIn(at, one)).map(({ kind }) => kind));
        const within = all.filter((one) => isIn(at, one));
        expect(within).toHaveLength(silent.size > 0 ? 1 : 0);
        for (const kind of silent) expect(within[0]!.kinds).toContain(kind);
        for (const { kinds, whole } of within)
          if (whole && isIn(at, whole)) expect([...silent].sort()).toEqual(kinds);
      }
    }),
  );
});
