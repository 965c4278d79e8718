import type { Readable } from 'node:stream';

/** The longest line passed on. */
const LONGEST_LINE = 1000;
const PREFIX = 'warning: '.length;

/** Passes on each stderr line of a thread, without "warning: ". A line may arrive in pieces. */
export function linesOf(stderr: Readable, notify: (line: string) => void): void {
  const say = (line: string) => {
    if (line.trim() !== '') notify(line.slice(0, LONGEST_LINE).replace(/^warning: /, ''));
  };
  let rest = '';
  stderr
    .setEncoding('utf8')
    .on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n');
      // limits the buffer for an endless line
      rest = lines.pop()!.slice(0, LONGEST_LINE + PREFIX);
      lines.forEach(say);
    })
    .on('end', () => say(rest));
}
