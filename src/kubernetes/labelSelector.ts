import type { LabelSelector, LabelSelectorRequirement } from './schema/meta.ts';

export type Labels = Record<string, string> | undefined;
export type LabelMatcher = (labels: Labels) => boolean;

/** A valid requirement: the key of a label, and a test of its value (undefined: the label is absent). */
export interface LabelRequirement {
  key: string;
  accepts: (value: string | undefined) => boolean;
}

const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME_LENGTH = 63;
const SUBDOMAIN_LENGTH = 253;

/** Whether a text is valid as a label key: "name" or "dns.subdomain/name". */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  if (slash >= 0) {
    const prefix = text.slice(0, slash);
    if (prefix.length > SUBDOMAIN_LENGTH || !DNS_SUBDOMAIN.test(prefix)) return false;
  }
  return name.length <= NAME_LENGTH && QUALIFIED_NAME.test(name);
}

/** Whether a text is valid as a label value; the empty text is. */
export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= NAME_LENGTH && QUALIFIED_NAME.test(text));
}

const INT64 = /^[+-]?\d+$/;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

function int64(text: string): bigint | undefined {
  if (!INT64.test(text)) return undefined;
  const number = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return number >= INT64_MIN && number <= INT64_MAX ? number : undefined;
}

/**
 * Parses one requirement on labels as Kubernetes' labels.NewRequirement does, with the operators of node selectors (In,
 * NotIn, Exists, DoesNotExist, Gt, Lt). Undefined if Kubernetes refuses it: an unknown operator, a malformed key or
 * value, or the wrong number of values for the operator.
 */
export function parseLabelRequirement(requirement: LabelSelectorRequirement): LabelRequirement | undefined {
  const key = requirement.key ?? '';
  const values = requirement.values ?? [];
  if (!isQualifiedName(key) || !values.every(isLabelValue)) return undefined;
  switch (requirement.operator) {
    case 'In':
      if (values.length === 0) return undefined;
      return { key, accepts: (value) => value !== undefined && values.includes(value) };
    case 'NotIn':
      if (values.length === 0) return undefined;
      return { key, accepts: (value) => value === undefined || !values.includes(value) };
    case 'Exists':
      if (values.length > 0) return undefined;
      return { key, accepts: (value) => value !== undefined };
    case 'DoesNotExist':
      if (values.length > 0) return undefined;
      return { key, accepts: (value) => value === undefined };
    case 'Gt':
    case 'Lt': {
      const bound = values.length === 1 ? int64(values[0]!) : undefined;
      if (bound === undefined) return undefined;
      const greater = requirement.operator === 'Gt';
      return {
        key,
        accepts: (value) => {
          const number = value === undefined ? undefined : int64(value);
          return number !== undefined && (greater ? number > bound : number < bound);
        },
      };
    }
    default:
      return undefined;
  }
}

/**
 * A label selector as requirements that must all hold. Undefined if Kubernetes refuses the selector (an invalid key,
 * value or operator anywhere in it); the meaning depends on the caller, usually "selects nothing".
 */
export function parseLabelSelector(selector: LabelSelector): LabelRequirement[] | undefined {
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const requirement = parseLabelRequirement({ key, operator: 'In', values: [value] });
    if (!requirement) return undefined;
    requirements.push(requirement);
  }
  for (const expression of selector.matchExpressions ?? []) {
    // Only node selectors compare numbers, label selectors do not.
    if (expression.operator === 'Gt' || expression.operator === 'Lt') return undefined;
    const requirement = parseLabelRequirement(expression);
    if (!requirement) return undefined;
    requirements.push(requirement);
  }
  return requirements;
}

/** The value of a label; never a member inherited by every JavaScript object. */
export function labelValue(labels: Labels, key: string): string | undefined {
  const value = labels?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** `parseLabelSelector` as a test of labels. */
export function compileLabelSelector(selector: LabelSelector): LabelMatcher | undefined {
  const requirements = parseLabelSelector(selector);
  return (
    requirements && ((labels) => requirements.every(({ key, accepts }) => accepts(labelValue(labels, key))))
  );
}

/** The error in a selector's text. */
class SelectorError extends Error {}

/**
 * Parses a label selector in the syntax of kubectl -l, by the rules of labels.Parse: comma-separated `a=b`, `a==b`,
 * `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`; the empty text selects everything. Numeric comparisons (`a>1`) are
 * refused: a metav1.LabelSelector cannot hold them. The error names the invalid part and the reason.
 */
export function parseLabelSelectorText(text: string): { selector: LabelSelector } | { error: string } {
  try {
    return { selector: { matchExpressions: requirements(tokens(text)) } };
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message };
    throw error;
  }
}

/** The selector's text, token by token; `undefined` is the end. */
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

/** Values may be omitted: `(a,)` and `()` contain the empty one. */
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
