import { showsUnicode } from '../capabilities.ts';
import type { Line } from '../../presentation/text/spans.ts';

/** The characters of a bar: for the done and the remaining part. */
interface BarCharacters {
  done: string;
  toCome: string;
}

const blocks: BarCharacters = { done: '█', toCome: '░' };
/** for terminals that may show only ASCII */
export const asciiBlocks: BarCharacters = { done: '#', toCome: '.' };

/** The characters that a dashboard draws with. */
export interface Characters {
  bar: BarCharacters;
  /** between the pages of a path */
  path: string;
  /** before the selected line, and as many columns before the others */
  chosen: string;
  up: string;
  down: string;
  dot: string;
  /** for a line between parts of a screen */
  rule: string;
  /** the cursor of the input */
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

/** A progress bar: empty at zero, and full only when everything is done. Any progress takes at least one column. */
export function barLine({ done, total, columns, characters }: BarProps): Line {
  const share = done === 0 ? 0 : Math.max(1, Math.floor((done * columns) / total));
  const full = done === total ? columns : Math.max(0, Math.min(share, columns - 1));
  return [
    { tone: 'good', text: characters.done.repeat(full) },
    { tone: 'faint', text: characters.toCome.repeat(columns - full) },
  ];
}
