/** Characters of a bar: for what is done, under way and to come. */
export interface BarCharacters {
  done: string;
  underWay: string;
  toCome: string;
}

export const blocks: BarCharacters = { done: '█', underWay: '▓', toCome: '░' };
/** for terminals that may show only ASCII */
export const asciiBlocks: BarCharacters = { done: '#', underWay: '=', toCome: '.' };
