import { expect, test } from '@jest/globals';
import { drainProblemText } from '../../../src/cli/drain/drainOrder.ts';
import { DrainProblem } from '../../../src/analysis/drain/plan/planDrain.ts';

const text = (problem: DrainProblem['problem']) => drainProblemText(new DrainProblem(problem));

test('the error for an impossible drain suggests an alternative', () => {
  expect(text({ kind: 'no-cluster', cluster: 'north-1', known: ['east-1', 'west-1'] })).toBe(
    'there is no cluster "north-1"; there are east-1, west-1',
  );
  expect(text({ kind: 'selection' })).toContain('or use --method=evict');
  expect(text({ kind: 'off', switches: ['Failover', 'enable-taint-manager'], confirmed: true })).toBe(
    '--method=taint would evict nothing: Failover, enable-taint-manager are off; use --method=evict, or give the flags of Karmada with --assume',
  );
  expect(text({ kind: 'off', switches: ['Failover'], confirmed: false })).toContain(
    'Failover is off by default, and the flags of Karmada are unknown',
  );
  expect(text({ kind: 'unverified', switches: ['Failover'] })).toContain('only with Failover on');
});
