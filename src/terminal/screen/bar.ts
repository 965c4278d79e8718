import type { Line } from '../../presentation/text/spans.ts';

/** Characters of a bar: for what is done, under way and to come. */
export interface BarCharacters {
  done: string;
  underWay: string;
  toCome: string;
}

export const blocks: BarCharacters = { done: '█', underWay: '▓', toCome: '░' };
/** for terminals that may show only ASCII */
export const asciiBlocks: BarCharacters = { done: '#', underWay: '=', toCome: '.' };

export interface BarProps {
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
