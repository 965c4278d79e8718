import { isObject } from '../../../kubernetes/json.ts';
import { kubectlScalar } from '../kubectlScalar.ts';

/** The style of the surrounding text. */
export interface TextStyle {
  /** the text is JSON, which has no plain scalars */
  json: boolean;
  eol: string;
  /** the indentation of a list's "-" in a block map relative to its key */
  listIndent: number;
}

/** Characters that are not printable, break lines in YAML 1.1, or are half of a surrogate pair. */
const ODD = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\p{Surrogate}]/u;

/**
 * A value as JSON, without characters that YAML or a terminal would interpret: on one line, or on lines indented by
 * `unit`.
 */
export function jsonOf(value: unknown, unit?: string): string {
  return JSON.stringify(value, null, unit).replace(
    new RegExp(ODD, 'gu'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value as JSON on one line, with spaces after commas and colons. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (!isObject(value)) return jsonOf(value);
  const members = Object.entries(value).map(([name, member]) => `${jsonOf(name)}: ${spacedJson(member)}`);
  return `{${members.join(', ')}}`;
}

/** The YAML scalar that kubectl reads as this value. */
export function scalarText(value: unknown, { json }: Pick<TextStyle, 'json'>): string {
  const written = jsonOf(value);
  if (json || typeof value !== 'string') return written;
  if (/^[A-Za-z][\w./-]*$/.test(value) && kubectlScalar(value) === value) return value;
  const isPrintable = /^[ -~\u{a0}-\u{10ffff}]*$/u.test(value) && !ODD.test(value);
  if (value.includes('"') && isPrintable) return singleQuoted(value);
  return written;
}

/** A value in the quotes of the text that it replaces. */
export function requoted(value: string, before: string, style: Pick<TextStyle, 'json'>): string {
  if (before.startsWith('"')) return jsonOf(value);
  if (before.startsWith("'")) return singleQuoted(value);
  return scalarText(value, style);
}

function singleQuoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A value on one line, with braces and brackets. */
export function flowText(value: unknown, style: Pick<TextStyle, 'json'>): string {
  if (style.json) return jsonOf(value);
  if (Array.isArray(value)) return `[${value.map((one) => flowText(one, style)).join(', ')}]`;
  if (!isObject(value)) return scalarText(value, style);
  const members = Object.entries(value).map(
    ([name, member]) => `${scalarText(name, style)}: ${flowText(member, style)}`,
  );
  return `{${members.join(', ')}}`;
}

/** The lines of a block map's member, the first without its indentation. */
export function memberLines(name: string, value: unknown, style: TextStyle): string[] {
  const key = scalarText(name, style);
  if (Array.isArray(value) && value.length > 0) {
    const indent = ' '.repeat(style.listIndent);
    return [`${key}:`, ...value.flatMap((one) => entryLines(one, style)).map((line) => indent + line)];
  }
  if (isObject(value) && Object.keys(value).length > 0)
    return [`${key}:`, ...mapLines(value, style).map((line) => `  ${line}`)];
  return [`${key}: ${flowText(value, style)}`];
}

/** The lines of a block list's entry, the first without its indentation. */
export function entryLines(value: unknown, style: TextStyle): string[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [`- ${flowText(value, style)}`];
  return mapLines(value, style).map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`));
}

function mapLines(value: Record<string, unknown>, style: TextStyle): string[] {
  return Object.entries(value).flatMap(([name, member]) => memberLines(name, member, style));
}
