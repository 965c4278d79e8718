import { expect, test } from '@jest/globals';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { barLine, asciiBlocks } from '../../../src/terminal/screen/characters.ts';

test('a bar shows at least one column of whatever there is, and is full at the end alone', () => {
  const bar = (done: number, underWay: number) =>
    lineText(barLine({ done, underWay, total: 100, columns: 10, characters: asciiBlocks }), plainStyle);
  expect(bar(0, 0)).toBe('..........');
  expect(bar(1, 1)).toBe('#=........');
  expect(bar(99, 1)).toBe('#########=');
  expect(bar(100, 0)).toBe('##########');
});
