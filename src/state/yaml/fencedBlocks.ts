/** A line that opens or closes a code block in Markdown. */
const FENCE = /^ {0,3}(?:```+|~~~+)[ \t]*(\w*)[ \t]*\r?$/;
const OBJECT = /^[ -]*["']?(?:apiVersion|kind|items|metadata)["']?[ \t]*:|^[ -]*\{/;
const LANGUAGES = new Set(['', 'yaml', 'yml', 'json']);

/**
 * Extracts YAML from prose such as the description of an issue: its YAML or JSON code blocks, each a document, on their
 * original lines. A text that begins with an object is already YAML, whatever it contains.
 */
export function withoutProse(text: Buffer): Buffer {
  if (!text.includes('\n```') && !text.includes('\n~~~')) return text;
  const lines = text.toString('utf8').split('\n');
  const first = lines.findIndex((line) => FENCE.test(line));
  if (first < 0 || lines.slice(0, first).some((line) => OBJECT.test(line))) return text;
  let language: string | undefined;
  const kept = lines.map((line) => {
    const fence = FENCE.exec(line);
    if (!fence) return language !== undefined && LANGUAGES.has(language) ? line : '';
    language = language === undefined ? fence[1]?.toLowerCase() : undefined;
    return '---';
  });
  return Buffer.from(kept.join('\n'));
}
