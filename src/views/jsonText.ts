/** Items of a list that are printed at once. */
const BATCH = 1000;

/**
 * A document as JSON.stringify(document, null, 2) prints it, in pieces: the text of a large fleet would be longer
 * than a string can be.
 */
export function* jsonText(document: object): Generator<string> {
  let separator = '{\n';
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${separator}  ${JSON.stringify(name)}: `;
    separator = ',\n';
    if (Array.isArray(value) && value.length > BATCH) yield* listText(value);
    else yield indented(value, '  ');
  }
  yield separator === '{\n' ? '{}\n' : '\n}\n';
}

function* listText(items: readonly unknown[]): Generator<string> {
  for (let at = 0; at < items.length; at += BATCH) {
    const texts = items.slice(at, at + BATCH).map((item) => `    ${indented(item ?? null, '    ')}`);
    yield `${at === 0 ? '[\n' : ',\n'}${texts.join(',\n')}`;
  }
  yield '\n  ]';
}

/** Strings hold no raw line breaks in JSON, so every line break is one of the layout. */
function indented(value: unknown, margin: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${margin}`);
}
