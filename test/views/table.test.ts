import { describe, expect, test } from '@jest/globals';
import { colourStyle } from '../../src/views/style.ts';
import { table } from '../../src/views/table.ts';

describe('a table', () => {
  test('aligns its columns, three apart, without blanks at the end of a line', () => {
    expect(
      table(
        ['NAME', 'READY'],
        [
          ['frankfurt', 'True'],
          ['rome', 'False'],
        ],
      ),
    ).toBe(['NAME        READY', 'frankfurt   True', 'rome        False'].join('\n'));
  });

  test('has a dash for an empty cell, so that columns can be counted', () => {
    expect(table(['A', 'B', 'C'], [['1', '', '3']])).toBe('A   B   C\n1   -   3');
  });

  test('is aligned by what is seen, not by escape sequences', () => {
    const plain = table(['A', 'B'], [['x', 'y']]);
    const coloured = table(['A', 'B'], [[colourStyle.bad('x'), 'y']]);
    // eslint-disable-next-line no-control-regex
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  test('has no header where none is wanted', () => {
    expect(table(['A'], [['1']], { noHeaders: true })).toBe('1');
    expect(table(['A'], [], { noHeaders: true })).toBe('');
  });
});
