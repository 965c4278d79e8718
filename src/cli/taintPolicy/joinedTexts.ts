/** Texts of manifests as one, each a document of its own; a single one stays as it is, byte for byte. */
export function joinedTexts(texts: readonly string[]): string {
  return texts.reduce((all, text) => {
    if (all === '') return text;
    // within a text, a byte order mark would be a character
    const next = text.replace(/^\ufeff/, '');
    return `${all.endsWith('\n') ? all : `${all}\n`}${/^(?:---(?:\s|$)|%)/.test(next) ? '' : '---\n'}${next}`;
  }, '');
}
