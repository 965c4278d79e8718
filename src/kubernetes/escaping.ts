/** Quotes a text so that a shell takes it for one word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A text as one part of an address: a segment of its path, a name or a value of its query. A lone surrogate counts as
 * U+FFFD.
 */
export function uriPart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}
