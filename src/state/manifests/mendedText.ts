import { isMap, parseAllDocuments } from 'yaml';

/** A field of an object in a text, and the value that it is to have. */
export interface MendedField {
  kind: string;
  name: string;
  path: readonly string[];
  value: unknown;
}

/** The text of YAML documents with some fields set, comments kept; undefined if it cannot be mended. */
export function mendedText(text: string, fields: readonly MendedField[]): string | undefined {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return undefined;
  let changed = false;
  for (const document of documents) {
    if (document.errors.length > 0 || !isMap(document.contents)) continue;
    for (const { kind, name, path, value } of fields) {
      if (document.get('kind') !== kind || document.getIn(['metadata', 'name']) !== name) continue;
      document.setIn([...path], value);
      changed = true;
    }
  }
  return changed ? documents.map((document) => document.toString({ lineWidth: 0 })).join('') : undefined;
}
