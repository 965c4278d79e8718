import { RE2JS } from 're2js';

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/**
 * A regular expression that matches in linear time, as in Go. JavaScript engines backtrack: V8 may never finish, and
 * JavaScriptCore gives up and reports no match. String methods that accept a RegExp (match, replace, search, split) use
 * its `exec`. Throws RE2JSException for what RE2 does not support: back-references, lookahead and lookbehind.
 */
export class LinearRegExp extends RegExp {
  readonly #compiled: RE2JS;

  constructor(pattern: RegExp | string, flags = typeof pattern === 'string' ? '' : pattern.flags) {
    super(pattern, flags);
    const meant = [...flags].reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0);
    this.#compiled = RE2JS.compile(RE2JS.translateRegExp(this.source), meant);
  }

  override exec(text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const matcher = this.#compiled.matcher(text);
    const found = from <= text.length && matcher.find(from) && (!this.sticky || matcher.start() === from);
    if (this.global || this.sticky) this.lastIndex = found ? matcher.end() : 0;
    if (!found) return null;
    const group = (of: number | string) => matcher.group(of) ?? undefined;
    const match = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => group(index));
    const names = Object.keys(this.#compiled.namedGroups());
    const groups =
      names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, group(name)]));
    return Object.assign(match, { index: matcher.start(), input: text, groups }) as RegExpExecArray;
  }
}

/** Whether a regular expression in Go's syntax matches a text; undefined: Go cannot parse it. */
export function goMatcher(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch {
    return undefined;
  }
}

/** Why RE2 cannot parse a regular expression. */
export function whyNotRe2(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('repeat count'))
    return 'it repeats something more than 1,000 times, or with counts that do not fit';
  if (/escape sequence|Perl syntax|named capture/.test(message))
    return 'no back-references, nothing that looks ahead or behind';
  return message.replace('error parsing regexp: ', '');
}
