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
describe('what Karmada took step by step', () => {
  const recorded = way('a 0, b 6, a 12, c 18, a 24, b 30');

  test('is so if simulations that start on the way take each next step, each in an order of its own', () => {
    const simulations = going(
      'a 0, b 6, a 12, b 18',
      'a 12, b 18',
      'a 12, c 19, a 25',
      'a 24, c 30',
      'a 24, b 30',
    );
    expect(isTakenStepByStep(recorded, END, simulations)).toBe(true);
  });

  test('is not if no simulation takes one of the steps', () => {
    const never = going('a 0, b 6, a 12, b 18', 'a 12, b 18', 'a 24, b 30');
    expect(isTakenStepByStep(recorded, END, never)).toBe(false);
  });

  test('is not if a step comes at another time', () => {
    const late = going('a 0, b 6, a 12, b 18', 'a 12, c 21, a 27', 'a 24, b 30');
    expect(isTakenStepByStep(recorded, END, late)).toBe(false);
  });

  test('is not if simulations continue from where it settled', () => {
    const goesOn = going('a 0, b 6, a 12, c 18, a 24, b 30, a 36', 'a 24, b 30, a 36', 'b 30, a 36');
    expect(isTakenStepByStep(recorded, END, goesOn)).toBe(false);
    expect(isTakenStepByStep(recorded, 37_000, goesOn)).toBe(true);
  });
});
