import { expect, test } from '@jest/globals';
import { possibleEndsText } from '../../../src/views/words/outcomeWords.ts';

const possibleEnds = [[{ name: 'sgp1', replicas: 4 }], [{ name: 'tok1', replicas: 4 }], []];

test('where a workload may end is listed; what flaps has no end, and may come to rest in another order', () => {
  expect(possibleEndsText({ outcome: 'moves', possibleEnds })).toEqual([
    'may end on sgp1×4 or on tok1×4 or on no cluster',
  ]);
  expect(possibleEndsText({ outcome: 'flaps', possibleEnds: possibleEnds.slice(0, 1) })).toEqual([
    'may come to rest on sgp1×4',
  ]);
  expect(possibleEndsText({ outcome: 'moves' })).toEqual([]);
});
