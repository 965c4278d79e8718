import { expect, test } from '@jest/globals';
import { plural } from '../../../src/views/words/amounts.ts';

test.each([
  [0, 'workload', '0 workloads'],
  [1, 'workload', '1 workload'],
  [2, 'ready replica', '2 ready replicas'],
  [1, 'policy', '1 policy'],
  [3, 'policy', '3 policies'],
])('%i of "%s" is written "%s"', (count, one, text) => {
  expect(plural(count, one)).toBe(text);
});
