import { redacted } from '../kubernetes/redacted.ts';
import { visible, visibleLines } from '../presentation/visible.ts';

/**
 * The one place that writes to stderr what is said beside an answer. Names, values and messages of others are part of such lines, so
 * each is shown with visible escapes and without secrets.
 */

/** One line on stderr: the answer holds, but this is to be known. */
export function sayWarning(text: string): void {
  write(`warning: ${text}`);
}

/** One line on stderr: why there is no answer, or why nothing was done. */
export function sayError(text: string): void {
  write(`error: ${text}`);
}

/** One line on stderr that is neither a warning nor an error. */
export function sayNote(text: string): void {
  write(text);
}

/** What helps whoever looks for a mistake of ours, of several lines. */
export function sayTrace(text: string): void {
  process.stderr.write(`${visibleLines(redacted(text))}\n`);
}

function write(line: string): void {
  process.stderr.write(`${visible(redacted(line))}\n`);
}
