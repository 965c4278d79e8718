import { describe, expect, test } from '@jest/globals';
import { blocked, refusalOf, schedulerAnswer } from '../../../../src/analysis/drain/decide/evictionCheck.ts';
import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { ResourceBindingSpec, TargetCluster } from '../../../../src/karmada/api/work.ts';
import { cluster, deployment } from '../../../simulator/simulation/controlPlane.ts';
import { byCapacity, everywhere } from '../aDrain.ts';

type Replicas = Record<string, number>;
const targets = (replicas: Replicas): TargetCluster[] =>
  Object.entries(replicas).map(([name, count]) => ({ name, replicas: count }));
const down = (name: string): Cluster => ({ ...cluster(name), status: { conditions: [] } });

interface Answered {
  had: Replicas;
  to: Replicas;
  replicas?: number;
  spec?: Partial<ResourceBindingSpec>;
  notReady?: string[];
  everywhere?: boolean;
}

/** The scheduler's answer if a workload leaves east-1. */
function answered({ had, to, replicas = 4, spec = {}, notReady = [], ...more }: Answered) {
  const placement = more.everywhere ? everywhere : byCapacity;
  const binding = deployment('web', { placement, replicas, clusters: targets(had), spec });
  const names = ['east-1', 'east-2', 'west-1'];
  const clusters = new Map(names.map((name) => [name, notReady.includes(name) ? down(name) : cluster(name)]));
  return schedulerAnswer(binding, ['east-1'], targets(to), clusters);
}
const refused = (answer: Answered) => refusalOf(answered(answer));

describe('the answer of the scheduler', () => {
  test('lists the clusters that gain replicas, and the replicas that stay', () => {
    const answer = answered({
      had: { 'east-1': 2, 'east-2': 1, 'west-1': 1 },
      to: { 'east-2': 3, 'west-1': 1 },
    });
    expect(answer.gaining).toEqual(targets({ 'east-2': 3 }));
    expect(answer.remaining).toEqual(targets({ 'east-2': 1, 'west-1': 1 }));
    expect([...answer.placed]).toEqual([
      ['east-2', 3],
      ['west-1', 1],
    ]);
    expect([...answer.had]).toEqual([
      ['east-1', 2],
      ['east-2', 1],
      ['west-1', 1],
    ]);
  });

  test('counts a new cluster without replicas as a gain', () => {
    expect(answered({ had: { 'east-1': 0 }, to: { 'west-1': 0 } }).gaining).toEqual(targets({ 'west-1': 0 }));
  });
});

describe('an eviction is allowed', () => {
  test.each<[string, Answered]>([
    ['if all replicas fit elsewhere', { had: { 'east-1': 4 }, to: { 'west-1': 4 } }],
    [
      'if dispatching is not suspended',
      { had: { 'east-1': 4 }, to: { 'west-1': 4 }, spec: { suspension: { dispatching: false } } },
    ],
    ['if the replacement has more replicas', { had: { 'east-1': 4 }, to: { 'west-1': 5 } }],
    [
      'if the remaining clusters keep their replicas',
      { had: { 'east-1': 2, 'west-1': 2 }, to: { 'west-1': 4 } },
    ],
    [
      'if a Duplicated workload loses only the drained copy',
      { had: { 'east-1': 4, 'west-1': 4 }, to: { 'west-1': 4 }, everywhere: true },
    ],
    [
      'if a cluster that gains no replicas is not Ready',
      { had: { 'east-1': 2, 'east-2': 2 }, to: { 'east-2': 2, 'west-1': 2 }, notReady: ['east-2'] },
    ],
    [
      'if dispatching is suspended on a cluster that gains no replicas',
      {
        had: { 'east-1': 2, 'west-1': 2 },
        to: { 'west-1': 2, 'east-2': 2 },
        spec: { suspension: { dispatchingOnClusters: { clusterNames: ['west-1'] } } },
      },
    ],
    [
      'if a remaining Duplicated copy has fewer replicas',
      { had: { 'east-1': 4, 'west-1': 4 }, to: { 'west-1': 2 }, everywhere: true },
    ],
  ])('%s', (_, answer) => {
    expect(refused(answer)).toBeUndefined();
  });
});

describe('an eviction is refused', () => {
  test.each<[Answered, object]>([
    [
      { had: { 'east-1': 0 }, to: {}, replicas: 0 },
      {
        reason: 'it has 0 replicas: no copy would remain',
        evidence: [
          {
            rule: 'it has 0 replicas: no copy would remain',
            field: 'spec.replicas',
            value: 0,
          },
        ],
      },
    ],
    [
      { had: { 'east-1': 4 }, to: {} },
      {
        reason: 'no cluster fits it',
        evidence: [{ rule: 'no cluster fits it', field: 'spec.clusters' }],
      },
    ],
    [
      { had: { 'east-1': 4 }, to: { 'west-1': 2, 'east-1': 2 } },
      { reason: 'the scheduler would return it to east-1', evidence: [{ field: 'spec.placement' }] },
    ],
    [
      { had: { 'east-1': 4 }, to: { 'west-1': 3 } },
      {
        reason: 'only 3 of 4 replicas would be placed',
        evidence: [{ field: 'spec.replicas', value: 4 }],
      },
    ],
    [
      { had: { 'east-1': 4 }, to: { 'west-1': 4 }, notReady: ['west-1'] },
      { reason: 'it would move to west-1, which is not Ready' },
    ],
    [
      { had: { 'east-1': 2, 'west-1': 2 }, to: { 'west-1': 2 }, everywhere: true, notReady: ['west-1'] },
      {
        reason: 'it would remain only on west-1, not Ready',
        evidence: [{ field: 'spec.clusters', value: targets({ 'west-1': 2 }) }],
      },
    ],
    [
      {
        had: { 'east-1': 4 },
        to: { 'west-1': 4 },
        spec: { suspension: { dispatchingOnClusters: { clusterNames: ['west-1'] } } },
      },
      {
        reason: 'it would move to west-1, where its dispatching is suspended',
        evidence: [{ field: 'spec.suspension.dispatchingOnClusters', value: ['west-1'] }],
      },
    ],
    [
      { had: { 'east-1': 2, 'west-1': 2 }, to: { 'west-1': 1, 'east-2': 3 } },
      {
        reason: 'the scheduler would take a replica from west-1 at once, before others are ready',
        evidence: [{ field: 'spec.clusters', value: targets({ 'west-1': 1, 'east-2': 3 }) }],
      },
    ],
    [
      { had: { 'east-1': 2, 'west-1': 3 }, to: { 'west-1': 1, 'east-2': 4 }, replicas: 5 },
      { reason: 'the scheduler would take 2 replicas from west-1 at once, before others are ready' },
    ],
  ])('for the answer %j', (answer, refusal) => {
    expect(refused(answer)).toMatchObject({ verdict: 'blocked', ...refusal });
  });

  test('for a finished Job that would gain replicas, with the field that shows it', () => {
    const resource = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'web' };
    const answer = answered({ had: { 'east-1': 4 }, to: { 'west-1': 4 }, spec: { resource } });
    const status = { conditions: [{ type: 'Complete', status: 'True' }] };
    const aggregatedStatus = [{ clusterName: 'east-1', status }];
    const ended = { ...answer, binding: { ...answer.binding, status: { aggregatedStatus } } };
    const reason = 'it has completed on east-1: on another cluster it would run again';
    expect(refusalOf(ended)).toEqual({
      verdict: 'stays',
      reason,
      evidence: [{ rule: reason, field: 'status.aggregatedStatus' }],
    });
  });

  test('with only a rule as evidence if no field decides', () => {
    expect(blocked('it is late')).toStrictEqual({
      verdict: 'blocked',
      reason: 'it is late',
      evidence: [{ rule: 'it is late' }],
    });
  });

  test('for its first reason: a return to the cluster comes before missing replicas', () => {
    expect(refused({ had: { 'east-1': 4 }, to: { 'east-1': 1 } })?.reason).toMatch(/return it to/);
  });
});
