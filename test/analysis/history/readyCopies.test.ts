import { describe, expect, test } from '@jest/globals';
import type { ObservedChange } from '../../../src/analysis/history/history.ts';
import { observedHistory } from '../../../src/analysis/history/observedHistory.ts';
import { followWanted } from '../../../src/analysis/history/readyCopies.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const MINUTE = 60_000;

interface Seen {
  on: string[];
  leaving?: string;
  /** the clusters whose two replicas are ready */
  ready: string[];
  group?: string;
  placement?: Placement;
  uid?: string;
}

/** A Duplicated workload with two replicas on each of its clusters. */
function cart({ on, leaving, ready, group, placement = {}, uid = 'first' }: Seen): ResourceBinding {
  const { status, ...binding } = deployment('cart', {
    placement,
    replicas: 2,
    clusters: on.map((name) => ({ name, replicas: 2 })),
  });
  const task = leaving && {
    fromCluster: leaving,
    reason: 'TaintUntolerated',
    producer: 'TaintManager',
    creationTimestamp: rfc3339(START),
  };
  return {
    ...binding,
    metadata: { ...binding.metadata, uid },
    spec: { ...binding.spec, ...(task && { gracefulEvictionTasks: [task] }) },
    status: {
      ...status,
      ...(group && { schedulerObservingAffinityName: group }),
      aggregatedStatus: ready.map((clusterName) => ({
        clusterName,
        applied: true,
        health: 'Healthy',
        status: { replicas: 2, readyReplicas: 2, availableReplicas: 2 },
      })),
    },
  };
}

/** What is reported for these states, each from its minute on, over as many minutes. */
function reported(...minutes: Seen[]) {
  const bindings = minutes.map(cart);
  const history = observedHistory({
    first: world(
      ['east', 'west', 'north'].map((name) => cluster(name)),
      [bindings[0]!],
    ),
    changes: bindings.slice(1).map((after, i): ObservedChange => ({
      at: START + (i + 1) * MINUTE,
      before: bindings[i] as unknown as KubernetesObject,
      after: after as unknown as KubernetesObject,
    })),
    start: START,
    end: START + minutes.length * MINUTE,
    configuration: failoverOn,
    doubts: [],
  });
  return { missing: history.workloads[0]!.missingReplicaMinutes, ...history.evictions[0] };
}

describe('a Duplicated workload that lost a copy', () => {
  const before: Seen = { on: ['east', 'west'], ready: ['east', 'west'] };
  const evicted: Seen = { on: ['west'], leaving: 'east', ready: ['west'] };
  const over: Seen = { on: ['west'], ready: ['west'] };

  test('has replicas down after the eviction until its copy is back', () => {
    expect(reported(before, evicted, over, before).missing).toBe(4);
    expect(reported(before, evicted, over, over, over).missing).toBe(8);
  });

  test('does not become ready by the end of its eviction', () => {
    expect(reported(before, evicted, over).ready).toBeUndefined();
  });

  test('has no replicas down once it is recreated', () => {
    const anew = { ...over, uid: 'second' };
    expect(reported(before, evicted, over, anew, anew).missing).toBe(4);
  });

  test('has no replicas down once its placement selects other clusters', () => {
    const elsewhere = { ...over, placement: { clusterAffinity: { clusterNames: ['west'] } } };
    expect(reported(before, evicted, elsewhere, elsewhere).missing).toBe(2);
  });
});

test('a workload in its next affinity group counts only unready replicas of that group as down', () => {
  const groupOf = (name: string) => ({ affinityName: name, clusterNames: [name] });
  const placement = { clusterAffinities: [groupOf('east'), groupOf('west')] };
  const before: Seen = { on: ['east'], ready: ['east'], group: 'east', placement };
  const starts: Seen = { on: ['west'], leaving: 'east', ready: [], group: 'west', placement };
  const runs: Seen = { ...starts, ready: ['west'] };
  const history = reported(before, starts, runs, { on: ['west'], ready: ['west'], group: 'west', placement });
  expect(history.missing).toBe(2);
  expect(history.ready).toBe(START + 2 * MINUTE);
});

test('a dependent has no replicas down while a drain keeps its old copy', () => {
  const config = (clusters: string[]): ResourceBinding => {
    const { placement: _, ...spec } = cart({ on: [], leaving: 'east', ready: [] }).spec;
    const { gracefulEvictionTasks, ...free } = spec;
    const requiredBy = [{ namespace: 'shop', name: 'cart-deployment', clusters: [{ name: 'east' }] }];
    const leaves = clusters.includes('east') ? {} : { gracefulEvictionTasks };
    const { metadata, ...binding } = cart({ on: clusters, ready: [] });
    const { uid: _uid, ...named } = metadata;
    const own = { ...free, ...leaves, replicas: 0, clusters: [], requiredBy };
    return { ...binding, metadata: named, spec: own };
  };
  const wanted = followWanted(new Map(), failoverOn.rules.scheduling);
  expect(wanted(config(['east']))).toBe(0);
  expect(wanted(config(['west']))).toBe(0);
});
