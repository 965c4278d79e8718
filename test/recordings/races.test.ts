import { describe, expect, test } from '@jest/globals';
import { goesRoundAndRound, OF_ORDER, raceOf, turnsAlike } from './races.ts';

import type { Recording } from './recording.ts';
import type { PlacementStep } from './replay.ts';
import { waitsForAnnouncedRetry, waitsForRetry, type WorkStep } from './workSteps.ts';

/** Evicted from one cluster after another, each time after this many seconds there; back at once. */
function round(...seconds: number[]): PlacementStep[] {
  let time = 0;
  const steps: PlacementStep[] = [{ time, placement: 'a×1 | evicting -' }];
  seconds.forEach((there, i) => {
    const [from, to] = i % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    steps.push({ time: (time += there * 1000), placement: `- | evicting ${from}` });
    steps.push({ time: (time += 100), placement: `${to}×1 | evicting -` });
  });
  return steps;
}

describe('a Work in deletion at the start', () => {
  const step = (seconds: number, what: WorkStep['what']): WorkStep => ({ time: seconds * 1000, what });
  const simulated = [step(80, 'removed'), step(95, 'created')];

  test('is excused if its retry comes no later than exponential back-off allows', () => {
    expect(waitsForRetry({ recorded: [step(81, 'removed')], simulated }, 0, 150_000)).toBe(true);
    expect(waitsForRetry({ recorded: [step(81, 'removed')], simulated }, 0, 170_000)).toBe(false);
  });

  test('is a difference if its steps differ, or if it takes no step or every simulated step', () => {
    expect(waitsForRetry({ recorded: [step(81, 'created')], simulated }, 0, 100_000)).toBe(false);
    expect(waitsForRetry({ recorded: [], simulated }, 0, 100_000)).toBe(false);
    expect(waitsForRetry({ recorded: simulated, simulated }, 0, 100_000)).toBe(false);
  });
});

describe('a binding that moves in cycles', () => {
  test('returns to the same placement at least three times', () => {
    expect(goesRoundAndRound(round(6, 8, 6, 8, 6))).toBe(true);
    expect(goesRoundAndRound(round(6, 8))).toBe(false);
  });

  const simulated = round(6, 8, 6, 7, 6);

  test('is excused if each of its moves is in a simulation, after a similar time', () => {
    expect(turnsAlike(round(7, 7, 7, 7, 8, 6), [simulated])).toBe(true);
    expect(turnsAlike(round(7, 7, 7, 7, 20, 6), [simulated, round(6, 7, 20)])).toBe(true);
  });

  test('is a difference if one of its moves is in no simulation', () => {
    const elsewhere = [...round(6, 7, 6, 7, 6, 7), { time: 90_000, placement: 'c×1 | evicting -' }];
    expect(turnsAlike(elsewhere, [simulated])).toBe(false);
  });

  test('is a difference if a move comes much earlier or later', () => {
    expect(turnsAlike(round(6, 8, 6, 7, 15, 7), [simulated])).toBe(false);
    expect(turnsAlike(round(6, 8, 6, 7, 1, 7), [simulated])).toBe(false);
  });

  test('is a difference if a move is more frequent than in any simulation', () => {
    const back: PlacementStep[] = [
      { time: 0, placement: 'a×1 | evicting -' },
      { time: 5000, placement: '- | evicting a' },
      { time: 6000, placement: 'a×1 | evicting -' },
    ];
    const onAndOff = (...rounds: ('back' | 'away')[]) => {
      let time = 0;
      return rounds.flatMap((which) => {
        const steps = (which === 'back' ? back : round(6, 8))
          .slice(1)
          .map((step) => ({ ...step, time: time + step.time }));
        time = steps.at(-1)!.time;
        return steps;
      });
    };
    const simulations = [onAndOff('back', 'away', 'back', 'away', 'back', 'away')];
    expect(turnsAlike(onAndOff('away', 'back', 'away', 'back', 'away', 'back'), simulations)).toBe(true);
    expect(turnsAlike(onAndOff('back', 'back', 'back', 'back', 'back', 'back'), simulations)).toBe(false);
  });

  test('is a difference if it does not cycle, in reality or in the simulations', () => {
    expect(turnsAlike(round(6, 8), [simulated])).toBe(false);
    expect(turnsAlike(round(6, 8, 6, 8, 6, 8), [[{ time: 0, placement: 'a×1 | evicting -' }]])).toBe(false);
  });
});

describe('a difference', () => {
  const until = 120_000;
  const recording = {
    name: 'r',
    before: [],
    changes: [],
    scenario: { assume: {} },
    until,
  } as unknown as Recording;
  const race = (recorded: PlacementStep[], simulated: PlacementStep[]) =>
    raceOf({ binding: 'shop/web', recorded, simulated }, { recording, at: 0, leftBehind: new Map() });
  const [on, off, away]: PlacementStep['placement'][] = [
    'a×1 | evicting -',
    '- | evicting a',
    'b×1 | evicting a',
  ];
  const steps = (...all: [seconds: number, placement: string | undefined][]) =>
    all.map(([seconds, placement]) => ({ time: seconds * 1000, placement: placement! }));

  test('is excused if an intermediate placement lasted for a moment', () => {
    expect(race(steps([0, on], [5, off], [5.1, away]), steps([0, on], [5, away]))).toMatch(
      'less than a second',
    );
  });

  test('counts if only one side has an eviction, however soon it returns', () => {
    expect(race(steps([0, on]), steps([0, on], [50, off], [50.1, on]))).toBeUndefined();
  });

  const cycle = (rounds: number) =>
    steps(
      [0, on],
      ...Array.from({ length: rounds }, (_, i): [number, string] => [1 + i, i % 2 ? on! : off!]),
    );
  const slow = (length: number, seconds = 10) =>
    cycle(length).map((step) => ({ ...step, time: step.time * seconds }));

  test('is excused if one side has an additional round before the end', () => {
    expect(race(slow(10, 11), slow(12))).toMatch('goes round');
  });

  test('counts if one side cycles and the other settles', () => {
    expect(race(slow(5), slow(11))).toBeUndefined();
    expect(race(slow(3), slow(5))).toBeUndefined();
  });

  describe('due to facts that Karmada does not have at the start', () => {
    const binding = {
      kind: 'ResourceBinding',
      metadata: { namespace: 'shop', name: 'web' },
      spec: { resource: { kind: 'Deployment', namespace: 'shop', name: 'web' } },
      status: { aggregatedStatus: [{ clusterName: 'a', health: 'Healthy' }] },
    };
    const cluster = (status: string, lastTransitionTime: string) => ({
      kind: 'Cluster',
      metadata: { name: 'a' },
      status: { conditions: [{ type: 'Ready', status, lastTransitionTime }] },
    });
    const at = Date.parse('2026-03-14T10:00:00Z');
    const raceOn = (rest: object) =>
      raceOf(
        {
          binding: 'shop/web',
          recorded: [{ time: at, placement: on! }],
          simulated: [
            { time: at, placement: on! },
            { time: at + 20_000, placement: off! },
          ],
        },
        {
          recording: {
            name: 'r',
            start: at - 60_000,
            until: at + 120_000,
            changes: [],
            scenario: { assume: {}, events: [] },
            ...rest,
          } as unknown as Recording,
          at,
          leftBehind: new Map(),
        },
      );
    const turns = (health: string) => ({
      scenario: {
        assume: {},
        events: [
          {
            at: { after: 5000 },
            action: { type: 'health', workload: binding.spec.resource, cluster: 'a', health },
          },
        ],
      },
    });

    test('is excused if the health of an unreachable member has changed since its report', () => {
      const down = [binding, cluster('False', '2026-03-14T09:59:00Z')];
      expect(raceOn({ before: down, ...turns('Unhealthy') })).toMatch('could not be reached');
      expect(raceOn({ before: down, ...turns('Healthy') })).toBeUndefined();
      const up = [binding, cluster('True', '2026-03-14T09:59:00Z')];
      expect(raceOn({ before: up, ...turns('Unhealthy') })).toBeUndefined();
    });

    test('is excused if Karmada uses an old list of a member that has just recovered', () => {
      const refused = {
        kind: 'Work',
        metadata: {
          namespace: 'karmada-es-a',
          name: 'web',
          annotations: {
            'resourcebinding.karmada.io/namespace': 'shop',
            'resourcebinding.karmada.io/name': 'web',
          },
        },
        status: {
          conditions: [{ type: 'Applied', status: 'False', message: 'deployments.apps "web" not found' }],
        },
      };
      const back = cluster('True', '2026-03-14T09:59:50Z');
      expect(raceOn({ before: [binding, refused, back] })).toMatch('old list');
      expect(raceOn({ before: [binding, back] })).toBeUndefined();
      expect(raceOn({ before: [binding, refused, cluster('True', '2026-03-14T09:00:00Z')] })).toBeUndefined();
      const applied = { ...refused, status: { conditions: [{ type: 'Applied', status: 'True' }] } };
      const change = { time: at + 1000, resource: 'works', type: 'MODIFIED', object: applied };
      expect(raceOn({ before: [binding, refused, back], changes: [change] })).toBeUndefined();
    });
  });
});

describe('a Work whose unknown retry time was announced', () => {
  const at = (...whats: ('created' | 'removed')[]) => whats.map((what, i) => ({ time: i * 1000, what }));
  const announced =
    'when the Work on m1 is recreated: the old one is being deleted, and its retry time is unknown';

  test('is excused if one side is a step ahead', () => {
    const one = { key: 'shop/web → m1', recorded: at('removed'), simulated: at('removed', 'created') };
    const other = { ...one, recorded: one.simulated, simulated: one.recorded };
    expect([one, other].map((each) => waitsForAnnouncedRetry(each, [announced]))).toEqual([true, true]);
  });

  test('counts if its steps differ, on another cluster, or without an announcement', () => {
    const further = { recorded: at('removed'), simulated: at('removed', 'created') };
    const otherwise = { key: 'shop/web → m1', recorded: at('created'), simulated: at('removed', 'created') };
    expect(waitsForAnnouncedRetry(otherwise, [announced])).toBe(false);
    expect(waitsForAnnouncedRetry({ key: 'shop/web → m2', ...further }, [announced])).toBe(false);
    expect(waitsForAnnouncedRetry({ key: 'shop/web → m1', ...further }, [])).toBe(false);
  });
});

test('the messages of the engine about the processing order are recognized', () => {
  const said = [
    'the processing order, which Karmada does not guarantee: another order gives other steps for this workload',
    'the order of the eviction queue, which Karmada does not guarantee',
    'when Karmada relists m1, which returned earlier: up to two minutes later',
  ];
  expect(said.map((what) => OF_ORDER.test(what))).toEqual([true, true, true]);
  expect(OF_ORDER.test('reported capacity, followed from the capture')).toBe(false);
});
