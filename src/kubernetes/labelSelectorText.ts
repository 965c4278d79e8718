import { isLabelValue, isQualifiedName } from './labelSelector.ts';
import type { LabelSelector, LabelSelectorRequirement } from './schema/meta.ts';

/** What is wrong with a selector's text. */
class SelectorError extends Error {}

/**
 * Parses a label selector as typed for kubectl -l, by the rules of labels.Parse: `a=b`, `a==b`, `a!=b`, `a in (b,c)`,
 * `a notin (b)`, `a`, `!a`, with commas between them; the empty text selects everything. Numeric comparisons (`a>1`)
 * are refused: a metav1.LabelSelector cannot hold them. The error says which part is wrong, and why.
 */
export function parseLabelSelectorText(text: string): { selector: LabelSelector } | { error: string } {
  try {
    return { selector: { matchExpressions: requirements(tokens(text)) } };
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message };
    throw error;
  }
}

/** The typed text, token by token; `undefined` is the end. */
interface Tokens {
  peek(): string | undefined;
  next(): string | undefined;
}

function tokens(text: string): Tokens {
  const all = text.match(/!=|==|[=!(),<>]|[^=!(),<>\s]+/g) ?? [];
  let at = 0;
  return { peek: () => all[at], next: () => all[at++] };
}

const isWord = (token: string | undefined): token is string =>
  token !== undefined && !/^[=!(),<>]/.test(token);

function requirements(input: Tokens): LabelSelectorRequirement[] {
  const found: LabelSelectorRequirement[] = [];
  if (input.peek() === undefined) return found;
  for (;;) {
    found.push(requirement(input));
    const separator = input.next();
    if (separator === undefined) return found;
    if (separator !== ',') throw unexpected(separator, '"," or the end');
  }
}

function requirement(input: Tokens): LabelSelectorRequirement {
  const absent = input.peek() === '!';
  if (absent) input.next();
  const key = input.next();
  if (!isWord(key)) throw unexpected(key, 'a label key');
  if (!isQualifiedName(key)) throw new SelectorError(`"${key}" is not a label key`);
  if (absent) return { key, operator: 'DoesNotExist' };
  const next = input.peek();
  if (next === undefined || next === ',') return { key, operator: 'Exists' };
  const operator = input.next();
  switch (operator) {
    case '=':
    case '==':
      return { key, operator: 'In', values: [oneValue(input)] };
    case '!=':
      return { key, operator: 'NotIn', values: [oneValue(input)] };
    case 'in':
      return { key, operator: 'In', values: valueSet(input) };
    case 'notin':
      return { key, operator: 'NotIn', values: valueSet(input) };
    case '<':
    case '>':
      throw new SelectorError(`numbers cannot be compared with "${operator}" here`);
  }
  throw unexpected(operator, '=, ==, !=, in or notin');
}

/** `a=` means the empty value. */
function oneValue(input: Tokens): string {
  const next = input.peek();
  if (next === undefined || next === ',') return '';
  return value(input.next());
}

/** Values may be left out: `(a,)` and `()` hold the empty one. */
function valueSet(input: Tokens): string[] {
  const open = input.next();
  if (open !== '(') throw unexpected(open, '"("');
  const values = new Set<string>();
  for (;;) {
    const next = input.peek();
    values.add(next === ',' || next === ')' ? '' : value(input.next()));
    const separator = input.next();
    if (separator === ')') return [...values];
    if (separator !== ',') throw unexpected(separator, '"," or ")"');
  }
}

function value(token: string | undefined): string {
  if (!isWord(token)) throw unexpected(token, 'a value');
  if (!isLabelValue(token)) throw new SelectorError(`"${token}" is not a label value`);
  return token;
}

function unexpected(token: string | undefined, wanted: string): SelectorError {
  return new SelectorError(
    token === undefined ? `ends where ${wanted} is expected` : `has "${token}" where ${wanted} is expected`,
  );
}
