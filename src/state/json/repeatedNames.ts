import { endOfString } from './depth.ts';
import { isList } from '../../kubernetes/json.ts';

/** A name that occurs again in an object, and its place. */
interface RepeatedName {
  name: string;
  offset: number;
}

/** Names that occur twice in one object of a valid JSON text, up to `most`; JSON.parse silently keeps the last. */
export function repeatedNames(text: string, most: number): RepeatedName[] {
  const found: RepeatedName[] = [];
  /** for each open object or list: the names so far; undefined for a list */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (let at = 0; at < text.length && found.length < most; at++) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (isName && names) {
        const name = JSON.parse(text.slice(at, end)) as string;
        if (names.has(name)) found.push({ name, offset: at });
        names.add(name);
        isName = false;
      }
      at = end - 1;
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined);
      isName = char === '{';
    } else if (char === '}' || char === ']') {
      open.pop();
      isName = false;
    } else if (char === ',') isName = open.at(-1) !== undefined;
  }
  return found;
}

/** How many names the objects of a parsed value have: fewer than the colons of its text if names are repeated. */
export function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  if (isList(value)) {
    for (const item of value) names += namesIn(item);
    return names;
  }
  for (const name in value) {
    names++;
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object') names += namesIn(member);
  }
  return names;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** How many colons of a valid JSON text are outside strings: one after each name. */
export function colonsIn(bytes: Uint8Array): number {
  const { length } = bytes;
  let colons = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte === COLON) colons++;
    else if (byte === QUOTE) while (bytes[++at] !== QUOTE && at < length) if (bytes[at] === BACKSLASH) at++;
  }
  return colons;
}

/** The message for a repeated name. */
export function repeatedNameText(name: string): string {
  return `${name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name} is duplicated in one object`;
}

/** The characters of a name to show. */
const LONGEST_NAME = 100;
