import type { Readable } from 'node:stream';

/** The longest line that is passed on. */
const LONGEST_LINE = 1000;

/** Passes on each line that a thread writes to its stderr, without "warning: ". */
export function linesOf(stderr: Readable, tell: (line: string) => void): void {
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of chunk.split('\n'))
      if (line.trim() !== '') tell(line.slice(0, LONGEST_LINE).replace(/^warning: /, ''));
  });
}
