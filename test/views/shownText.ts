import { flagNames } from '../../src/cli/flagNames.ts';
import type { Block, Words } from '../../src/presentation/model.ts';
import { renderText, wordsText } from '../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../src/presentation/text/style.ts';
import type { Answer, Shown } from '../../src/views/answer.ts';

/** Not in full, with headers, with the names of the command line. */
export const plainly: Shown = { wide: false, noHeaders: false, names: flagNames };

/** The text of an answer in a pipe, or on a screen with this many columns. */
export function answerText(
  answer: Pick<Answer, 'presentation'>,
  { wide = false, noHeaders = false, width }: Partial<Shown> & { width?: number } = {},
): string {
  const shown = { wide, noHeaders, names: flagNames };
  return renderText(answer.presentation(shown), { style: plainStyle, width, ...shown });
}

/** The text of blocks in a pipe, or on a screen with this many columns. */
export function blocksText(blocks: readonly Block[], width?: number): string {
  return renderText({ blocks }, { style: plainStyle, width });
}

/** One line of it. */
export function lineText(words: Words): string {
  return wordsText(words, plainStyle);
}
