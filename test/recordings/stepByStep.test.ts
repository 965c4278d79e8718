import { describe, expect, test } from '@jest/globals';
import type { PlacementStep } from './replay.ts';
import { isTakenStepByStep } from './stepByStep.ts';

/** "a 0, b 6" is at a, and after six seconds at b. */
const way = (text: string): PlacementStep[] =>
  text.split(', ').map((part) => {
    const [placement = '', seconds] = part.split(' ');
    return { time: Number(seconds) * 1000, placement };
  });

/** Simulations that go these ways if they start at an instant, wherever that is on the way. */
const going =
  (...ways: string[]) =>
  (start: number, until: number) =>
    ways
      .map(way)
      .filter(([first]) => first!.time === start)
      .map((steps) => steps.filter(({ time }) => time <= until));

const END = 60_000;

// a cycle in which a race decides in each round whether b or c follows a
describe('the step-by-step comparison of recorded steps', () => {
  const recorded = way('a 0, b 6, a 12, c 18, a 24, b 30');

  test('accepts them if each next step is in some simulation from an earlier moment', () => {
    const simulations = going(
      'a 0, b 6, a 12, b 18',
      'a 12, b 18',
      'a 12, c 19, a 25',
      'a 24, c 30',
      'a 24, b 30',
    );
    expect(isTakenStepByStep(recorded, END, simulations)).toBe(true);
  });

  test('rejects them if one step is in no simulation', () => {
    const never = going('a 0, b 6, a 12, b 18', 'a 12, b 18', 'a 24, b 30');
    expect(isTakenStepByStep(recorded, END, never)).toBe(false);
  });

  test('rejects them if a step comes at another time', () => {
    const late = going('a 0, b 6, a 12, b 18', 'a 12, c 21, a 27', 'a 24, b 30');
    expect(isTakenStepByStep(recorded, END, late)).toBe(false);
  });

  test('rejects them if simulations continue after the recorded workload settles', () => {
    const goesOn = going('a 0, b 6, a 12, c 18, a 24, b 30, a 36', 'a 24, b 30, a 36', 'b 30, a 36');
    expect(isTakenStepByStep(recorded, END, goesOn)).toBe(false);
    expect(isTakenStepByStep(recorded, 37_000, goesOn)).toBe(true);
  });
});
