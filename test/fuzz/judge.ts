import { CANARIES } from './canaries.ts';
import { FORGED, SMUGGLED } from './hostile.ts';
import type { Output } from './inProcess.ts';

/** The requirements for an output. */
export interface Expected {
  /** the whole input: its content may be repeated */
  given: string;
  /** texts on a terminal may have the colours of the style */
  isTerminal: boolean;
  /** a template whose result programs get unchanged */
  isRaw: boolean;
  /** lines are wrapped at the terminal's width, possibly inside foreign text */
  isWrapped?: boolean;
  /** redrawn repeatedly: the cursor is moved, and lines are wrapped */
  isScreen?: boolean;
  /** the user's own edited file, unchanged except for the edit: its secrets stay, and so do its characters */
  edited?: 'stdout' | 'written';
  /** files that were written */
  written: readonly string[];
}

const OWN_COLOURS = [1, 2, 22, 31, 32, 33, 39].map((code) => `\u001b[${code}m`);
const UNSEEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const STACK = /^ +at .+:\d+:\d+\)?$/m;
const GARBAGE = ['NaN', 'undefined', '[object Object]', 'Infinity', 'Invalid Date'];

/** The violation in an output, in a few words; undefined if there is none. */
export function problemOf(
  output: Output,
  { given, isTerminal, isRaw, isScreen = false, isWrapped = isScreen, edited, written }: Expected,
): string | undefined {
  const { code, stderr } = output;
  const stdout = isScreen ? withoutDrawing(output.stdout) : output.stdout;
  if (code === 70)
    return `exit code 70: ${stderr.split('\n').find((line) => line.startsWith('error')) ?? ''}`;
  if (STACK.test(stdout) || STACK.test(stderr))
    return `a stack trace: ${(STACK.exec(stdout + stderr) ?? [''])[0]}`;
  if (isTerminal && !isWrapped && (stdout + stderr).includes(`\u001b[31m${SMUGGLED}`))
    return 'a colour of others';
  for (const [name, text] of Object.entries({ stdout: isRaw || edited === 'stdout' ? '' : stdout, stderr })) {
    const plain = isTerminal ? withoutOwnColours(text) : text;
    const unseen = UNSEEN.exec(plain);
    if (unseen)
      return `${name} has U+${unseen[0].codePointAt(0)!.toString(16)} as it is${around(plain, unseen.index)}`;
    const forged = isWrapped ? -1 : plain.indexOf(`\n${FORGED}`);
    if (forged !== -1) return `${name} has a line of others${around(plain, forged)}`;
    for (const garbage of GARBAGE)
      if (!given.includes(garbage) && new RegExp(`(?<!\\w)${escaped(garbage)}(?!\\w)`).test(text))
        return `${name} has ${garbage}${around(text, text.indexOf(garbage))}`;
  }
  const reported = [
    ...(edited === 'stdout' ? [] : [stdout]),
    stderr,
    ...(edited === 'written' ? [] : written),
  ];
  for (const text of reported)
    for (const canary of CANARIES)
      if (text.includes(canary)) return `a secret${around(text, text.indexOf(canary))}`;
  return undefined;
}

/** The sequences of the cell writer for frames, cursor movement, clearing and colours. */
// eslint-disable-next-line no-control-regex
const DRAWING = /\u001b\[(?:\?2026[lh]|\d+;\d+H|K|0m\u001b\[2J|0(?:;\d+)*m)/g;

function withoutDrawing(text: string): string {
  return text.replace(DRAWING, '');
}

function withoutOwnColours(text: string): string {
  return OWN_COLOURS.reduce((plain, colour) => plain.replaceAll(colour, ''), text);
}

function escaped(text: string): string {
  return text.replaceAll(/[[\]]/g, '\\$&');
}

function around(text: string, at: number): string {
  return `: …${JSON.stringify(text.slice(Math.max(0, at - 60), at + 30))}…`;
}
