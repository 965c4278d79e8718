import { expect, test } from '@jest/globals';
import { flagNames } from '../../../src/cli/flagNames.ts';
import { refusalMessage } from '../../../src/views/drain/beforeDrain.ts';

const pinned = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ kind: 'Deployment', namespace: 'shop', name: `pinned-${at}` }));

test('what speaks against a drain names the flag that accepts it and the first few workloads of many', () => {
  expect(
    refusalMessage(
      {
        risk: 'blocked',
        accepted: false,
        problem: '7 workloads cannot leave',
        workloads: pinned(7),
      },
      flagNames,
    ),
  ).toBe(
    '7 workloads cannot leave (use --allow-blocked to override): shop/deployment/pinned-0, shop/deployment/pinned-1, shop/deployment/pinned-2 and 4 more',
  );
});

test('what is accepted, or concerns no workload, says no more than that', () => {
  expect(
    refusalMessage(
      {
        risk: 'loss',
        accepted: true,
        problem: '1 workload would be lost',
        workloads: pinned(1),
      },
      flagNames,
    ),
  ).toBe('1 workload would be lost: shop/deployment/pinned-0');
  expect(
    refusalMessage(
      { risk: 'unhealthy', accepted: false, problem: '2 of 3 are faulty', workloads: [] },
      flagNames,
    ),
  ).toBe('2 of 3 are faulty (use --allow-unhealthy to override)');
});
