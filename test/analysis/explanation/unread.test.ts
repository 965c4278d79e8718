import { describe, expect, test } from '@jest/globals';
import { explainEvictionTasks } from '../../../src/analysis/explanation/tasks/evictionTask.ts';
import { failoverStatus } from '../../../src/analysis/explanation/failoverStatus.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { v1_18 } from '../../dialects.ts';
import {
  cluster,
  deployment,
  failoverOn,
  outcomeOf,
  run,
  START,
  world,
} from '../../simulator/simulation/controlPlane.ts';
import { explain } from './explain.ts';

const both = [cluster('east-1'), cluster('west-1')];
const cart = (spec: Partial<ResourceBinding['spec']> = {}) =>
  deployment('cart', {
    placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } },
    clusters: [{ name: 'east-1', replicas: 2 }],
    replicas: 2,
    spec,
  });
const without = (kind: string, bindings: ResourceBinding[], more: Partial<World> = {}): World => ({
  ...world(both, bindings),
  ...more,
  unread: [{ kind, missing: `list on ${kind}` }],
});
const fails = { events: [[0, { type: 'fail', cluster: 'east-1' }]] } as Parameters<typeof run>[1];

describe('with unread ClusterTaintPolicies', () => {
  const state = without('ClusterTaintPolicy', [cart()], { taintPolicies: [] });

  test('the state of failover is unknown', () => {
    expect(failoverStatus(state, { configuration: failoverOn }).failover).toMatchObject({
      certainty: 'unknown',
      missing: 'ClusterTaintPolicies could not be read: list on ClusterTaintPolicy',
      reasons: ['no ClusterTaintPolicy in the state puts a NoExecute taint on a cluster that is not Ready'],
    });
  });

  test('the outcome of workloads is unknown', () => {
    expect(outcomeOf(run(state, fails), 'cart')).toMatchObject({
      certainty: 'unknown',
      dependsOn: ['ClusterTaintPolicies, which could not be read: list on ClusterTaintPolicy'],
    });
  });

  test('the link to the policies is unknown, not broken', () => {
    const { links } = explain(state, { ifFails: ['east-1'] });
    expect(links.find(({ id }) => id === 'no-execute-taint')).toMatchObject({
      state: 'unknown',
      fix: 'this needs list on ClusterTaintPolicy',
    });
  });
});

test('an empty list is certain if all kinds were read', () => {
  const none: World = { ...world(both, [cart()]), taintPolicies: [] };
  expect(outcomeOf(run(none, fails), 'cart').certainty).toBe('unknown');
  expect(outcomeOf(run({ ...none, unread: [] }, fails), 'cart').certainty).toBe('certain');
});

test('a state without Works makes outcomes an estimate, because Works are inferred', () => {
  const outcome = outcomeOf(run(world(both, [cart()]), fails), 'cart');
  expect(outcome).toMatchObject({
    certainty: 'estimate',
    dependsOn: [expect.stringContaining('Works, which are not in the state')],
  });
});

test('an outcome is an estimate if a Work may be missing, because its binding is not FullyApplied', () => {
  const fullyApplied = (status: 'True' | 'False') => ({
    ...cart(),
    status: { conditions: [{ type: 'FullyApplied', status }] },
  });
  const outcome = (status: 'True' | 'False') =>
    outcomeOf(run(world(both, [fullyApplied(status)]), { events: [] }), 'cart');
  expect(outcome('True').certainty).toBe('certain');
  expect(outcome('False')).toMatchObject({
    certainty: 'estimate',
    dependsOn: [expect.stringContaining('whether the Work on east-1 has been written')],
  });
});

describe('with unread Works', () => {
  test('the outcome of workloads is an estimate', () => {
    const [read, unread] = [world(both, [cart()]), without('Work', [cart()])];
    expect(outcomeOf(run({ ...read, unread: [] }, fails), 'cart').dependsOn ?? []).toEqual([]);
    expect(outcomeOf(run(unread, fails), 'cart')).toMatchObject({
      certainty: 'estimate',
      dependsOn: [expect.stringContaining('Works, which could not be read (list on Work)')],
    });
  });

  test('the evidence for a direct purge is unknown, because an old Work may still exist', () => {
    const task = {
      fromCluster: 'west-1',
      purgeMode: 'Directly' as const,
      reason: 'TaintUntolerated',
      producer: 'TaintManager',
      creationTimestamp: '2026-09-01T07:59:00Z',
    };
    const binding = cart({ gracefulEvictionTasks: [task] });
    const clock = { now: START, configuration: v1_18.defaults };
    const [item] = explainEvictionTasks(without('Work', [binding]), [binding], clock);
    expect(item!.evidence).toContainEqual({
      rule: 'whether the old Work on west-1 still exists could not be read; it is assumed to be deleted',
      certainty: 'unknown',
      missing: 'list on Work',
    });
  });
});

test('with unread interpreters, the health support of a custom kind is unknown', () => {
  const database = cart({
    resource: { apiVersion: 'example.com/v1', kind: 'Database', namespace: 'shop', name: 'cart' },
    failover: { application: { decisionConditions: { tolerationSeconds: 60 } } },
    propagateDeps: true,
  });
  const state = without('ResourceInterpreterCustomization', [database]);
  const link = (given: World) => explain(given).links.find(({ id }) => id === 'health-interpreter');
  expect(link(state)).toMatchObject({ state: 'unknown' });
  expect(link({ ...state, unread: [] })).toMatchObject({ state: 'broken' });
});
