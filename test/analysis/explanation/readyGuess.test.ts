import { describe, expect, test } from '@jest/globals';
import { longerToleration } from '../../../src/analysis/explanation/changes/staying.ts';
import type { Trials } from '../../../src/analysis/explanation/changes/trial.ts';
import { deployment } from '../../simulator/simulation/controlPlane.ts';

const cart = deployment('cart', { placement: {}, replicas: 1, clusters: [{ name: 'east-1' }] });
const tolerating = (tolerationSeconds: number) => ({
  ...cart,
  spec: { ...cart.spec, failover: { application: { decisionConditions: { tolerationSeconds } } } },
});

/** Trials in which tolerations of at least this many seconds help. */
function trials(enough: number): Trials {
  return {
    refused: undefined,
    tried: 0,
    try: (change) => {
      const merge = change.patches[0]?.merge;
      const seconds = Number(/"tolerationSeconds":(\d+)/.exec(JSON.stringify(merge))?.[1]);
      return seconds >= enough ? change : undefined;
    },
  };
}

describe('a workload that flaps because it is evicted before it is ready', () => {
  test('gets a proposal with the smallest toleration that helps', () => {
    expect(longerToleration(tolerating(30), trials(50))?.text).toBe(
      'tolerate Unhealthy for 1m instead of 30s',
    );
    expect(longerToleration(tolerating(30), trials(100))?.text).toBe(
      'tolerate Unhealthy for 2m instead of 30s',
    );
  });

  test('gets no proposal if no toleration helps, or without application failover', () => {
    expect(longerToleration(tolerating(30), trials(1000))).toBeUndefined();
    expect(longerToleration(cart, trials(0))).toBeUndefined();
  });
});
