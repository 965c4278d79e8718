import { DEEPEST_OBJECT } from '../documents.ts';
import { endOfString } from './endOfString.ts';
import { jsonProblem, type JsonProblem } from './jsonProblem.ts';

/** The value of a JSON text, or the first mistake in it. It refuses deep nesting, so that the value can be walked. */
export function parseJsonText(text: string): { value: unknown } | JsonProblem {
  const deep = tooDeep(text);
  if (deep !== -1) return { offset: deep, problem: `more than ${DEEPEST_OBJECT} levels deep` };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return jsonProblem(text) ?? { offset: 0, problem: 'not understood' };
  }
}

/** Where an array or object begins that is nested too deeply to be walked; -1 if none is. */
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
