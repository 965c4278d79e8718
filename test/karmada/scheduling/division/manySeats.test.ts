import { describe, expect, test } from '@jest/globals';
import { divideByWebster } from '../../../../src/karmada/scheduling/division/webster.ts';

/** Each replica individually, as Karmada does it. */
function oneByOne(
  replicas: number,
  votes: readonly number[],
  later: boolean,
  start: readonly number[],
): number[] {
  const seats = [...start];
  const quotient = (party: number) => votes[party]! / ((2 * seats[party]! + 1) | 0);
  for (let seat = 0; seat < replicas; seat++) {
    let best = 0;
    for (let party = 1; party < votes.length; party++) {
      const [a, b] = [quotient(party), quotient(best)];
      const goesFirst = a !== b ? a > b : seats[party] !== seats[best] ? seats[party]! < seats[best]! : later;
      if (goesFirst) best = party;
    }
    seats[best] = (seats[best]! + 1) | 0;
  }
  return seats;
}

const LARGEST = 2 ** 31 - 1;

function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('the Webster division of many replicas', () => {
  test('equals the division of single replicas, from any start and for any votes', () => {
    const random = chance(27);
    const pick = <T>(...of: T[]): T => of[Math.floor(random() * of.length)]!;
    for (let round = 0; round < 150; round++) {
      const parties = 1 + Math.floor(random() * 3);
      const votes = Array.from({ length: parties }, () =>
        pick(0, -1, 1, 7, Math.floor(random() * 1000), LARGEST, -Math.floor(random() * 1000)),
      );
      const replicas = 3001 + Math.floor(random() * 3000);
      const start = votes.map(() =>
        pick(
          ...[0, 0, 3, -1, Math.floor(random() * 5000), 2 ** 30 - Math.floor(random() * 4000)],
          ...[LARGEST, LARGEST - 700, LARGEST - 7000, -(2 ** 31), -(2 ** 30) - 900, -700],
        ),
      );
      const later = random() < 0.5;
      expect([votes, start, divideByWebster(replicas, votes, later, start)]).toEqual([
        votes,
        start,
        oneByOne(replicas, votes, later, start),
      ]);
    }
  });

  test.each([
    [[1], [LARGEST]],
    [[0], [LARGEST]],
    [[-1], [LARGEST]],
    [
      [0, 0],
      [2 ** 30, LARGEST - 2 ** 30],
    ],
    // the first one overflows, and the second one gets the rest
    [
      [LARGEST, 1],
      [2 ** 30, LARGEST - 2 ** 30],
    ],
    [
      [3, 1, 0],
      [2 ** 30, LARGEST - 2 ** 30, 0],
    ],
  ])('with votes of %j supports the largest int32', (votes, shares) => {
    const seats = divideByWebster(LARGEST, votes, false);
    expect(seats.reduce((sum, number) => sum + number, 0)).toBe(LARGEST);
    expect(seats).toEqual(shares);
  });

  test('wraps around at the end of int32', () => {
    const votes = [1, -1, 1, 7];
    // the second one leads until its seats restart
    const seats = divideByWebster(2 ** 30, votes, false, [-1, LARGEST, 0, 0]);
    expect(seats.reduce((sum, number) => (sum + number) | 0, 0)).toBe((2 ** 30 - 1 + LARGEST) | 0);
    expect(seats[1]).toBe(-(2 ** 31));
  });

  test('adds almost the largest int32 to a few existing replicas', () => {
    expect(divideByWebster(LARGEST - 3, [1, 1], false, [2, 1])).toEqual([2 ** 30, LARGEST - 2 ** 30]);
  });
});
