import { describe, expect, test } from '@jest/globals';
import { turnsAlike } from './races.ts';
import type { Step } from './replay.ts';

/** Evicted from one cluster after the other, each time after so many seconds there; back at once. */
function round(...seconds: number[]): Step[] {
  let time = 0;
  const steps: Step[] = [{ time, placement: 'a×1 | evicting -' }];
  seconds.forEach((there, i) => {
    const [from, to] = i % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    steps.push({ time: (time += there * 1000), placement: `- | evicting ${from}` });
    steps.push({ time: (time += 100), placement: `${to}×1 | evicting -` });
  });
  return steps;
}

describe('what goes round and round', () => {
  const simulated = round(6, 8, 6, 7, 6);

  test('is excused if each of its turns is one of the simulations, after about as long', () => {
    expect(turnsAlike(round(7, 7, 7, 7, 8, 6), [simulated])).toBe(true);
    expect(turnsAlike(round(7, 7, 7, 7, 20, 6), [simulated, round(6, 7, 20)])).toBe(true);
  });

  test('is a difference if it takes a turn that no simulation takes', () => {
    const elsewhere = [...round(6, 7, 6, 7, 6, 7), { time: 90_000, placement: 'c×1 | evicting -' }];
    expect(turnsAlike(elsewhere, [simulated])).toBe(false);
  });

  test('is a difference if it takes a turn much sooner or later', () => {
    expect(turnsAlike(round(6, 8, 6, 7, 15, 7), [simulated])).toBe(false);
    expect(turnsAlike(round(6, 8, 6, 7, 1, 7), [simulated])).toBe(false);
  });

  test('is a difference if it does not go round, really or in the simulations', () => {
    expect(turnsAlike(round(6, 8), [simulated])).toBe(false);
    expect(turnsAlike(round(6, 8, 6, 8, 6, 8), [[{ time: 0, placement: 'a×1 | evicting -' }]])).toBe(false);
  });
});
