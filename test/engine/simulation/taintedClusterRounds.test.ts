import { describe, expect, test } from '@jest/globals';
import { createTaintedClusterRounds } from '../../../src/engine/simulation/controllers/taintedClusterRounds.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../../src/karmada/names.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { cluster, deployment, run, story, world } from './controlPlane.ts';

describe('the taint manager looks at a tainted cluster every 10 s', () => {
  test('from the first look on, whatever brings about other looks', () => {
    const rounds = createTaintedClusterRounds();
    rounds.begin('east-1', 1000);
    rounds.begin('east-1', 5000);
    expect(rounds.next('east-1', 1000)).toBe(11_000);
    expect(rounds.next('east-1', 10_999)).toBe(11_000);
    expect(rounds.next('east-1', 11_000)).toBe(21_000);
  });

  test('in the same beat where the taint is gone and there again before the next round', () => {
    const rounds = createTaintedClusterRounds();
    rounds.begin('east-1', 1000);
    rounds.end('east-1', 3000);
    rounds.begin('east-1', 8000);
    expect(rounds.next('east-1', 8000)).toBe(11_000);
    rounds.end('east-1', 12_000);
    rounds.begin('east-1', 21_500);
    expect(rounds.next('east-1', 21_500)).toBe(31_500);
  });
});

test('a toleration that is taken away ends with the next round after the taint', () => {
  const tolerating: Placement = {
    clusterTolerations: [{ key: 'maintenance', operator: 'Exists', effect: 'NoExecute' }],
  };
  const options = { replicas: 1, clusters: [{ name: 'east-1', replicas: 1 }] };
  const simulation = run(
    world([cluster('east-1'), cluster('east-2')], [deployment('web', { placement: tolerating, ...options })]),
    {
      events: [
        [3, { type: 'taint', cluster: 'east-1', taint: { key: 'maintenance', effect: 'NoExecute' } }],
        [
          10,
          {
            type: 'patch',
            target: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
            merge: {
              metadata: { annotations: { [APPLIED_PLACEMENT_ANNOTATION]: '{}' } },
              spec: { placement: { clusterTolerations: null } },
            },
          },
        ],
      ],
      until: 30,
    },
  );
  expect(story(simulation, 'web')).toContain('13s Evicted east-1');
});
