import { expect, test } from '@jest/globals';
import { compareCosts, costOfLoss } from '../../../src/analysis/explanation/costOfLoss.ts';
import type { Outcome, ReplicaGap, WorkloadOutcome } from '../../../src/simulator/verdicts/outcome.ts';

const fares = (outcome: Outcome, gap?: ReplicaGap) =>
  ({ outcome, ...(gap ? { gap } : {}) }) as unknown as WorkloadOutcome;

test('what is lost, blocked and moved is counted, and the replicas that are missing by the minute', () => {
  const forecast = [
    fares('lost', { replicas: 3, seconds: 600, open: true }),
    fares('flaps'),
    fares('blocked'),
    fares('moves', { replicas: 2, seconds: 45, open: false }),
    fares('partly-moves'),
    fares('stays'),
    fares('tolerates'),
  ];
  expect(costOfLoss(forecast)).toEqual({
    lost: 2,
    blocked: 1,
    moves: 2,
    missingForGood: 3,
    missingReplicaMinutes: 2,
  });
  expect(costOfLoss([])).toEqual({
    lost: 0,
    blocked: 0,
    moves: 0,
    missingForGood: 0,
    missingReplicaMinutes: 0,
  });
});

test('one loss outweighs any number of blocked ones, these any minutes, and those any moves', () => {
  const cost = (lost: number, blocked: number, missingReplicaMinutes: number, moves: number) => ({
    lost,
    blocked,
    moves,
    missingForGood: 0,
    missingReplicaMinutes,
  });
  const costs = [cost(0, 0, 0, 9), cost(0, 0, 1, 0), cost(0, 1, 0, 0), cost(1, 0, 0, 0), cost(0, 0, 0, 0)];
  expect(costs.toSorted(compareCosts)).toEqual([costs[3], costs[2], costs[1], costs[0], costs[4]]);
  expect(compareCosts(costs[0]!, { ...costs[0]! })).toBe(0);
});
