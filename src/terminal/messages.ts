import { presentable, presentableLines, shortLine } from '../presentation/presentable.ts';
import { visibleJson } from '../presentation/visible.ts';
import { inLocale } from './inLocale.ts';

/**
 * The only place that writes messages to stderr. They hold foreign names, values and messages, so each line is
 * redacted, its invisible characters are made visible, and it is cut if it is longer than anybody reads.
 */

/** One line on stderr: the answer is valid, but the user should know this. */
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
  const lines = presentableLines(text).split('\n').map(shortLine);
  process.stderr.write(`${inLocale(lines.join('\n'), process.stderr)}\n`);
}

/**
 * An entry of a log as one line of JSON on stderr. Its fields are redacted already: as JSON is shown, and not as text, it stays JSON.
 */
export function sayEntry(json: string): void {
  process.stderr.write(`${visibleJson(json)}\n`);
}

function write(line: string): void {
  process.stderr.write(`${inLocale(shortLine(presentable(line)), process.stderr)}\n`);
}
