import { describe, expect, test } from '@jest/globals';
import {
  workloadFates,
  type DrainedTo,
  type EndedDrain,
} from '../../../../src/analysis/drain/plan/planWorkloads.ts';
import type { DrainedWorkload } from '../../../../src/analysis/drain/decide/drainStep.ts';
import type { WorkloadOutcome } from '../../../../src/simulator/verdicts/outcome.ts';
import { deployment } from '../../../simulator/simulation/controlPlane.ts';

describe('what a drain makes of a workload that is evicted, held and not ready elsewhere at the end', () => {
  const fateOf = workloadFates({ options: { clusters: ['m1'] } } as unknown as EndedDrain);
  const binding = deployment('web', { placement: {}, clusters: [{ name: 'm2', replicas: 2 }], replicas: 2 });
  const phase = { phase: 'stuck', waitingFor: 'm2: 0 of 2 replicas ready', evidence: [] };
  const judged = (outcome: Partial<WorkloadOutcome>) =>
    fateOf({
      binding,
      current: binding,
      outcome: { after: [{ name: 'm2', replicas: 2 }], evicting: [], ...outcome } as WorkloadOutcome,
      phase: phase as unknown as DrainedWorkload,
    } satisfies DrainedTo);

  test('is blocked if that is how it ends', () => {
    expect(judged({ outcome: 'blocked' })).toMatchObject({
      fate: 'blocked',
      reason: 'evicted and held, its replacement does not become ready: m2: 0 of 2 replicas ready',
    });
  });

  test('flaps in all answers if it never settles', () => {
    expect(judged({ outcome: 'flaps', reason: 'evicted again every 1m20s' })).toMatchObject({
      fate: 'flaps',
      reason: 'evicted again every 1m20s',
    });
  });
});

describe('the effect of a drain on a workload without capacity elsewhere at the end', () => {
  const fateOf = workloadFates({ options: { clusters: ['m1'] } } as unknown as EndedDrain);
  const task = { fromCluster: 'm1', replicas: 1, reason: 'Drained', producer: 'us' };
  const current = deployment('web', {
    placement: {},
    clusters: [{ name: 'm2', replicas: 1 }],
    replicas: 2,
    spec: { gracefulEvictionTasks: [task] },
  });
  const judged = (evicting: string[]) => {
    const outcome = { outcome: 'blocked', after: current.spec.clusters, evicting } as WorkloadOutcome;
    const phase = { phase: 'starting', evidence: [] } as unknown as DrainedWorkload;
    return fateOf({ binding: current, current, outcome, phase }).fate;
  };

  test('is blocked while the task keeps its old copy, and moves in part if the copy went at once', () => {
    expect(judged(['m1'])).toBe('blocked');
    expect(judged([])).toBe('partly-moves');
  });
});
