import { redacted } from '../kubernetes/redacted.ts';
import { visible, visibleLines } from '../presentation/visible.ts';

/**
 * The only place that writes messages to stderr. They hold names, values and messages of others, so each line is redacted and its invisible
 * characters are made visible.
 */

/** One line on stderr: the answer holds, but the user should know this. */
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

/** Several lines on stderr that help to find a mistake of ours. */
export function sayTrace(text: string): void {
  process.stderr.write(`${visibleLines(redacted(text))}\n`);
}

function write(line: string): void {
  process.stderr.write(`${visible(redacted(line))}\n`);
}
