import type { JSONPath } from 'jsonpath-plus';
import { isObject, isList } from '../../kubernetes/json.ts';
import type { Path } from '../../kubernetes/fieldPath.ts';
import { messageOf } from '../../state/systemProblem.ts';
import type * as linearRegExp from '../../kubernetes/linearRegExp.ts';
import { stoppedAfter, TimeLimitExceeded } from '../../state/stoppedAfter.ts';

const NAME = /\.(\.?)([^\s.[\](){}'"@^~,;]+)/y;
const BRACKET = /(\.\.)?\[/y;
const QUOTED = /(?:'([^'"\][;^,]+)'|"([^'"\][;^,]+)")\]/y;
const PLAIN = /(\*|-?\d*:-?\d*(?::\d*)?|(?!-\d)[^\s[\](){}'"@^~;:?*,]+(?:,[^\s[\](){}'"@^~;:?*,]+)*)\]/y;
const PARENTS = /\^/y;
/** These steps select nothing within their value, so none can follow them. */
const LAST = /(~|(?:\.\.)?@(?:null|boolean|number|string|integer|nonFinite|scalar|array|object)\(\))$/y;

/**
 * Throws a JsonPathProblem unless a path is unambiguous. jsonpath-plus skips unreadable parts: a rule would then check
 * something else, or nothing.
 */
export async function checkJsonPath(path: string): Promise<void> {
  const library = await loadLibrary();
  const read = library.JSONPath.toPathArray(path);
  const steps = stepsOf(path, read);
  if (steps.length !== read.length || steps.some((step, index) => step !== read[index]))
    throw new JsonPathProblem(
      `it would be read as ${read.join(' ')}; write names with other signs in quotes`,
    );
  for (const step of steps) if (step.startsWith('?(')) checkFilter(step, library);
}

/** @param read jsonpath-plus's parser of steps: only it knows where a filter ends */
function stepsOf(path: string, read: readonly string[]): string[] {
  const steps = ['$'];
  let at = 1;
  const next = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(path) ?? undefined;
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < path.length) {
    const begin = at;
    const name = next(NAME);
    const last = name ? undefined : (next(PARENTS) ?? next(LAST));
    const bracket = name || last ? undefined : next(BRACKET);
    if (name?.[1] || bracket?.[1] || last?.[0].startsWith('..')) steps.push('..');
    if (name) steps.push(name[2]!);
    else if (last) steps.push(last[0].replace(/^\.\./, ''));
    else if (bracket) {
      const filter = read[steps.length] ?? '';
      const isFilter = filter.startsWith('?(') && path.startsWith(`${filter}]`, at);
      const inside = isFilter ? undefined : (next(QUOTED) ?? next(PLAIN));
      if (isFilter) at += filter.length + 1;
      else if (!inside) throw unreadable(path, begin);
      steps.push(isFilter ? filter : (inside?.[1] ?? inside?.[2] ?? ''));
    } else throw unreadable(path, begin);
  }
  return steps;
}

function unreadable(path: string, at: number): JsonPathProblem {
  const rest = path.slice(at);
  const shown = rest.length > 40 ? `${rest.slice(0, 40)}…` : rest;
  return new JsonPathProblem(`it cannot be read from character ${at + 1} on, ${shown}${hint(rest)}`);
}

/** A hint about syntax of other JSONPath dialects that jsonpath-plus would take for a name. */
function hint(rest: string): string {
  if (/^\.\[/.test(rest)) return '; leave the . before [ out';
  if (/^(\.\.)?\[(-\d+\]|\(@\.length)/.test(rest)) return '; the last of a list is [-1:]';
  if (/^(\.\.)?\[\?\(/.test(rest)) return `; a filter ends with )], and cannot hold )' or )] before`;
  if (/^(\.\.)?\[\?[^(]/.test(rest)) return '; a filter is written [?(…)]';
  if (/^(\.\.)?\[(['"])[^'"]*\2\s*,/.test(rest)) return '; several names are written [a,b]';
  return '';
}

const NESTED = /^\?\(@\.?\w*\[(\?\(.*\))\]\)$/;

/** Has the library parse a filter without running it. */
function checkFilter(filter: string, library: Library): void {
  const inner = NESTED.exec(filter)?.[1];
  if (inner !== undefined) return checkFilter(inner, library);
  if (filter.includes('[?('))
    throw new JsonPathProblem(
      'write a nested filter as the only condition, as in [?(@.list[?(@.name == 1)])]',
    );
  try {
    library.JSONPath({ path: `$[${filter}]`, json: [0], eval: filterClasses(library).Unrun });
  } catch (error) {
    throw error instanceof JsonPathProblem ? error : new JsonPathProblem(`${filter}: ${messageOf(error)}`);
  }
}

interface Library {
  JSONPath: typeof JSONPath;
  regExps: typeof linearRegExp;
}

async function loadLibrary(): Promise<Library> {
  const [{ JSONPath }, regExps] = await Promise.all([
    import('jsonpath-plus'),
    import('../../kubernetes/linearRegExp.ts'),
  ]);
  return { JSONPath, regExps };
}

/** The CPU milliseconds for one expression on one object; usual ones take less than one. */
const LONGEST = 2000;
/** The most places: more would not help the user. */
const MAX_MATCHES = 10_000;
/** etcd stores no larger object. */
const LARGEST_OBJECT = 1_572_864;

class TooManyMatches extends Error {}

/**
 * The places of an object that a JSONPath selects. The expressions are not trusted: they are interpreted (never run
 * as code), stopped after two seconds, and only applied to objects that etcd would store. A filter does not match if
 * a field that it reads is missing. Rejects with a JsonPathProblem.
 */
export async function jsonPathMatches(expression: string, object: unknown): Promise<Path[]> {
  const text = JSON.stringify(object);
  if (text.length > LARGEST_OBJECT) throw new JsonPathProblem('the object is larger than 1.5 MiB');
  const library = await loadLibrary();
  const { Filter } = filterClasses(library);
  const evaluate = (): string[] => {
    const pointers: string[] = [];
    library.JSONPath({
      path: expression,
      // a copy: an expression may call functions that change a value
      json: JSON.parse(text),
      eval: Filter,
      resultType: 'pointer',
      callback: (pointer: string) => {
        if (pointers.push(pointer) > MAX_MATCHES) throw new TooManyMatches();
      },
    });
    return pointers;
  };
  return [...new Set(bounded(evaluate))].map((pointer) => stepsOfPointer(pointer, object));
}

function bounded(evaluate: () => string[]): string[] {
  try {
    return stoppedAfter(LONGEST, evaluate);
  } catch (error) {
    throw problemOf(error);
  }
}

function problemOf(error: unknown): Error {
  if (error instanceof JsonPathProblem) return error;
  if (error instanceof TooManyMatches) return new JsonPathProblem(`selects more than ${MAX_MATCHES} places`);
  if (error instanceof TimeLimitExceeded)
    return new JsonPathProblem(`takes longer than ${LONGEST / 1000} s; simplify it`);
  return new JsonPathProblem(
    messageOf(error)
      .replace(/^jsonPath: /, '')
      // some engines add the expression
      .replace(/^\S+ is not a function\b.*/s, 'calls a method that a value does not have')
      .split('\n')[0]!,
  );
}

/** "/spec/taints/0" (RFC 6901) as steps; a number is an index only in a list. */
function stepsOfPointer(pointer: string, object: unknown): Path {
  let inner: unknown = object;
  return pointer
    .split('/')
    .slice(1)
    .map((token) => {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (isList(inner)) {
        inner = inner[Number(name)];
        return Number(name);
      }
      inner = isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
      return name;
    });
}

/** An expression that cannot be evaluated, in general or on an object. */
export class JsonPathProblem extends Error {}

/** jsonpath-plus's parse of the text of a filter. */
interface Script {
  ast: Expression;
  runInNewContext(context: object): unknown;
}

/** A node of jsep's syntax tree. */
interface Expression {
  type: string;
  name?: string;
  computed?: boolean;
  callee?: Expression;
  property?: Expression;
  arguments?: Expression[];
  value?: unknown;
}

type ScriptClass = new (code: string) => Script;

/** The methods that a filter may call on values: strings, lists, numbers, regular expressions. */
const METHODS = new Set(
  [String.prototype, Array.prototype, Number.prototype, RegExp.prototype, Object.prototype].flatMap((type) =>
    Object.getOwnPropertyNames(type).filter((name) => {
      const { value } = Object.getOwnPropertyDescriptor(type, name) as { value?: unknown };
      return typeof value === 'function' && name !== 'constructor' && !name.startsWith('_');
    }),
  ),
);

/** The classes that jsonpath-plus uses for filters: `Filter` runs them, `Unrun` only parses them. */
function filterClasses({ JSONPath, regExps }: Library) {
  const { Script } = (JSONPath as unknown as { prototype: { safeVm: { Script: ScriptClass } } }).prototype
    .safeVm;
  class Filter {
    private readonly script: Script;

    constructor(code: string) {
      this.script = new Script(code);
      checkExpression(this.script.ast, regExps);
    }

    runInNewContext(context: object): unknown {
      try {
        return this.script.runInNewContext(context);
      } catch (error) {
        // A missing field means no match; any other error is a mistake in the rule. Every engine uses these words.
        if (/^Cannot read properties of (undefined|null)\b/.test(messageOf(error))) return false;
        throw error;
      }
    }
  }
  // a class rather than an option of Filter: jsonpath-plus caches filters by the source of the class
  class Unrun extends Filter {
    override runInNewContext(): unknown {
      return false;
    }
  }
  return { Filter, Unrun };
}

/**
 * Makes the regular expressions of a filter linear, and throws a JsonPathProblem for parts that would fail, or be
 * ignored, in evaluation.
 */
function checkExpression(node: Expression, regExps: Library['regExps']): void {
  switch (node.type) {
    case 'Compound':
      throw new JsonPathProblem('a filter has to be one expression');
    case 'AssignmentExpression':
      throw new JsonPathProblem('a filter cannot assign with =; compare with ==, or with @.match(/…/)');
    case 'Identifier':
      if (!node.name?.startsWith('_$_'))
        throw new JsonPathProblem(
          `a filter knows no ${node.name}; fields begin with @., and texts are in quotes`,
        );
      return;
    case 'Literal':
      if (node.value instanceof RegExp) node.value = linear(node.value, regExps);
      return;
    case 'CallExpression':
      checkMethod(node);
  }
  for (const [field, value] of Object.entries(node)) {
    if (field === 'property' && !node.computed) continue;
    for (const inner of [value].flat())
      if (isObject(inner) && typeof inner['type'] === 'string')
        checkExpression(inner as unknown as Expression, regExps);
  }
}

/** These turn a text into a RegExp that backtracks. */
const TEXT_TO_REGEXP = new Set(['match', 'matchAll', 'search']);

function checkMethod({ callee, arguments: args = [] }: Expression): void {
  const name = callee?.type === 'MemberExpression' && !callee.computed ? callee.property?.name : callee?.name;
  if (callee?.type !== 'MemberExpression' || name === undefined || !METHODS.has(name))
    throw new JsonPathProblem(`a filter knows no method ${name ?? 'of this form'}`);
  if (TEXT_TO_REGEXP.has(name) && args.some((argument) => !(argument.value instanceof RegExp)))
    throw new JsonPathProblem(`${name} takes a regular expression between slashes, as in @.${name}(/…/)`);
}

function linear(expression: RegExp, { LinearRegExp, whyNotRe2 }: Library['regExps']): RegExp {
  try {
    return new LinearRegExp(expression);
  } catch (error) {
    throw new JsonPathProblem(
      `${String(expression)} is not RE2, as Go and Kubernetes read it: ${whyNotRe2(error)}`,
    );
  }
}
