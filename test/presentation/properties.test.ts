import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderHtml } from '../../src/presentation/html/renderHtml.ts';
import type { Block, Table, Words } from '../../src/presentation/model.ts';
import { displayWidth } from '../../src/presentation/text/displayWidth.ts';
import { renderText } from '../../src/presentation/text/renderText.ts';
import { colourStyle, plainStyle } from '../../src/presentation/text/style.ts';
import { presentable } from '../../src/presentation/presentable.ts';
import { plain } from '../../src/presentation/words.ts';
import { presentation, table } from './random.ts';

const widths = fc.integer({ min: 20, max: 200 });
// eslint-disable-next-line no-control-regex
const OUR_SEQUENCES = /\u001b\[(?:1|2|22|3[123]|39)m/g;
const unspaced = (text: string) => text.replaceAll(/\s/g, '');
const cellTexts = ({ rows }: Table) => rows.flat().map((cell: Words) => presentable(plain(cell)));
/** A two-column character after an empty cell that is wider than the screen. */
const farRight: Block = { type: 'rows', rows: [['x'.repeat(31)], ['', '漢', '~']] };

describe('any presentation', () => {
  test('has no line wider than the screen', () => {
    fc.assert(
      fc.property(presentation, widths, fc.boolean(), (given, width, wide) => {
        const lines = renderText(given, { style: plainStyle, width, wide }).split('\n');
        expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
      }),
      { examples: [[{ blocks: [farRight] }, 20, false]] },
    );
  });

  test('has only the escape sequences of tones, each closed on its line', () => {
    fc.assert(
      fc.property(presentation, fc.option(widths, { nil: undefined }), (given, width) => {
        const text = renderText(given, { style: colourStyle, width });
        expect(text.replaceAll(OUR_SEQUENCES, '')).not.toMatch(/[^\P{C}\n]/u);
        for (const line of text.split('\n')) {
          const sequences = line.match(OUR_SEQUENCES) ?? [];
          const opened = sequences.filter((one) => !/\[(22|39)m/.test(one)).length;
          expect(sequences.length).toBe(2 * opened);
        }
        expect(text.replaceAll(OUR_SEQUENCES, '')).toBe(renderText(given, { style: plainStyle, width }));
      }),
    );
  });

  test('contains no external HTML element', () => {
    fc.assert(
      fc.property(presentation, (given) => {
        const html = renderHtml(given);
        expect(html.match(/<\/?[a-z0-9]+/g)?.filter((tag) => /^<\/?b$/.test(tag)) ?? []).toEqual([]);
        expect(html).not.toContain('"&');
      }),
    );
  });
});

describe('a table', () => {
  test('is complete in a pipe: a line for each row, with every column in full', () => {
    fc.assert(
      fc.property(table, (given) => {
        const lines = renderText({ blocks: [given] }, { style: plainStyle, noHeaders: true }).split('\n');
        expect(lines).toHaveLength(Math.max(1, given.rows.length));
        for (const [at, row] of given.rows.entries())
          for (const cell of row) expect(unspaced(lines[at]!)).toContain(unspaced(presentable(plain(cell))));
      }),
    );
  });

  test('is complete on a screen with -o wide', () => {
    fc.assert(
      fc.property(table, widths, (given, width) => {
        const text = renderText({ blocks: [given] }, { style: plainStyle, width, wide: true });
        const characters = (of: string) => [...unspaced(of).replaceAll(/[^a-z0-9]/g, '')].sort().join('');
        const missing = [...characters(cellTexts(given).join(''))];
        const seen = characters(text);
        for (const character of new Set(missing))
          expect(seen.split(character).length).toBeGreaterThanOrEqual(
            missing.filter((one) => one === character).length + 1,
          );
      }),
    );
  });
});
