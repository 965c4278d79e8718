import { DEEPEST_OBJECT } from '../documents.ts';
import { isList } from '../../kubernetes/json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The offset after the closing quote of the string at an offset of a JSON text; the end of the text if there is none.
 * Written by hand, because a regular expression could backtrack at each character, and exhausts the stack on a long
 * string.
 */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at + 1;
    if (char === BACKSLASH) at++;
  }
  return text.length;
}

/** The offset of an array or object that is nested too deeply to be walked; -1 if none is. */
export function tooDeep(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) at = endOfString(text, at) - 1;
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > DEEPEST_OBJECT) return at;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return -1;
}

/** Whether an array or object is nested more than `levels` deep. */
export function isNestedDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (isList(value)) {
    for (const item of value)
      if (typeof item === 'object' && item !== null && isNestedDeeper(item, levels - 1)) return true;
    return false;
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object' && member !== null && isNestedDeeper(member, levels - 1)) return true;
  }
  return false;
}
