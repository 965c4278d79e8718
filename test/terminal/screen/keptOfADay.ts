// The memory kept from a day of updates, one every ten seconds: prints the heap bytes per text that is no longer shown, if it is laid out
// in rows, and if Ink's own Text measures it. Needs --expose-gc.
import { EventEmitter } from 'node:events';
import { Box, render, Text } from 'ink';
import { createElement } from 'react';
import { colourStyle } from '../../../src/presentation/text/style.ts';
import { createCellWriter } from '../../../src/terminal/screen/cellWriter.ts';
import { openLayout } from '../../../src/terminal/screen/layout.tsx';
import { Rows } from '../../../src/terminal/screen/Row.tsx';
import {
  partsOf,
  screenTexts,
  rowWithEnds,
  type ScreenRow,
} from '../../../src/terminal/screen/screenLine.ts';

const UPDATES = 8640;
const SIZE = { columns: 120, rows: 3 };

/** Each of the texts is shown once. */
const rowsAt = (update: number): ScreenRow[] => [
  rowWithEnds(`karmada, update ${update}`, { tone: 'faint', words: `live, ${update * 10} s` }),
  { line: [`  shop/deployment/cart  ${update * 10}s  `.padEnd(110, '·')] },
  { line: [`▸ shop/deployment/ledger-${update}`], chosen: true },
];

function heap(): number {
  globalThis.gc!();
  return process.memoryUsage().heapUsed;
}

/** Bytes kept per text. */
function keptBy(draw: (update: number) => void, updates: number): number {
  for (let update = -500; update < 0; update++) draw(update);
  const before = heap();
  for (let update = 0; update < updates; update++) draw(update);
  return (heap() - before) / (updates * SIZE.rows);
}

const layout = openLayout();
const writer = createCellWriter(() => undefined, SIZE);
const rows = keptBy((update) => {
  const element = createElement(Rows, { rows: rowsAt(update) });
  writer.frame(screenTexts(layout.lines(element, SIZE), colourStyle, true));
}, UPDATES);

const stream = Object.assign(new EventEmitter(), { ...SIZE, write: () => true });
const stdout = stream as unknown as NodeJS.WriteStream;
const ink = render(null, { stdout, debug: true, exitOnCtrlC: false, patchConsole: false });
const texts = keptBy((update) => {
  const shown = rowsAt(update).map((row, key) => createElement(Text, { key }, String(partsOf(row).line[0])));
  ink.rerender(createElement(Box, { flexDirection: 'column' }, shown));
}, UPDATES / 5);

console.log(JSON.stringify({ rows, texts }));
process.exit(0);
