const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Behind the quote that ends the string which begins at an offset of a JSON text, or the end of the text. By hand: a regular expression
 * keeps a way back for each character, and has no room for those of a long string.
 */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at + 1;
    if (char === BACKSLASH) at++;
  }
  return text.length;
}
