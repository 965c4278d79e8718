/** Latin-1 but for its control characters and the soft hyphen, and what our own texts are made of. */
const SIMPLE = /^[\x20-\x7e\xa0-\xac\xae-\xff…→✓✗∞█▓░–]*$/;

/** Whether a text is what nearly all are: each of its characters is seen as it is, in one column. */
export function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}
