import { showsUnicode } from '../capabilities.ts';
import type { Line } from '../../presentation/text/spans.ts';

/** Characters of a bar: for what is done and to come. */
interface BarCharacters {
  done: string;
  toCome: string;
}

export const blocks: BarCharacters = { done: '█', toCome: '░' };
/** for terminals that may show only ASCII */
export const asciiBlocks: BarCharacters = { done: '#', toCome: '.' };

/** The characters that a dashboard draws with. */
export interface Characters {
  bar: BarCharacters;
  /** between the pages of a path */
  path: string;
  /** before the chosen line, and as many columns before the others */
  chosen: string;
  up: string;
  down: string;
  dot: string;
  /** a line between parts of a screen is made of it */
  rule: string;
  /** where the next character goes */
  cursor: string;
}

export const unicodeCharacters: Characters = {
  bar: blocks,
  path: '›',
  chosen: '▸ ',
  up: ' ↑',
  down: ' ↓',
  dot: '·',
  rule: '─',
  cursor: '▏',
};

/** for terminals that may show only ASCII */
export const asciiCharacters: Characters = {
  bar: asciiBlocks,
  path: '>',
  chosen: '> ',
  up: ' ^',
  down: ' v',
  dot: '|',
  rule: '-',
  cursor: '_',
};

/** The characters that fit the locale. */
export function charactersFor(env: NodeJS.ProcessEnv): Characters {
  return showsUnicode(env) ? unicodeCharacters : asciiCharacters;
}

interface BarProps {
  done: number;
  total: number;
  columns: number;
  characters: BarCharacters;
}

/**
 * How much of something is done, as a line: empty if nothing is, and full only if everything is. What is done takes at least one column.
 */
export function barLine({ done, total, columns, characters }: BarProps): Line {
  const share = done === 0 ? 0 : Math.max(1, Math.floor((done * columns) / total));
  const full = done === total ? columns : Math.max(0, Math.min(share, columns - 1));
  return [
    { tone: 'good', text: characters.done.repeat(full) },
    { tone: 'faint', text: characters.toCome.repeat(columns - full) },
  ];
}
