import { describe, expect, test } from '@jest/globals';
import { cordoned } from '../../../../src/analysis/drain/cordon.ts';
import { drainSituation } from '../../../../src/analysis/drain/decide/drainSituation.ts';
import { evictionCheck } from '../../../../src/analysis/drain/decide/evictionCheck.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { Placement } from '../../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../../src/karmada/api/work.ts';
import { START } from '../../../simulator/simulation/controlPlane.ts';
import { byCapacity, cordonedFor, defaults, everywhere, heldTask, onlyOn, viewOf } from '../aDrain.ts';
import { drainOf } from '../drainOf.ts';
import { changed, cordonedEast, east, fleet, on, taintTask } from './placedOn.ts';

interface Asked {
  clusters?: readonly Cluster[];
  options?: typeof east;
  leave?: string[];
  explain?: boolean;
}

function check(
  binding: ResourceBinding,
  { clusters = cordonedEast, options = east, leave = ['east-1'], explain = false }: Asked = {},
) {
  const situation = drainSituation(viewOf({ clusters, bindings: [binding] }), options, defaults);
  const question = { binding, leave, situation, options, configuration: defaults, now: START };
  return explain ? evictionCheck(question, true) : evictionCheck(question);
}

const divided = (rest: NonNullable<Placement['replicaScheduling']>): Placement => ({
  clusterAffinity: {},
  replicaScheduling: { replicaSchedulingType: 'Divided', ...rest },
});
const aggregated = divided({ replicaDivisionPreference: 'Aggregated' });
const byWeight = divided({ replicaDivisionPreference: 'Weighted' });

describe('the placement after an eviction', () => {
  test.each<[string, Placement, Record<string, number>, 'estimate' | 'certain']>([
    ['an estimate if capacity divides the replicas', byCapacity, { 'east-1': 4 }, 'estimate'],
    ['an estimate if replicas are aggregated by capacity', aggregated, { 'east-1': 4 }, 'estimate'],
    ['certain if static weights divide the replicas', byWeight, { 'east-1': 4 }, 'certain'],
    ['certain if each cluster has all replicas', { ...everywhere }, { 'east-1': 4, 'west-1': 4 }, 'certain'],
    ['certain if no cluster gains divided replicas', byCapacity, { 'east-1': 0, 'west-1': 4 }, 'certain'],
    ['certain if no cluster gains aggregated replicas', aggregated, { 'east-1': 0, 'west-1': 4 }, 'certain'],
  ])('is %s', (_what, placement, clusters, certainty) => {
    expect(check(on('web', 4, clusters, { placement }))).toMatchObject({ verdict: 'evict', certainty });
  });

  test('is reported with its reason and the spec to write', () => {
    const to = [{ name: 'west-1', replicas: 2 }];
    const web = on('web', 2, { 'east-1': 2 }, { placement: onlyOn('east-1', 'west-1') });
    expect(check(web)).toMatchObject({
      verdict: 'evict',
      clusters: ['east-1'],
      to,
      spec: { clusters: [], gracefulEvictionTasks: [{ fromCluster: 'east-1', suppressDeletion: true }] },
      evidence: [{ rule: 'the scheduler would place it on west-1', field: 'spec.clusters', value: to }],
    });
  });

  test('stays the same if the scheduler has no reason to reschedule', () => {
    // The labels of west-1 have changed since: a new placement would choose another cluster.
    const placement = { ...byCapacity, clusterAffinity: { labelSelector: { matchLabels: { zone: 'a' } } } };
    const web = on('web', 4, { 'east-1': 0, 'west-1': 4 }, { placement });
    expect(check(web)).toMatchObject({
      verdict: 'evict',
      certainty: 'certain',
      to: [{ name: 'west-1', replicas: 4 }],
    });
  });
});

describe('a workload with a task of another producer', () => {
  test('is evicted if the task is for another cluster and has no preserved state', () => {
    const web = on('web', 4, { 'east-1': 2, 'west-1': 2 }, { gracefulEvictionTasks: [taintTask('west-2')] });
    expect(check(web)).toMatchObject({ verdict: 'evict' });
    const empty = taintTask('west-2', { preservedLabelState: {} });
    const none = on('web', 4, { 'east-1': 2, 'west-1': 2 }, { gracefulEvictionTasks: [empty] });
    expect(check(none)).toMatchObject({ verdict: 'evict' });
  });

  test('is blocked by a task for the same cluster, which is shown', () => {
    const task = taintTask('east-1');
    expect(check(on('web', 2, { 'east-1': 2 }, { gracefulEvictionTasks: [task] }))).toEqual({
      verdict: 'blocked',
      reason: 'TaintManager has an eviction task for east-1 already',
      evidence: [
        {
          rule: 'TaintManager has an eviction task for east-1 already',
          field: 'spec.gracefulEvictionTasks',
          value: task,
        },
      ],
    });
  });

  test('is blocked while it moves with preserved state, unless a drain created the task', () => {
    const carrying = taintTask('west-2', { preservedLabelState: { step: '7' } });
    const web = (task: typeof carrying) =>
      on('web', 4, { 'east-1': 2, 'west-1': 2 }, { gracefulEvictionTasks: [task] });
    expect(check(web(carrying))).toMatchObject({
      verdict: 'blocked',
      reason: 'TaintManager moves it from west-2 with its preserved state',
      evidence: [{ field: 'spec.gracefulEvictionTasks', value: carrying }],
    });
    const ours = heldTask('west-2', { preservedLabelState: { step: '7' } });
    expect(check(web(ours))).toMatchObject({ verdict: 'evict' });
  });
});

describe('a workload that is blocked', () => {
  test.each([
    [
      'by suspended dispatching',
      { suspension: { dispatching: true } },
      { field: 'spec.suspension.dispatching', value: true },
    ],
    ['by another scheduler', { schedulerName: 'fair' }, { field: 'spec.schedulerName', value: 'fair' }],
    [
      'by suspended scheduling',
      { suspension: { scheduling: true } },
      { field: 'spec.suspension.scheduling', value: true },
    ],
  ])('%s shows the field', (_what, spec, evidence) => {
    const refusal = check(on('web', 2, { 'east-1': 2 }, spec));
    expect(refusal.verdict).toBe('blocked');
    expect(refusal.evidence).toEqual([{ rule: (refusal as { reason: string }).reason, ...evidence }]);
  });

  test('lists the refusal of each cluster on request', () => {
    const placement = onlyOn('east-1', 'west-1');
    const spread = { spreadByField: 'cluster', minGroups: 2, maxGroups: 2 } as const;
    const web = on('web', 2, { 'east-1': 2 }, { placement: { ...placement, spreadConstraints: [spread] } });
    const brief = check(web);
    expect(brief).toMatchObject({ verdict: 'blocked', evidence: [{ field: 'spec.placement' }] });
    expect(brief.evidence).toHaveLength(1);
    const explained = check(web, { explain: true });
    expect(explained.evidence[0]).toEqual(brief.evidence[0]);
    // West-1 takes it: just one is too few.
    expect(explained.evidence.slice(1)).toEqual([
      {
        rule: 'not east-1: taint cluster.karmada.io/unschedulable:NoSchedule is not tolerated',
        object: { kind: 'Cluster', name: 'east-1' },
        field: 'spec.taints[0]',
      },
      ...['east-2', 'west-2'].map((name) => ({
        rule: expect.stringContaining(`not ${name}: `),
        object: { kind: 'Cluster', name },
        field: expect.stringContaining('spec.placement.clusterAffinity'),
      })),
    ]);
    expect(explained.evidence[2]!.rule).not.toContain('undefined');
  });
});

describe('a workload that tolerates taints', () => {
  const tolerant = (...clusterTolerations: NonNullable<Placement['clusterTolerations']>) =>
    on('web', 2, { 'east-1': 2 }, { placement: { ...byCapacity, clusterTolerations } });
  const any = { operator: 'Exists' } as const;

  test('stays if it would return, and the tolerated taints are listed', () => {
    const preferred = changed(cordonedEast, 'east-1', (one) => ({
      ...one,
      spec: { ...one.spec, taints: [...one.spec!.taints!, { key: 'old', effect: 'PreferNoSchedule' }] },
    }));
    const tolerations = [
      { key: 'other', operator: 'Exists' },
      { key: 'cluster.karmada.io/unschedulable', operator: 'Exists' },
    ];
    const reason =
      'tolerates cluster.karmada.io/unschedulable:NoSchedule on east-1: after the eviction, the next scheduling could return it';
    expect(check(tolerant(...tolerations), { clusters: preferred })).toEqual({
      verdict: 'stays',
      reason,
      evidence: [{ rule: reason, field: 'spec.placement.clusterTolerations', value: tolerations }],
    });
  });

  test('stays if it tolerates the taints of any cluster to leave', () => {
    const both = cordonedFor(drainOf(['east-1', 'west-1']), fleet);
    const placement = tolerant(any).spec.placement!;
    const wide = on('web', 4, { 'east-1': 2, 'west-1': 2 }, { placement });
    expect(check(wide, { clusters: both, leave: ['west-1'] })).toMatchObject({
      verdict: 'stays',
      reason: expect.stringContaining(' on west-1: after the eviction'),
    });
  });

  test('is evicted if it does not tolerate one of the taints', () => {
    const second = changed(cordonedEast, 'east-1', (one) => ({
      ...one,
      spec: { ...one.spec, taints: [...one.spec!.taints!, { key: 'old', effect: 'NoSchedule' }] },
    }));
    const cordonAlone = tolerant({ key: 'cluster.karmada.io/unschedulable', operator: 'Exists' });
    expect(check(cordonAlone, { clusters: second })).toMatchObject({ verdict: 'evict' });
  });

  test('is evicted from a cluster without taints', () => {
    expect(check(tolerant(any), { clusters: fleet })).toMatchObject({ verdict: 'evict' });
    const bare = changed(fleet, 'east-1', ({ spec: _none, ...one }) => one);
    expect(check(tolerant(any), { clusters: bare })).toMatchObject({ verdict: 'evict' });
  });

  test('is evicted from a deleted cluster, whatever taints other clusters have', () => {
    const clusters = cordonedFor(drainOf(['east-2']), fleet).slice(0, 3);
    const both = on('web', 4, { 'gone-1': 2, 'west-1': 2 }, { placement: tolerant(any).spec.placement! });
    expect(check(both, { clusters, leave: ['gone-1'] })).toMatchObject({ verdict: 'evict' });
  });
});

test('an eviction from a cluster of another drain uses its hold, or else the options of the current drain', () => {
  const direct = drainOf(['east-1'], { hold: false, purgeMode: 'Directly' });
  const clusters = (hold: boolean) =>
    changed(cordonedFor(direct, fleet), 'west-1', (one) =>
      cordoned(one, { started: '', clusters: ['west-1'], selection: {}, hold }),
    );
  const tasksIf = (hold: boolean) => {
    const asked = { clusters: clusters(hold), options: direct, leave: ['east-1', 'west-1'] };
    const checked = check(on('web', 4, { 'east-1': 2, 'west-1': 2 }), asked);
    return checked.verdict === 'evict' ? checked.spec.gracefulEvictionTasks : undefined;
  };
  expect(tasksIf(true)).toMatchObject([
    { fromCluster: 'east-1', purgeMode: 'Directly' },
    { fromCluster: 'west-1', purgeMode: 'Gracefully', suppressDeletion: true },
  ]);
  expect(tasksIf(false)).toMatchObject([
    { fromCluster: 'east-1', purgeMode: 'Directly' },
    { fromCluster: 'west-1', purgeMode: 'Directly' },
  ]);
});
