const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The offset after the closing quote of the string that begins at an offset of a JSON text; the end of the text if
 * there is none. Written by hand, because a regular expression could backtrack at each character, and runs out of stack
 * on a long string.
 */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at + 1;
    if (char === BACKSLASH) at++;
  }
  return text.length;
}
