/** The match of a pattern that matches somewhere in every text. */
export function matchOf(pattern: RegExp, text: string): RegExpExecArray {
  const match = pattern.exec(text);
  if (!match) throw new Error(`${pattern} does not match every text`);
  return match;
}
