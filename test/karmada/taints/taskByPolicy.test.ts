import { describe, expect, test } from '@jest/globals';
import type { Evidence } from '../../../src/karmada/evidence.ts';
import { taskByPolicy } from '../../../src/karmada/taints/taskByPolicy.ts';
import type { ClusterFailoverBehavior } from '../../../src/karmada/api/policy.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';

/** The policy's settings for the task, and the field that its evidence names. */
function reported(
  failover: ClusterFailoverBehavior | undefined,
  version = 'proposal+configurable-cluster-failover',
) {
  const evidence: Evidence[] = [];
  const { rules } = dialectOf(version).dialect;
  const task = taskByPolicy(failover, rules, evidence);
  expect(taskByPolicy(failover, rules)).toEqual(task);
  return { task, fields: evidence.map(({ field, value }) => [field, value]) };
}

describe('failover.cluster of design 003', () => {
  const GRACE = 'spec.failover.cluster.gracePeriodSeconds';

  test('sets the grace period of the task in a graceful mode, which is the default', () => {
    for (const mode of [{}, { purgeMode: 'Graciously' }, { purgeMode: 'Gracefully' }] as const)
      expect(reported({ ...mode, gracePeriodSeconds: 0 })).toEqual({
        task: { gracePeriodSeconds: 0 },
        fields: [[GRACE, 0]],
      });
  });

  test('sets no grace period in a direct mode', () => {
    for (const purgeMode of ['Immediately', 'Directly'] as const)
      expect(reported({ purgeMode, gracePeriodSeconds: 60 })).toEqual({ task: {}, fields: [] });
  });

  test('sets nothing without gracePeriodSeconds', () => {
    const { task, fields } = reported({ purgeMode: 'Graciously' });
    expect(task).toStrictEqual({});
    expect(fields).toEqual([]);
  });

  test('holds the task without a grace period in the mode Never', () => {
    expect(reported({ purgeMode: 'Never', gracePeriodSeconds: 60 })).toEqual({
      task: { suppressDeletion: true },
      fields: [['spec.failover.cluster.purgeMode', 'Never']],
    });
  });
});

test('a task has no settings without failover.cluster or in versions that read only its purge mode', () => {
  expect(reported(undefined)).toEqual({ task: {}, fields: [] });
  for (const version of ['v1.18.2', 'proposal'])
    expect(reported({ gracePeriodSeconds: 60 }, version)).toEqual({ task: {}, fields: [] });
});
