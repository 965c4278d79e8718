import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lineWidth } from '../../../src/presentation/text/spans.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { Frame } from '../../../src/terminal/screen/Frame.tsx';
import { openLayout } from '../../../src/terminal/screen/layout.tsx';
import { Row, Rows } from '../../../src/terminal/screen/Row.tsx';
import { rowWithEnds, type ScreenRow, type ScreenSize } from '../../../src/terminal/screen/screenLine.ts';
import { laidOut } from './laidOut.ts';

const shown = (rows: readonly ScreenRow[], size: ScreenSize) =>
  laidOut(<Rows rows={rows} />, size).map(({ line }) => lineText(line, plainStyle));

describe('a row', () => {
  test('that is too wide is truncated with "…"', () => {
    expect(shown([{ line: ['eighteen characters'] }], { columns: 12, rows: 1 })).toEqual(['eighteen ch…']);
  });

  test('truncates its left text to fit its right text, with two columns between them', () => {
    expect(
      shown([rowWithEnds('the source', 'live'), rowWithEnds('a', '')], { columns: 20, rows: 2 }),
    ).toEqual(['the source      live', `a${' '.repeat(19)}`]);
    expect(shown([rowWithEnds('the source of it', 'just now')], { columns: 20, rows: 1 })).toEqual([
      'the sourc…  just now',
    ]);
    expect(shown([rowWithEnds('the source', 'nothing heard for a day')], { columns: 20, rows: 1 })).toEqual([
      'nothing heard for a…',
    ]);
  });

  test('truncates its right text at its maximum width', () => {
    expect(
      shown([rowWithEnds('the source of it', 'if everything fails', 8)], { columns: 20, rows: 1 }),
    ).toEqual(['the sourc…  if ever…']);
  });

  test('is highlighted over the whole width if it is selected; wide characters take two columns', () => {
    const [line] = laidOut(<Row line={['漢字']} chosen />, { columns: 8, rows: 1 });
    expect(line).toEqual({ line: ['漢字    '], chosen: true });
  });
});

describe('a frame', () => {
  const framed = (body: readonly ScreenRow[], size: ScreenSize) =>
    laidOut(
      <Frame size={size} above={<Row line={['above']} />} below={<Row line={['below']} />}>
        <Rows rows={body} />
      </Frame>,
      size,
    ).map(({ line }) => lineText(line, plainStyle));

  test('gives its body exactly the rows between top and bottom', () => {
    const size = { columns: 20, rows: 8 };
    expect(framed([{ line: ['one'] }], size)).toEqual(['above', 'one', '', '', '', '', '', 'below']);
    const many = Array.from({ length: 9 }, (_, at) => ({ line: [String(at)] }));
    expect(framed(many, size)).toEqual(['above', '0', '1', '2', '3', '4', '5', 'below']);
  });

  test('names the minimum size if the terminal is too small', () => {
    expect(framed([], { columns: 19, rows: 8 })[0]).toBe('Too small: min 20×8');
    expect(framed([], { columns: 20, rows: 7 })[0]).toBe('Too small: min 20×8');
  });
});

const spans = fc.constantFrom('', 'clusters', '  漢字', 'áb', { tone: 'bad' as const, text: 'lost' });
const line = fc.array(spans, { maxLength: 4 });
const rows = fc.array(
  fc.oneof(line, fc.record({ line, end: fc.option(line, { nil: undefined }), chosen: fc.boolean() })),
  {
    maxLength: 6,
  },
);
const sizes = fc.record({ columns: fc.integer({ min: 1, max: 60 }), rows: fc.integer({ min: 1, max: 8 }) });

test('a screen does not depend on earlier screens', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(rows, sizes), { maxLength: 8 }), (screens) => {
      for (const [some, size] of screens) {
        const again = laidOut(<Rows rows={some} />, size);
        const first = openLayout();
        expect(again).toEqual(first.lines(<Rows rows={some} />, size));
        first.close();
        expect(again.length).toBe(size.rows);
        for (const one of again) expect(lineWidth(one.line)).toBeLessThanOrEqual(size.columns);
      }
    }),
    { numRuns: 50 },
  );
});

test('an error in a component is thrown by the layout', () => {
  const layout = openLayout();
  const Broken = () => {
    throw new Error('broken');
  };
  expect(() => layout.lines(<Broken />, { columns: 20, rows: 8 })).toThrow('broken');
  layout.close();
});
