import { describe, expect, test } from '@jest/globals';
import { observedHistory } from '../../../src/analysis/history/observedHistory.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const MINUTES = 10;

/** What is reported for a workload of a kind without replicas, whose reported health was always Unknown. */
function seen(others: KubernetesObject[] = []) {
  const clusters = [{ name: 'east', replicas: 3 }];
  const cart = deployment('cart', { placement: {}, replicas: 3, clusters });
  const binding: ResourceBinding = {
    ...cart,
    spec: { ...cart.spec, resource: { ...cart.spec.resource, apiVersion: 'example.io/v1', kind: 'Widget' } },
    status: { aggregatedStatus: [{ clusterName: 'east', applied: true, health: 'Unknown' }] },
  };
  return observedHistory({
    first: { ...world([cluster('east')], [binding]), others },
    changes: [],
    start: START,
    end: START + MINUTES * 60_000,
    configuration: failoverOn,
    doubts: [],
  });
}

describe('a workload whose ready replicas are unreported', () => {
  test('has no gap and no replicas down, and the reason is shown', () => {
    const { spans, workloads, doubts } = seen();
    expect(spans.filter(({ phase }) => phase === 'gap')).toEqual([]);
    expect(spans).toMatchObject([{ cluster: 'east', replicas: 3, certainty: 'unknown' }]);
    expect(spans[0]).not.toHaveProperty('ready');
    expect(workloads[0]).not.toHaveProperty('missingReplicaMinutes');
    expect(doubts.map(({ text }) => text).join()).toContain('Ready replicas of Widget are unknown');
  });

  test('has replicas down if Karmada interprets its health, because Unknown then means unreported', () => {
    const interpreted = {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name: 'widgets' },
      spec: {
        target: { apiVersion: 'example.io/v1', kind: 'Widget' },
        customizations: {
          healthInterpretation: { luaScript: 'function InterpretHealth(o) return true end' },
        },
      },
    };
    const { workloads, doubts } = seen([interpreted as KubernetesObject]);
    expect(workloads[0]!.missingReplicaMinutes).toBe(3 * MINUTES);
    expect(doubts).toEqual([]);
  });
});
