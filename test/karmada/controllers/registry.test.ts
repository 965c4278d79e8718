import { expect, test } from '@jest/globals';
import { processOf } from '../../../src/karmada/controllers/registry.ts';
import { cluster, world } from '../../simulator/simulation/controlPlane.ts';
import { onStage } from './onStage.ts';

test('each process reconciles the keys of its controllers, and an agent reconciles the keys of its Pull member', () => {
  const pull = { ...cluster('pull-1'), spec: { syncMode: 'Pull' as const } };
  const { store } = onStage(world([cluster('push-1'), pull], []));
  const of = (controller: string, key: string) => processOf(controller, key, store);
  const [manager, agent] = ['karmada-controller-manager', 'karmada-agent'];
  expect(of('cluster-taint-policy-controller', 'pull-1')).toBe(manager);
  expect(of('binding-controller', 'shop/cart-deployment')).toBe(manager);
  expect([of('cluster-status', 'push-1'), of('cluster-status', 'pull-1')]).toEqual([manager, agent]);
  for (const controller of ['execution-controller', 'work-status'])
    expect([of(controller, 'karmada-es-push-1/w'), of(controller, 'karmada-es-pull-1/w')]).toEqual([
      manager,
      agent,
    ]);
  expect(of('scheduler', 'shop/cart-deployment')).toBe('karmada-scheduler');
  expect(of('kubelet', 'karmada-es-push-1/w')).toBe('member');
  expect(of('drain', 'shop/cart-deployment')).toBeUndefined();
});
