import type { Block, Presentation, Words } from '../presentation/model.ts';

/** Lines beneath one another, as sections and presentations hold them. */
export function lineBlocks(lines: readonly Words[]): Block[] {
  return lines.map((words) => ({ type: 'paragraph', words }));
}

/** A presentation that is a line for each thing. */
export function inLines(lines: readonly Words[]): Presentation {
  return { blocks: [{ type: 'section', blocks: lineBlocks(lines) }] };
}
