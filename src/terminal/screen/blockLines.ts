import type { Block } from '../../presentation/model.ts';
import { blockLines } from '../../presentation/text/renderText.ts';
import type { Line } from '../../presentation/text/spans.ts';

/** Blocks with an empty line between them. */
export function linesOf(blocks: readonly Block[], columns: number): Line[] {
  return blocks
    .map((block) => blockLines(block, { width: columns }))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]));
}
