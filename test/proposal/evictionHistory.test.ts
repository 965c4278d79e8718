import { describe, expect, test } from '@jest/globals';
import { applicationPass } from '../../src/karmada/application/applicationPass.ts';
import { hypotheticalDecision } from '../../src/analysis/explanation/schedulingDecision.ts';
import { whyCluster } from '../../src/analysis/explanation/whyCluster.ts';
import { createClusterSnapshot } from '../../src/karmada/scheduling/clusterSnapshot.ts';
import { scheduleBinding } from '../../src/karmada/scheduling/scheduleBinding.ts';
import { schedulerOptions } from '../../src/karmada/scheduling/schedulerOptions.ts';
import type { ApplicationFailoverBehavior } from '../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { outcomeOf, START, story } from '../simulator/simulation/controlPlane.ts';
import { copiesOn, evicting, onOneOf } from './underDesign.ts';
import { option, SECOND, members, nginx, reported, at, unhealthyAt, play } from './failingApplication.ts';

describe('004 activeEvictionHistory and blockPredecessorSeconds', () => {
  const everywhere = copiesOn(1, 'member1', 'member2');
  const history = (clusterName: string, creationTimestamp?: string) => ({
    activeEvictionHistory: [{ clusterName, ...(creationTimestamp && { creationTimestamp }) }],
  });

  /** Where the scheduler places nginx with this history, possibly nowhere. */
  function placed(
    spec: Partial<ResourceBinding['spec']>,
    now: number,
    application: ApplicationFailoverBehavior = {},
  ) {
    const binding = nginx(application, onOneOf('member1'));
    const { failure, spec: after } = scheduleBinding({
      snapshot: createClusterSnapshot(members, schedulerOptions(option)),
      binding: { ...binding, spec: { ...binding.spec, clusters: [], ...spec } },
      now,
    });
    return failure?.message ?? after.clusters!.map(({ name }) => name).join();
  }

  test('004 activeEvictionHistory: an eviction is recorded in the same write, with its time', () => {
    const binding = reported(nginx());
    const { spec } = applicationPass(binding, new Map([['member1', START]]), at(START + 11 * SECOND));
    expect(spec).toMatchObject({
      clusters: [],
      gracefulEvictionTasks: [{ fromCluster: 'member1', gracePeriodSeconds: 600 }],
      activeEvictionHistory: [{ clusterName: 'member1', creationTimestamp: rfc3339(START + 11 * SECOND) }],
    });
  });

  test('004 activeEvictionHistory: has one entry per cluster, for its newest eviction', () => {
    const known = history('member1', rfc3339(START - 3600 * SECOND)).activeEvictionHistory;
    const binding = nginx();
    const again = reported({
      ...binding,
      spec: { ...binding.spec, activeEvictionHistory: [...known, { clusterName: 'member2' }] },
    });
    const { spec } = applicationPass(again, new Map([['member1', START]]), at(START + 11 * SECOND));
    expect(spec.activeEvictionHistory).toEqual([
      { clusterName: 'member2' },
      { clusterName: 'member1', creationTimestamp: rfc3339(START + 11 * SECOND) },
    ]);
  });

  test('004 activeEvictionHistory: does not record cluster failures', () => {
    const simulation = play(nginx(), [
      [0, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect: 'NoExecute' } }],
      [100, { type: 'untaint', cluster: 'member1', key: 'fault' }],
    ]);
    expect(outcomeOf(simulation, 'nginx')).toMatchObject({ outcome: 'moves' });
    expect(JSON.stringify(simulation.events)).not.toContain('activeEvictionHistory');
  });

  const blocked =
    '0/3 clusters are available: 1 cluster(s) had the application evicted after a failure, 2 cluster(s) did not match the placement cluster affinity constraint.';

  test.each<[string, number, number | undefined, string]>([
    ['blocks the cluster until the default of 600 s', 599, undefined, blocked],
    ['passes the cluster after the default of 600 s', 600, undefined, 'member1'],
    ['blocks the cluster until its blockPredecessorSeconds', 59, 60, blocked],
    ['passes the cluster after its blockPredecessorSeconds', 60, 60, 'member1'],
    ['blocks the cluster permanently if blockPredecessorSeconds is 0', 1e8, 0, blocked],
  ])('004 scheduler filter: %s', (_, seconds, blockPredecessorSeconds, answer) => {
    const application = blockPredecessorSeconds === undefined ? {} : { blockPredecessorSeconds };
    expect(placed(history('member1', rfc3339(START)), START + seconds * SECOND, application)).toBe(answer);
  });

  test('004 scheduler filter: ignores other clusters of the history', () => {
    expect(placed(history('member2', rfc3339(START)), START)).toBe('member1');
  });

  test('004 scheduler filter: does not exist in releases', () => {
    const binding = nginx({}, onOneOf('member1'));
    const { failure } = scheduleBinding({
      snapshot: createClusterSnapshot(members, schedulerOptions(evicting('proposal'))),
      binding: { ...binding, spec: { ...binding.spec, clusters: [], ...history('member1', rfc3339(START)) } },
      now: START,
    });
    expect(failure).toBeUndefined();
  });

  test('004 scheduler filter: failover why reports the end of a block', () => {
    const binding = nginx({}, onOneOf('member1', 'member2'));
    const evictedOnce = {
      ...binding,
      spec: { ...binding.spec, clusters: [], ...history('member1', rfc3339(START)) },
    };
    const snapshot = createClusterSnapshot(members, schedulerOptions(option));
    const why = whyCluster(
      hypotheticalDecision({ binding: evictedOnce, snapshot }, START + SECOND),
      'member1',
    );
    expect(why.groups[0]!.reasons.find(({ plugin }) => plugin === 'ActiveEvictionHistory')).toMatchObject({
      speaks: 'against',
      text: 'is blocked until 2026-09-01T08:10:00Z: the application failed there (blockPredecessorSeconds)',
    });
  });

  test('004 the example binding: is not placed on member2, which is in its history', () => {
    const binding = nginx({ blockPredecessorSeconds: 0 }, onOneOf('member1', 'member2'));
    const old = { ...binding, spec: { ...binding.spec, ...history('member2', '2023-04-03T01:44:31Z') } };
    const simulation = play(old, [unhealthyAt(1)]);
    expect(simulation.events.find(({ type }) => type === 'ScheduleFailed')).toMatchObject({
      reason: 'NoClusterFit',
    });
    expect(outcomeOf(simulation, 'nginx').after).toEqual([]);
  });

  test('004 blockPredecessorSeconds: without the option a Duplicated application returns to its failed cluster at once', () => {
    const simulation = play(nginx({}, everywhere), [unhealthyAt(1)], {
      configuration: evicting('proposal'),
      until: 60,
    });
    expect(story(simulation, 'nginx').slice(1, 4)).toEqual([
      '11s Evicted member1',
      '11s Scheduled',
      '12s TaskStamped',
    ]);
    expect(simulation.events.find(({ type }) => type === 'Scheduled')!.clusters).toEqual([
      { name: 'member1', replicas: 3 },
    ]);
    const blocking = play(nginx({}, everywhere), [unhealthyAt(1)], { until: 60 });
    expect(blocking.events.find(({ type }) => type === 'Scheduled')!.clusters).toEqual([
      { name: 'member2', replicas: 3 },
    ]);
  });
});
