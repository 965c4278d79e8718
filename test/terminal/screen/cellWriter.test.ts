import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { characterWidth } from '../../../src/presentation/text/displayWidth.ts';
import { createCellWriter } from '../../../src/terminal/screen/cellWriter.ts';

const ESC = '\u001b';

/** A terminal that understands the writer's output: positions, colours, and clearing. */
class Terminal {
  cells: string[][];
  readonly #columns: number;
  readonly #rows: number;
  #row = 0;
  #column = 0;
  #style = '';

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
    this.cells = this.#blank();
  }

  #blank(): string[][] {
    return Array.from({ length: this.#rows }, () => Array<string>(this.#columns).fill(' '));
  }

  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      // eslint-disable-next-line no-control-regex
      const [whole, codes = '', command] = /^\u001b\[([0-9;?]*)([A-Za-z])/.exec(text.slice(at)) ?? [];
      if (whole === undefined) {
        const character = String.fromCodePoint(text.codePointAt(at)!);
        this.#put(character);
        at += character.length;
        continue;
      }
      at += whole.length;
      if (command === 'J') this.cells = this.#blank();
      if (command === 'H')
        [this.#row, this.#column] = codes.split(';').map((one) => Number(one) - 1) as [number, number];
      if (command === 'K') this.cells[this.#row]!.fill(' ', this.#column);
      if (command === 'm') this.#style = codes.replace(/^0;?/, '');
    }
  }

  #put(character: string): void {
    const width = characterWidth(character);
    const row = this.cells[this.#row]!;
    const styled = this.#style === '' ? character : `${this.#style}|${character}`;
    if (width === 0) {
      const last = row[this.#column - 1] === '' ? this.#column - 2 : this.#column - 1;
      row[last] += character;
      return;
    }
    if (this.#column + width > this.#columns) throw new Error('it writes beyond the right edge');
    row[this.#column] = styled;
    if (width === 2) row[this.#column + 1] = '';
    this.#column += width;
  }
}

const styles = ['', '1', '2', '31', '32', '7'];
const span = fc.tuple(
  fc.constantFrom(...styles),
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '界', 'é', '\u0308'), maxLength: 6 }),
);
const line = fc.array(span, { maxLength: 5 });
const frame = fc.array(line, { minLength: 1, maxLength: 5 });
const END: Record<string, string> = { 1: '22', 2: '22', 31: '39', 32: '39', 7: '27' };

function frameText(lines: readonly (readonly (readonly [string, string])[])[]): string {
  return lines
    .map((spans) =>
      spans
        .map(([style, text]) => (style === '' ? text : `${ESC}[${style}m${text}${ESC}[${END[style]!}m`))
        .join(''),
    )
    .join('\n');
}

test('after any sequence of frames, the terminal equals a fresh one with the last frame', () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), (frames) => {
      const size = { columns: 12, rows: 5 };
      const [changed, fresh] = [new Terminal(12, 5), new Terminal(12, 5)];
      const writer = createCellWriter((text) => changed.write(text), size);
      for (const one of frames) writer.frame(frameText(one).split('\n'));
      createCellWriter((text) => fresh.write(text), size).frame(frameText(frames.at(-1)!).split('\n'));
      expect(changed.cells).toEqual(fresh.cells);
    }),
    { numRuns: 500 },
  );
});

test('only changed cells are sent', () => {
  const sent: string[] = [];
  const writer = createCellWriter((text) => void sent.push(text), { columns: 40, rows: 3 });
  writer.frame(['clusters', '▸ dublin     True', '  frankfurt  True']);
  writer.frame(['clusters', '▸ dublin     True', '  frankfurt  False']);
  writer.frame(['clusters', '▸ dublin     True', '  frankfurt  False']);
  expect(sent.slice(1)).toEqual([`${ESC}[?2026h${ESC}[3;14HFalse${ESC}[?2026l`]);
});

test('after a resize, all cells are sent again', () => {
  const sent: string[] = [];
  const writer = createCellWriter((text) => void sent.push(text), { columns: 40, rows: 3 });
  writer.frame(['clusters']);
  writer.clear({ columns: 4, rows: 1 });
  writer.frame(['clusters', 'more']);
  expect(sent.at(-1)).toBe(`${ESC}[?2026h${ESC}[0m${ESC}[2J${ESC}[1;1Hclus${ESC}[?2026l`);
});
