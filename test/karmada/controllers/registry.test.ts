import { expect, test } from '@jest/globals';
import { isControllerManagers } from '../../../src/karmada/controllers/registry.ts';
import { cluster, world } from '../../simulator/simulation/controlPlane.ts';
import { onStage } from './onStage.ts';

test('karmada-controller-manager looks at everything but what the scheduler, the members and the agents of Pull members do', () => {
  const pull = { ...cluster('pull-1'), spec: { syncMode: 'Pull' as const } };
  const { store } = onStage(world([cluster('push-1'), pull], []));
  const of = (...[controller, key]: [Parameters<typeof isControllerManagers>[0], string]) =>
    isControllerManagers(controller, key, store);
  expect(of('cluster-taint-policy-controller', 'pull-1')).toBe(true);
  expect(of('binding-controller', 'shop/cart-deployment')).toBe(true);
  expect([of('cluster-status', 'push-1'), of('cluster-status', 'pull-1')]).toEqual([true, false]);
  expect([
    of('execution-controller', 'karmada-es-push-1/w'),
    of('execution-controller', 'karmada-es-pull-1/w'),
  ]).toEqual([true, false]);
  expect([of('work-status', 'karmada-es-push-1/w'), of('work-status', 'karmada-es-pull-1/w')]).toEqual([
    true,
    false,
  ]);
  expect([of('scheduler', 'shop/cart-deployment'), of('kubelet', 'karmada-es-push-1/w')]).toEqual([
    false,
    false,
  ]);
});
