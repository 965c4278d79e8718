import { describe, expect, test } from '@jest/globals';
import { patched } from './applied.ts';
import { diagnosed } from './diagnosed.ts';
import { healthyObjects } from './healthyWorld.ts';

// Objects that no engine rule reads may contain any types: doctor reads only values of the expected type.

const controllers = { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-controller-manager' };
const leftOut = ['karmada-controller-manager', '--controllers=*,-binding'];

const started = (containers: unknown) => ({ spec: { template: { spec: { containers } } } });

const UNRENEWED = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'elsewhere', name: 'odd' },
  spec: { renewTime: null },
};

describe('doctor ignores', () => {
  test.each([
    ['values other than strings in a command', started([{ command: [...leftOut, null, 5, ['x']] }])],
    ['values other than strings in args', started([{ command: [leftOut[0]], args: [leftOut[1], true, {}] }])],
    ['args that are not a list', started([{ command: leftOut, args: 'x' }])],
  ])('%s', async (_, patch) => {
    const { findings } = await diagnosed(patched(healthyObjects(), controllers, patch));
    expect(findings.map(({ check }) => check)).toContain('controller-left-out');
  });

  test.each([['x'], [[null]], [[{ targetCluster: { clusterNames: 5 } }]]])(
    'an override with the invalid rules %j',
    async (overrideRules) => {
      const override = {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'OverridePolicy',
        metadata: { namespace: 'shop', name: 'odd' },
        spec: { overrideRules },
      };
      const { findings } = await diagnosed([...healthyObjects(), override]);
      expect(findings).toEqual([]);
    },
  );

  test('a Lease that its holder no longer renews', async () => {
    const { findings } = await diagnosed([...healthyObjects(), UNRENEWED]);
    expect(findings).toEqual([]);
  });
});
