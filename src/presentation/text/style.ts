import type { Tone } from '../model.ts';
import { characterWidth } from './displayWidth.ts';

/** The look of each tone, and of text without one, on a terminal. */
export type Style = Readonly<Record<Tone | 'plain', (text: string) => string>>;

const ansi = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const unchanged = (text: string) => text;

export const plainStyle: Style = {
  plain: unchanged,
  good: unchanged,
  bad: unchanged,
  warn: unchanged,
  faint: unchanged,
  strong: unchanged,
};

export const colourStyle: Style = {
  plain: unchanged,
  good: ansi(32, 39),
  bad: ansi(31, 39),
  warn: ansi(33, 39),
  faint: ansi(2, 22),
  strong: ansi(1, 22),
};

/** The same for a terminal that shows only ASCII. */
export function inAscii(style: Style): Style {
  const shown = (look: (text: string) => string) => (text: string) => look(ascii(text));
  return {
    plain: shown(style.plain),
    good: shown(style.good),
    bad: shown(style.bad),
    warn: shown(style.warn),
    faint: shown(style.faint),
    strong: shown(style.strong),
  };
}

/** Our non-ASCII characters, each with an ASCII replacement of the same width. */
const OURS: Readonly<Record<string, string>> = {
  '…': '~',
  '×': 'x',
  '÷': '/',
  '±': '~',
  '–': '-',
  '−': '-',
  '━': '-',
  '─': '-',
  '·': '.',
  '’': "'",
  '“': '"',
  '”': '"',
  '∞': '*',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '⇧': '^',
  '›': '>',
  '▸': '>',
  '✗': 'x',
  '✓': '+',
  µ: 'u',
  μ: 'u',
  '█': '#',
  '▓': '=',
  '▒': '%',
  '░': '.',
  '▏': '_',
  '▁': '_',
  '▂': '.',
  '▃': ':',
  '▄': '-',
  '▅': '=',
  '▆': '+',
  '▇': '*',
};

/** A text for ASCII-only terminals, with the same width; foreign characters become "?". */
export function ascii(text: string): string {
  return text.replace(/\P{ASCII}/gu, (character) => OURS[character] ?? '?'.repeat(characterWidth(character)));
}
