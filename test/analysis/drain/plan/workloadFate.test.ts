import { describe, expect, test } from '@jest/globals';
import {
  drainOutcomes,
  type DrainedTo,
  type EndedDrain,
} from '../../../../src/analysis/drain/plan/planWorkloads.ts';
import type { DrainedWorkload } from '../../../../src/analysis/drain/decide/drainStep.ts';
import type { WorkloadOutcome } from '../../../../src/simulator/verdicts/outcome.ts';
import { deployment } from '../../../simulator/simulation/controlPlane.ts';

describe('an evicted and held workload without a ready replacement at the end', () => {
  const fateOf = drainOutcomes({ options: { clusters: ['m1'] } } as unknown as EndedDrain);
  const binding = deployment('web', { placement: {}, clusters: [{ name: 'm2', replicas: 2 }], replicas: 2 });
  const phase = { phase: 'stuck', waitingFor: 'm2: 0 of 2 replicas ready', evidence: [] };
  const judged = (outcome: Partial<WorkloadOutcome>) =>
    fateOf({
      binding,
      current: binding,
      outcome: { after: [{ name: 'm2', replicas: 2 }], evicting: [], ...outcome } as WorkloadOutcome,
      phase: phase as unknown as DrainedWorkload,
    } satisfies DrainedTo);

  test('has the fate blocked, with the unready replacement as the reason', () => {
    expect(judged({ outcome: 'blocked' })).toMatchObject({
      fate: 'blocked',
      reason: 'evicted and held, its replacement does not become ready: m2: 0 of 2 replicas ready',
    });
  });

  test('has the fate flaps if it never settles', () => {
    expect(judged({ outcome: 'flaps', reason: 'evicted again every 1m20s' })).toMatchObject({
      fate: 'flaps',
      reason: 'evicted again every 1m20s',
    });
  });
});

describe('an evicted workload without enough capacity elsewhere', () => {
  const fateOf = drainOutcomes({ options: { clusters: ['m1'] } } as unknown as EndedDrain);
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

  test('is blocked while the task keeps the old copy, and partly moves if the old copy is deleted at once', () => {
    expect(judged(['m1'])).toBe('blocked');
    expect(judged([])).toBe('partly-moves');
  });
});
