import type { Path } from '../fieldPath.ts';
import { endOfString } from './endOfString.ts';

const NOTHING = /[ \t\n\r]*/y;
/** Numbers, true, false, null. */
const OTHER = /[^\s,:[\]{}"]+/y;

/**
 * The offset of a field in a valid JSON text: of its name, or of the entry of a list. If it is not there, the nearest field that would
 * hold it. If a name is there twice, the last one counts. One pass over the text.
 */
export function jsonOffset(text: string, path: Path): number {
  let at = 0;
  const pass = (pattern: RegExp): void => {
    pattern.lastIndex = at;
    pattern.test(text);
    at = Math.max(at, pattern.lastIndex);
  };
  const space = () => pass(NOTHING);
  const string = () => void (at = endOfString(text, at));
  const value = (): void => {
    for (let depth = 0; at < text.length;) {
      space();
      const char = text[at];
      if (char === '{' || char === '[') depth++;
      if (char === '}' || char === ']') depth--;
      if (char === '"') string();
      else if (char === undefined || '{}[],:'.includes(char)) at++;
      else pass(OTHER);
      if (depth <= 0) return;
    }
  };

  space();
  let found = at;
  for (const step of path) {
    const opening = text[at];
    if (opening !== '{' && opening !== '[') return found;
    at++;
    let inside = -1;
    for (let index = 0; ; index++) {
      space();
      if (text[at] === '}' || text[at] === ']' || at >= text.length) break;
      const start = at;
      if (opening === '{') {
        string();
        const name = JSON.parse(text.slice(start, at)) as string;
        space();
        at++;
        space();
        if (name === String(step)) [found, inside] = [start, at];
      } else if (index === step) {
        [found, inside] = [start, at];
        break;
      }
      value();
      space();
      if (text[at] === ',') at++;
    }
    if (inside === -1) return found;
    at = inside;
  }
  return found;
}
