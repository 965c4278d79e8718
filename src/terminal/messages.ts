import { presentable, presentableLines, shortLine } from '../presentation/presentable.ts';
import { visibleJson } from '../presentation/visible.ts';
import { displayWidth } from '../presentation/text/displayWidth.ts';
import { textOf } from '../presentation/text/spans.ts';
import { wrapLine } from '../presentation/text/wrapped.ts';
import { inLocale } from './capabilities.ts';
import { type Line, type Repeated, repeatsOfProcess, withCount } from './repeats.ts';

/**
 * The only place that writes messages to stderr. They contain foreign names, values and messages, so each line is
 * redacted, its invisible characters are made visible, and it is cut if it is too long to read. A repeated line is
 * printed once, with its count.
 */

/** One line on stderr: the answer is valid, but the user should know this. */
export function printWarning(text: string): void {
  sayLine(`warning: ${text}`);
}

/** One line on stderr: why there is no answer, or why nothing was done. */
export function printError(text: string): void {
  printHeldMessages();
  sayLine(`error: ${text}`);
}

/** One line on stderr that is neither a warning nor an error. */
export function printNote(text: string): void {
  sayLine(text);
}

/** Warnings and notes of an answer, to print before it; undefined: none are held back. */
let waiting: string[] | undefined;

/** Holds back warnings and notes of the answer until it is printed, so that its verdict comes first. */
export function holdMessages(): void {
  waiting ??= [];
}

/** A one-line warning of an answer. */
export function warnOfAnswer(text: string): void {
  noteOfAnswer(`warning: ${text}`);
}

/** A one-line note of an answer. */
export function noteOfAnswer(line: string): void {
  if (waiting) waiting.push(line);
  else sayLine(line);
}

/**
 * Prints the messages held back. Several take one line of a terminal, which names `all`, the command that shows them in
 * full.
 */
export function printHeldMessages(all?: string): void {
  const lines = waitingLines(all);
  waiting = undefined;
  lines.forEach(sayLine);
}

function waitingLines(all: string | undefined): string[] {
  const lines = [...new Set(waiting)].sort((a, b) => Number(isWarning(b)) - Number(isWarning(a)));
  const { isTTY, columns } = process.stderr;
  const [first] = lines;
  if (all === undefined || !isTTY || !columns || lines.length < 2 || first === undefined) return lines;
  return [`${presentable(first)} (${lines.length - 1} more: ${all})`];
}

const isWarning = (line: string) => line.startsWith('warning: ');

/** Several lines on stderr that help to find a bug of ours. */
export function printTrace(text: string): void {
  endMessages();
  write(presentableLines(text).split('\n').map(shortLine).join('\n'));
}

/** Level, day and time at the start of a klog entry. */
const KLOG_HEADER = /^[IE]\d{4} [\d:.]+ /;

/** A klog entry on stderr, however long: response bodies have their own limits. Its repeats may have other times. */
export function printLogLine(text: string): void {
  const shown = presentable(text);
  lines.line({ text: shown, key: shown.replace(KLOG_HEADER, ''), failure: shown.startsWith('E') });
}

/** How JSON entries begin, and which levels are failures (pino's error and fatal). */
const ENTRY = /^\{"level":(\d+),"time":\d+/;

/**
 * A log entry as one line of JSON on stderr. Its fields are already redacted: as JSON and not as text, so that it stays
 * JSON. Its repeats may have other times.
 */
export function printLogEntry(json: string): void {
  const level = Number(ENTRY.exec(json)?.[1]);
  lines.line({ json: true, text: visibleJson(json), key: json.replace(ENTRY, ''), failure: level >= 50 });
}

/** Prints the counts of repeated lines. Later lines are not repeats, and begin on a new screen. */
export function endMessages(): void {
  printHeldMessages();
  lines.end();
  taken = 0;
}

function sayLine(line: string): void {
  const text = shortLine(presentable(line));
  lines.line({ text, key: text, wraps: true });
}

function countedEntry(json: string, { times, milliseconds }: Repeated): string {
  return `${json.slice(0, -1)},"repeated":${times},"withinSeconds":${Math.round(milliseconds / 1000)}}`;
}

/** Terminal lines taken by messages. */
let taken = 0;

/** How many terminal lines messages take, including those held back; 0 if stderr is not a terminal. */
export function messageLines(all: string): number {
  return waitingLines(all)
    .flatMap(inLines)
    .reduce((sum, line) => sum + linesTaken(line), taken);
}

function linesTaken(text: string): number {
  const { isTTY, columns } = process.stderr;
  if (!isTTY) return 0;
  return columns ? Math.max(1, Math.ceil(displayWidth(text) / columns)) : 1;
}

/** A message as terminal lines, wrapped between words. */
function inLines(text: string): string[] {
  const { isTTY, columns } = process.stderr;
  if (!isTTY || !columns || displayWidth(text) <= columns) return [text];
  return wrapLine([text], columns).map((line) => line.map(textOf).join(''));
}

function write(text: string): void {
  process.stderr.write(`${inLocale(text, process.stderr)}\n`);
  taken += linesTaken(text);
}

const lines = repeatsOfProcess<Line & { json?: boolean; wraps?: boolean }>(
  ({ text, json, wraps }, repeated) => {
    const shown = repeated ? withCount(text, repeated) : text;
    if (!json) (wraps ? inLines(shown) : [shown]).forEach(write);
    // JSON has its own escapes
    else process.stderr.write(`${repeated ? countedEntry(text, repeated) : text}\n`);
  },
);
