import { showsUnicode } from '../showsUnicode.ts';
import { asciiBlocks, blocks, type BarCharacters } from './bar.ts';

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
  cursor: '_',
};

/** The characters that fit the locale. */
export function charactersFor(env: NodeJS.ProcessEnv): Characters {
  return showsUnicode(env) ? unicodeCharacters : asciiCharacters;
}
