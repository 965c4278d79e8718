import { expect, test } from '@jest/globals';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { barLine, asciiBlocks } from '../../../src/terminal/screen/characters.ts';

test('a bar is empty while nothing is done, shows a column for any progress, and is full only at the end', () => {
  const bar = (done: number, total: number) =>
    lineText(barLine({ done, total, columns: 10, characters: asciiBlocks }), plainStyle);
  expect(bar(0, 3)).toBe('..........');
  expect(bar(1, 100)).toBe('#.........');
  expect(bar(99, 100)).toBe('#########.');
  expect(bar(100, 100)).toBe('##########');
});
