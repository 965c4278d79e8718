import { expect, test } from '@jest/globals';
import type { Block } from '../../../src/presentation/model.ts';
import { renderText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';

const rows = Array.from({ length: 60 }, (_, at) => [`workload-${at}`, 'a long reason '.repeat(12)]);
const blocks: Block[] = [
  { type: 'paragraph', words: '60 workloads: 60 lost.' },
  { type: 'section', detail: 'steps', blocks: [{ type: 'paragraph', words: 'a step' }] },
  { type: 'table', columns: [{ name: 'WORKLOAD' }, { name: 'WHY', wraps: 20 }], rows },
];
const isRow = (line: string) => line.startsWith('workload-');
const limit = { height: 23, all: '--limit=0' };
const printed = (more: object) =>
  renderText({ blocks }, { style: plainStyle, width: 80, ...more }).split('\n');

test('on a screen the verdict stays, texts are whole, and hidden content is announced', () => {
  const lines = printed({ limit });
  expect(lines.length).toBe(21);
  expect(lines.join(' ').match(/reason/g)).toHaveLength(12 * lines.filter(isRow).length);
  expect(lines[0]).toBe('60 workloads: 60 lost.');
  expect(lines.join('\n')).toMatch(/… \d+ more: --limit=0\n/);
  expect(lines.at(-1)).toBe('Hidden: steps (--limit=0 shows all)');
  expect(lines.every((line) => line.length <= 80)).toBe(true);
});

test('without a limit all rows are printed', () => {
  expect(printed({}).filter(isRow)).toHaveLength(60);
});

test('a limit sets the number of rows', () => {
  const lines = printed({ limit: { rows: 3, all: '--limit=0' } });
  expect(lines.filter(isRow)).toHaveLength(3);
  expect(lines).toContain('… 57 more: --limit=0');
});
