import { createContext, Script } from 'node:vm';
import type { Path } from '../../state/fieldPath.ts';
import { isObject } from '../../kubernetes/json.ts';
import { filterClasses, JsonPathProblem } from './jsonPathFilter.ts';

/** How long one expression may take on one object, in milliseconds; usual ones take less than one. */
const LONGEST = 2000;
/** The most places: more help nobody. */
const MOST_MATCHES = 10_000;
/** etcd stores no larger object. */
const LARGEST_OBJECT = 1_572_864;

class TooManyMatches extends Error {}

/**
 * The places of an object that a JSONPath selects. The expressions are not trusted: they are interpreted (never run as
 * code), in a V8 context of their own that stops them after two seconds, and only on objects that etcd would store. A
 * filter does not match if a field that it looks into is missing. Rejects with a JsonPathProblem.
 */
export async function jsonPathMatches(expression: string, object: unknown): Promise<Path[]> {
  const text = JSON.stringify(object);
  if (text.length > LARGEST_OBJECT) throw new JsonPathProblem('the object is larger than 1.5 MiB');
  const { JSONPath } = await import('jsonpath-plus');
  const { Filter } = filterClasses(JSONPath);
  const evaluate = (): string[] => {
    const pointers: string[] = [];
    JSONPath({
      path: expression,
      // its own copy: an expression may call functions that change a value
      json: JSON.parse(text) as object,
      eval: Filter,
      resultType: 'pointer',
      callback: (pointer: unknown) => {
        if (pointers.push(pointer as string) > MOST_MATCHES) throw new TooManyMatches();
      },
    });
    return pointers;
  };
  return [...new Set(bounded(evaluate))].map((pointer) => stepsOfPointer(pointer, object));
}

function bounded(evaluate: () => string[]): string[] {
  try {
    return new Script('evaluate()').runInContext(createContext({ evaluate }), {
      timeout: LONGEST,
    }) as string[];
  } catch (error) {
    throw problemOf(error);
  }
}

function problemOf(error: unknown): Error {
  if (error instanceof JsonPathProblem) return error;
  if (error instanceof TooManyMatches) return new JsonPathProblem(`selects more than ${MOST_MATCHES} places`);
  if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
    return new JsonPathProblem(`takes longer than ${LONGEST / 1000} s; simplify it`);
  return new JsonPathProblem(
    messageOf(error)
      .replace(/^jsonPath: /, '')
      .replace(/^\S+ is not a function\b/, 'calls a method that a value does not have')
      .split('\n')[0]!,
  );
}

/** The error may come from the other context, whose Error class is not ours. */
function messageOf(error: unknown): string {
  const { message } = error as Partial<Error>;
  return typeof message === 'string' ? message : String(error);
}

/** "/spec/taints/0" (RFC 6901) as steps; a number is an index only in a list. */
function stepsOfPointer(pointer: string, object: unknown): Path {
  let inner: unknown = object;
  return pointer
    .split('/')
    .slice(1)
    .map((token) => {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const isIndex = Array.isArray(inner);
      inner = isIndex
        ? (inner as unknown[])[Number(name)]
        : isObject(inner) && Object.hasOwn(inner, name)
          ? inner[name]
          : undefined;
      return isIndex ? Number(name) : name;
    });
}
