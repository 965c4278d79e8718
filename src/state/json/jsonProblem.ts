import { DEEPEST_OBJECT } from '../documents.ts';
import { tooDeep } from './depth.ts';

/** The value of a JSON text, or the first mistake in it. Rejects deep nesting, so that the value can be walked. */
export function parseJsonText(text: string): { value: unknown } | JsonProblem {
  const deep = tooDeep(text);
  if (deep !== -1) return { offset: deep, problem: `more than ${DEEPEST_OBJECT} levels deep` };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return jsonProblem(text) ?? { offset: 0, problem: 'not understood' };
  }
}

/** The position where a text stops being JSON, and the expected token. */
interface JsonProblem {
  offset: number;
  problem: string;
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_][\w.-]*/y;

/**
 * Finds the first mistake in a JSON text that JSON.parse rejects. JSON.parse's own message differs between Node
 * versions and gives no place for some mistakes. Undefined for a correct text.
 */
export function jsonProblem(text: string): JsonProblem | undefined {
  let at = 0;
  const open: ('}' | ']')[] = [];

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const fail = (problem: string, offset = at): JsonProblem => ({
    offset,
    problem: offset >= text.length ? 'the text is truncated' : problem,
  });
  /** Skips a string, up to a mistake in it. By hand, because a regular expression exhausts the stack on a long one. */
  const string = (): JsonProblem | undefined => {
    let i = at + 1;
    for (; i < text.length; i++) {
      if (text[i] === '"') {
        at = i + 1;
        return undefined;
      }
      if (text[i]! < ' ')
        return fail(`a control character inside a string (a line break, or a missing ")`, i);
      if (text[i] !== '\\') continue;
      if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(i, i + 6)))
        return i + 1 >= text.length ? fail('', text.length) : fail('an unknown escape inside a string', i);
      i++;
      if (text[i] === 'u') i += 4;
    }
    return fail('', text.length);
  };
  const key = (): JsonProblem | undefined => {
    if (text[at] !== '"') return fail('a name in double quotes is expected');
    const problem = string();
    if (problem) return problem;
    match(SPACE);
    if (text[at] !== ':') return fail('":" is expected');
    at++;
    return undefined;
  };

  for (;;) {
    // a value
    match(SPACE);
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      at++;
      match(SPACE);
      if (text[at] === open.at(-1)) {
        at++;
        open.pop();
      } else {
        const problem = char === '{' ? key() : undefined;
        if (problem) return problem;
        continue;
      }
    } else if (char === '"') {
      const problem = string();
      if (problem) return problem;
    } else if (match(NUMBER) === undefined) {
      const start = at;
      const word = match(WORD);
      if (word === undefined) return fail('a value is expected', start);
      if (
        at >= text.length &&
        'true false null'.split(' ').some((whole) => whole.startsWith(word) && whole !== word)
      )
        return fail('', text.length);
      if (word !== 'true' && word !== 'false' && word !== 'null')
        return fail(`${begun(word)} is not a JSON value`, start);
    }
    // after a value
    for (;;) {
      match(SPACE);
      const closing = open.at(-1);
      if (closing === undefined) return at < text.length ? fail('the document should end here') : undefined;
      if (text[at] === ',') {
        at++;
        match(SPACE);
        const problem = closing === '}' ? key() : undefined;
        if (problem) return problem;
        break;
      }
      if (text[at] !== closing) return fail(`"," or "${closing}" is expected`);
      at++;
      open.pop();
    }
  }
}

/** The characters of a word to show. */
const LONGEST_WORD = 60;

function begun(word: string): string {
  return word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word;
}
