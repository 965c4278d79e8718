import { expect, test } from '@jest/globals';
import { evictApplication } from '../../src/engine/application/applicationEviction.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { deployment } from '../engine/simulation/controlPlane.ts';
import { onOneOf } from './underDesign.ts';

test('001 feature gate: GracefulEviction is gone, and application failover evicts gracefully without it', () => {
  const nginx = deployment('nginx', {
    placement: onOneOf('member1', 'member2'),
    clusters: [{ name: 'member1' }],
    spec: { failover: { application: { purgeMode: 'Gracefully' } } },
  });
  const gates = { GracefulEviction: false, StatefulFailoverInjection: false };
  const evicted = (version: string) => {
    const { rules } = dialectOf(version).dialect;
    return evictApplication(nginx, nginx.spec, 'member1', gates, rules);
  };
  expect(dialectOf('proposal').dialect.featureGates).not.toHaveProperty('GracefulEviction');
  expect(evicted('proposal')).toMatchObject({
    spec: { gracefulEvictionTasks: [{ purgeMode: 'Gracefully' }] },
  });
  expect(evicted('v1.18')).toEqual({
    error: 'GracefulEviction featureGate must be enabled when purgeMode is Gracefully',
  });
});
