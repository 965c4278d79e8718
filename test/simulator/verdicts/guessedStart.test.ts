import { describe, expect, test } from '@jest/globals';
import { defaultMembers, type MemberAssumptions } from '../../../src/karmada/members/memberAssumptions.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import { cluster, deployment, failoverOn, outcomeOf, START, world } from '../simulation/controlPlane.ts';

// A taint evicts the copy on east; its replacement on west is Unhealthy until it is ready.

function outcome(tolerationSeconds: number, members: MemberAssumptions) {
  const clusterNames = ['east', 'west'];
  const web = deployment('web', {
    placement: {
      clusterAffinity: { clusterNames },
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
    },
    clusters: [{ name: 'east', replicas: 2 }],
    replicas: 2,
    spec: {
      propagateDeps: true,
      failover: { application: { decisionConditions: { tolerationSeconds }, purgeMode: 'Graciously' } },
    },
  });
  const taint = { key: 'disk', effect: 'NoExecute' } as const;
  const events = [{ at: START + 1000, action: { type: 'taint', cluster: 'east', taint } as const }];
  const clusters = clusterNames.map((name) => cluster(name));
  return outcomeOf(simulate(world(clusters, [web]), { start: START, members, events }, failoverOn), 'web');
}

describe('the eviction of a copy that starts', () => {
  const guess = /^the assumed 30s until replicas are ready (.*): with a shorter one it is not evicted$/;

  test.each([
    [10, 'is longer than the toleration of 10s'],
    [30, 'equals the toleration of 30s'],
  ])('is an estimate if the time that it needs is a guess, tolerated for %ds', (seconds, compared) => {
    const { certainty, dependsOn } = outcome(seconds, defaultMembers);
    expect(certainty).toBe('estimate');
    expect(dependsOn!.flatMap((one) => guess.exec(one)?.[1] ?? [])).toEqual([compared]);
  });

  test('is as certain as other evictions if that time is given', () => {
    const { dependsOn = [] } = outcome(10, { ...defaultMembers, guessed: false });
    expect(dependsOn.filter((one) => guess.test(one))).toEqual([]);
  });
});

test('a copy that is ready within its toleration does not depend on the guess', () => {
  expect(outcome(120, defaultMembers).dependsOn!.join()).not.toContain('the assumed');
});
