import type { Style } from '../style.ts';

/** Characters of a bar: for what is done, under way and to come. */
export interface BarCharacters {
  done: string;
  underWay: string;
  toCome: string;
}

export const blocks: BarCharacters = { done: '█', underWay: '▓', toCome: '░' };
/** for terminals that are not known to show more than ASCII */
export const asciiBlocks: BarCharacters = { done: '#', underWay: '=', toCome: '.' };

/**
 * A bar of so many columns. Whatever there is any of takes at least one column, and the bar is full only when
 * all is done.
 */
export function progressBar(
  { done, underWay, total }: { done: number; underWay: number; total: number },
  columns: number,
  { characters, style }: { characters: BarCharacters; style: Style },
): string {
  const share = (count: number) => (count === 0 ? 0 : Math.max(1, Math.floor((count * columns) / total)));
  const full = done === total ? columns : Math.min(share(done), columns - 1);
  const begun = Math.min(share(underWay), columns - full - (done + underWay < total ? 1 : 0));
  const rest = columns - full - Math.max(0, begun);
  return (
    style.good(characters.done.repeat(full)) +
    style.warn(characters.underWay.repeat(Math.max(0, begun))) +
    style.faint(characters.toCome.repeat(rest))
  );
}
