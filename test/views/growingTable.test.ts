import { expect, test } from '@jest/globals';
import { growingTable } from '../../src/views/growingTable.ts';

test('rows that come later stand under the columns, and widen them from then on', () => {
  const { rows } = growingTable(['WORKLOAD', 'FROM', 'VERDICT']);
  expect(rows([['Deployment/cart', 'member1', 'new']])).toBe(
    ['WORKLOAD          FROM      VERDICT', 'Deployment/cart   member1   new'].join('\n'),
  );
  expect(rows([['Job/a', '', 'held']])).toBe('Job/a             -         held');
  expect(rows([['StatefulSet/ledger', 'member1', 'new']])).toBe('StatefulSet/ledger   member1   new');
  expect(rows([['Job/a', 'member1', 'new']])).toBe('Job/a                member1   new');
});

test('names of columns may be left out', () => {
  expect(growingTable(['A', 'B'], { noHeaders: true }).rows([['1', '2']])).toBe('1   2');
});
