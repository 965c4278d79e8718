import { expect, test } from '@jest/globals';
import { renderText } from '../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../src/presentation/text/style.ts';
import { growingTable } from '../../src/views/watching.ts';

const begin = (names: string[], options: { noHeaders?: boolean; width?: number } = {}) => {
  const table = growingTable(
    names.map((name) => ({ name })),
    [{ drop: ['FROM'] }],
  );
  return (cells: string[][]) =>
    renderText({ blocks: [table.rows(cells)] }, { style: plainStyle, ...options });
};

test('later rows are aligned with the columns, and widen them permanently', () => {
  const rows = begin(['WORKLOAD', 'FROM', 'VERDICT']);
  expect(rows([['Deployment/cart', 'member1', 'new']])).toBe(
    ['WORKLOAD          FROM      VERDICT', 'Deployment/cart   member1   new'].join('\n'),
  );
  expect(rows([['Job/a', '', 'held']])).toBe('Job/a             -         held');
  expect(rows([['StatefulSet/ledger', 'member1', 'new']])).toBe('StatefulSet/ledger   member1   new');
  expect(rows([['Job/a', 'member1', 'new']])).toBe('Job/a                member1   new');
});

test('headers can be omitted', () => {
  expect(begin(['A', 'B'], { noHeaders: true })([['1', '2']])).toBe('1   2');
});

test('on a narrow screen the same columns stay hidden', () => {
  const rows = begin(['WORKLOAD', 'FROM', 'VERDICT'], { width: 26 });
  expect(rows([['Deployment/cart', 'member1', 'new']])).toBe(
    ['WORKLOAD          VERDICT', 'Deployment/cart   new', 'Hidden: FROM (-o wide', 'shows all)'].join('\n'),
  );
  expect(rows([['Job/a', 'member1', 'held']])).toBe('Job/a             held');
});
