import type { Tone } from '../model.ts';

/** How each tone looks on a terminal. */
export type Style = Readonly<Record<Tone, (text: string) => string>>;

const ansi = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const unchanged = (text: string) => text;

export const plainStyle: Style = {
  good: unchanged,
  bad: unchanged,
  warn: unchanged,
  faint: unchanged,
  strong: unchanged,
};

export const colourStyle: Style = {
  good: ansi(32, 39),
  bad: ansi(31, 39),
  warn: ansi(33, 39),
  faint: ansi(2, 22),
  strong: ansi(1, 22),
};
