/**
 * The most characters of a message: several screens. A longer one repeats a foreign value, of which both ends are
 * enough to find it.
 */
const MOST = 4000;

/** A line of a message; if it is longer than anybody reads, cut in the middle, with its length. */
export function shortLine(line: string): string {
  if (line.length <= MOST) return line;
  const head = wholeCharacters(line.slice(0, MOST / 2));
  const tail = wholeCharacters(line.slice(-MOST / 2));
  return `${head} … (${line.length} characters, the middle is left out) … ${tail}`;
}

/** Without halves of surrogate pairs at its ends. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
