import type { Block, Presentation, Words } from '../../presentation/model.ts';

/** Lines below one another, as blocks. */
export function lineBlocks(lines: readonly Words[]): Block[] {
  return lines.map((words) => ({ type: 'paragraph', words }));
}

/** A presentation of lines below one another. */
export function inLines(lines: readonly Words[]): Presentation {
  return { blocks: [{ type: 'section', blocks: lineBlocks(lines) }] };
}
