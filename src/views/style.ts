/** Colours by meaning; views never name a colour. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  faint(text: string): string;
  strong(text: string): string;
}

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

/** Columns that a text takes on screen: escape sequences take none. */
export function width(text: string): number {
  let columns = 0;
  let escaped = false;
  for (const character of text) {
    if (character === '\u001b') escaped = true;
    else if (!escaped) columns++;
    else if (character === 'm') escaped = false;
  }
  return columns;
}
