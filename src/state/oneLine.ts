/**
 * A foreign text (from a library, a server, a file) as one line: line breaks and indentation become spaces. All other
 * characters stay; the printer makes them visible.
 */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
