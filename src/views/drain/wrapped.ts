import { width } from '../style.ts';

/** Words, or other pieces that stay whole, in lines of at most so many columns where each piece fits. */
export function wrapped(pieces: readonly string[], columns: number, separator = ' '): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line !== undefined && width(line) + separator.length + width(piece) <= columns)
      lines[lines.length - 1] = line + separator + piece;
    else lines.push(piece);
  }
  return lines;
}
