import { showsUnicode } from '../capabilities.ts';
import type { Line } from '../../presentation/text/spans.ts';

/** Characters of a bar: for what is done, under way and to come. */
interface BarCharacters {
  done: string;
  underWay: string;
  toCome: string;
}

export const blocks: BarCharacters = { done: '█', underWay: '▓', toCome: '░' };
/** for terminals that may show only ASCII */
export const asciiBlocks: BarCharacters = { done: '#', underWay: '=', toCome: '.' };

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

interface BarProps {
  done: number;
  underWay: number;
  total: number;
  columns: number;
  characters: BarCharacters;
}

/**
 * How much of something is done, under way and to come, as a line. Each part that is not zero takes at least one column,
 * and the bar is full only if everything is done.
 */
export function barLine({ done, underWay, total, columns, characters }: BarProps): Line {
  const share = (count: number) => (count === 0 ? 0 : Math.max(1, Math.floor((count * columns) / total)));
  const full = done === total ? columns : Math.max(0, Math.min(share(done), columns - 1));
  const begun = Math.max(0, Math.min(share(underWay), columns - full - (done + underWay < total ? 1 : 0)));
  return [
    { tone: 'good', text: characters.done.repeat(full) },
    { tone: 'warn', text: characters.underWay.repeat(begun) },
    { tone: 'faint', text: characters.toCome.repeat(columns - full - begun) },
  ];
}
