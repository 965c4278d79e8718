import { endOfString } from './endOfString.ts';

/** A name that an object has had before, and where it stands. */
export interface RepeatedName {
  name: string;
  offset: number;
}

/** Names that are there twice in one object of a valid JSON text, up to `most`; JSON.parse keeps the last of them and says nothing. */
export function repeatedNames(text: string, most: number): RepeatedName[] {
  const found: RepeatedName[] = [];
  /** of each object or list that is open: the names so far; of a list none */
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
