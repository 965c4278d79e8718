import { describe, expect, test } from '@jest/globals';
import type { TaintEffect } from '../../src/karmada/api/meta.ts';
import { parseAssumption } from '../../src/karmada/configuration/assumptions.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { evictsByTaints, taintEvictionSwitches } from '../../src/karmada/configuration/taintEviction.ts';
import { cluster, deployment, outcomeOf, run } from '../simulator/simulation/controlPlane.ts';
import { proposal } from './documents.ts';
import { evicting, onOneOf, plainWorld } from './underDesign.ts';

const on = evicting('proposal');
const off: Configuration = { ...on, featureGates: { ...on.featureGates, Failover: false } };
const state = plainWorld(
  [cluster('member1'), cluster('member2'), cluster('member3')],
  [
    deployment('nginx', {
      placement: onOneOf('member1', 'member2'),
      clusters: [{ name: 'member1', replicas: 2 }],
      replicas: 2,
      spec: { failover: { cluster: { tolerationSeconds: 0 } } },
    }),
  ],
);
const tainted = (configuration: Configuration, effect: TaintEffect) =>
  outcomeOf(
    run(state, {
      configuration,
      events: [[10, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect } }]],
    }),
    'nginx',
  );

describe('001 feature gate: Failover enables or disables all of cluster failover', () => {
  test.each<TaintEffect>(['NoExecute', 'PreferNoExecute'])(
    '001 feature gate: a manual %s taint migrates workloads only if the gate is enabled',
    (effect) => {
      expect(tainted(off, effect)).toMatchObject({
        outcome: 'stays',
        reason: 'nothing is evicted: feature gate Failover=false',
      });
      expect(tainted(on, effect)).toMatchObject({ outcome: 'moves' });
    },
  );

  test('001 feature gate: Failover is the only switch', () => {
    expect(taintEvictionSwitches(on)).toEqual([{ name: 'Failover', on: true }]);
    expect([evictsByTaints(on), evictsByTaints(off)]).toEqual([true, false]);
  });

  test.each([
    'enable-taint-manager=true',
    'enable-no-execute-taint-eviction=true',
    'no-execute-taint-eviction-purge-mode=Directly',
    'GracefulEviction=false',
  ])('001 feature gate: %s is unknown', (assumption) => {
    expect(parseAssumption(assumption, 'a test', proposal)).toHaveProperty('message');
  });
});
