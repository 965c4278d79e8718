import { expect, test } from '@jest/globals';
import { riskText } from '../../../src/views/taintPolicy/riskWords.ts';

const taint = { key: 'a', effect: 'NoSchedule' as const };
const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index + 1}`);

test.each([
  [1, 'm1'],
  [3, 'm1, m2, m3'],
  [12, '12 clusters (m1, m2, m3 and 9 more)'],
])('a risk on %i clusters is described in one line', (count, where) => {
  const clusters = names(count);
  expect(riskText({ code: 'order-open', policies: ['p', 'q'], taint, clusters })).toBe(
    `p and q were created in the same second and conflict over a:NoSchedule on ${where}`,
  );
  expect(riskText({ code: 'takes-anothers-taint', policy: 'p', taint, clusters, owner: 'person' })).toBe(
    `p removes a:NoSchedule, which belongs to an operator, from ${where}`,
  );
});

test.each([
  [['q'], {}, 'policy q lists it too'],
  [['q', 'r'], {}, 'policies q and r list it too'],
  [names(9), {}, 'policies m1, m2, m3, m4, m5, m6, m7, m8 and 1 more list it too'],
  [['q'], { others: 4 }, 'policies q and 4 more list it too'],
])('the description of a shared taint names the other policies %j', (policies, more, words) => {
  const at = { policy: 'p', field: 'spec.taints[0]', taint, clusters: [], ...more };
  expect(riskText({ ...at, code: 'taint-owned', owner: { kind: 'policy', names: policies } })).toBe(
    `a:NoSchedule: ${words}`,
  );
});
