/** Latin-1 without control characters and the soft hyphen, and the further characters of our own texts. */
const SIMPLE = /^[\x20-\x7e\xa0-\xac\xae-\xff…→✓✗∞█▓░–]*$/;

/** Whether each character of a text is visible and takes one column, as in nearly all texts. */
export function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}
