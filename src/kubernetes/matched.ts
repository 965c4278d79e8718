/** The match of a pattern that every text matches somewhere. */
export function matched(pattern: RegExp, text: string): RegExpExecArray {
  const match = pattern.exec(text);
  if (!match) throw new Error(`${pattern} does not match every text`);
  return match;
}
