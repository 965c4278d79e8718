/** Quotes a text so that a shell reads it as one word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A text as one part of a URL: a path segment, or a name or value in its query. A lone surrogate becomes U+FFFD. */
export function uriPart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}
