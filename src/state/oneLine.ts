/**
 * Text of others (of a library, a server, a file) as one line: whatever breaks or indents its lines becomes a blank. All other characters
 * stay, and whoever prints it makes them visible.
 */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
