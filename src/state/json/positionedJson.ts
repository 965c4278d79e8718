import { DEEPEST_OBJECT } from '../documents.ts';
import { tooDeep } from './depth.ts';
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
