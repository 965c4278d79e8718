/**
 * The texts with code 299 in a Warning header (RFC 7234, 5.5), which is what API servers send. Everything else is left
 * out.
 */
export function warningTexts(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  const text = Array.isArray(header) ? header.join(', ') : header;
  const found: string[] = [];
  for (const [, code, quoted = ''] of text.matchAll(WARNING)) {
    const said = quoted.replace(/\\(.)/g, '$1').replace(/\p{C}/gu, ' ').trim();
    if (code === '299' && said !== '') found.push(said);
  }
  return found;
}

/** code, agent, text and a date that may be missing */
const WARNING = /(?:^|,)\s*(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;
