import { expect, test } from '@jest/globals';
import { flagNames } from '../../../src/cli/flagNames.ts';
import { refusalMessage } from '../../../src/views/drain/beforeDrain.ts';

const pinned = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ kind: 'Deployment', namespace: 'shop', name: `pinned-${at}` }));

test('a refusal names the flag that overrides it, and the first few of many workloads', () => {
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

test('a refusal omits the flag if it is accepted, and the list if there are no workloads', () => {
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
