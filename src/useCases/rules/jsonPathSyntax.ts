import type { JSONPath } from 'jsonpath-plus';
import { filterClasses, JsonPathProblem } from './jsonPathFilter.ts';

const NAME = /\.(\.?)([^\s.[\](){}'"@^~,;]+)/y;
const BRACKET = /(\.\.)?\[/y;
const QUOTED = /(?:'([^'"\][;^,]+)'|"([^'"\][;^,]+)")\]/y;
const PLAIN = /(\*|-?\d*:-?\d*(?::\d*)?|(?!-\d)[^\s[\](){}'"@^~;:?*,]+(?:,[^\s[\](){}'"@^~;:?*,]+)*)\]/y;
const PARENTS = /\^/y;
/** These steps select nothing within their value, so nothing can follow them. */
const LAST = /(~|(?:\.\.)?@(?:null|boolean|number|string|integer|nonFinite|scalar|array|object)\(\))$/y;

/**
 * Throws a JsonPathProblem unless a path can only be read in one way. jsonpath-plus skips what it cannot read: a rule
 * would then check something else than it says, or nothing.
 */
export async function checkJsonPath(path: string): Promise<void> {
  const { JSONPath } = await import('jsonpath-plus');
  const read = JSONPath.toPathArray(path);
  const steps = stepsOf(path, read);
  if (steps.length !== read.length || steps.some((step, index) => step !== read[index]))
    throw new JsonPathProblem(
      `it would be read as ${read.join(' ')}; write names with other signs in quotes`,
    );
  for (const step of steps) if (step.startsWith('?(')) checkFilter(step, JSONPath);
}

/** @param read the steps as jsonpath-plus reads them: it alone knows where a filter ends */
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

/** Lets the library read a filter without running it. */
function checkFilter(filter: string, library: typeof JSONPath): void {
  const inner = NESTED.exec(filter)?.[1];
  if (inner !== undefined) return checkFilter(inner, library);
  if (filter.includes('[?('))
    throw new JsonPathProblem('a filter in a filter has to stand alone, as in [?(@.list[?(@.name == 1)])]');
  try {
    library({ path: `$[${filter}]`, json: [0], eval: filterClasses(library).Unrun });
  } catch (error) {
    throw error instanceof JsonPathProblem
      ? error
      : new JsonPathProblem(`${filter}: ${(error as Error).message}`);
  }
}
