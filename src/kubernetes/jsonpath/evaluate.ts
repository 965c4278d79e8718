import { appendAll } from '../longLists.ts';
import { compareUtf8, utf8Bytes } from '../utf8.ts';
import type { ListNode, Node, Slice } from './template.ts';
import { Uint8, childrenOf, formatValue, isMap, typeName } from './values.ts';

/** The values that a node selects. Even after an error there may be some, which an "exists" filter uses. */
interface Selection {
  values: unknown[];
  error?: string;
}

/** client-go panics here, on an empty reflect.Value. The message is reflect's. */
class Panic extends Error {}

/** How missing members are treated: as errors, as in Karmada, or as empty, as in kubectl (AllowMissingKeys). */
export type MissingMembers = 'are-errors' | 'are-empty';

/** Applies a template to data: one list of values per piece of output, or the error text. */
export function evaluate(
  template: ListNode,
  data: unknown,
  missing: MissingMembers,
): { results: unknown[][] } | { error: string } {
  const state: State = { begun: 0, open: 0, ended: 0, lastEnd: -1, missing };
  try {
    const results: unknown[][] = [];
    const error = runNodes(template.nodes, 0, data === null ? undefined : data, state, results);
    return error === undefined ? { results } : { error };
  } catch (panic) {
    if (panic instanceof Panic) return { error: panic.message };
    throw panic;
  }
}

/** The {range} and {end} seen so far. They may be anywhere in an action, so they can only be counted. */
interface State {
  begun: number;
  open: number;
  ended: number;
  /** index of the node that last ended a range */
  lastEnd: number;
  readonly missing: MissingMembers;
}

function runNodes(
  nodes: Node[],
  from: number,
  data: unknown,
  state: State,
  results: unknown[][],
): string | undefined {
  for (let at = from; at < nodes.length; at++) {
    const selection = select([data], nodes[at]!, state);
    if (selection.error !== undefined) return selection.error;
    if (state.ended > 0 && state.ended <= state.open) {
      state.ended--;
      state.lastEnd = at;
      return undefined;
    }
    if (state.begun === 0) {
      results.push(selection.values);
      continue;
    }
    state.begun--;
    state.open++;
    for (const value of selection.values) {
      if (value === undefined) throw new Panic('reflect: call of reflect.Value.Interface on zero Value');
      const error = runNodes(nodes, at + 1, value === null ? undefined : value, state, results);
      if (error !== undefined) return error;
    }
    // An empty range still runs its body once, without a value, to find the {end}; so fields are missing there.
    if (selection.values.length === 0) {
      const error = runNodes(nodes, at + 1, undefined, state, []);
      if (error !== undefined) return error;
    }
    state.open--;
    if (state.lastEnd > at) at = state.lastEnd;
  }
  return undefined;
}

function select(input: unknown[], node: Node, state: State): Selection {
  switch (node.type) {
    case 'list':
      return selectList(input, node, state);
    case 'text':
      return { values: [node.text] };
    case 'int':
    case 'float':
    case 'bool':
      return { values: input.map(() => node.value) };
    case 'field':
      return selectField(input, node.name, state.missing);
    case 'wildcard':
      return { values: input.flatMap(childrenOf) };
    case 'recursive':
      return { values: input.flatMap(descendants) };
    case 'array':
      return selectSlice(input, node);
    case 'union':
      return selectUnion(input, node.members, state);
    case 'filter':
      return selectFilter(input, node, state);
    case 'identifier':
      return selectIdentifier(input, node.name, state);
  }
}

function selectList(input: unknown[], list: ListNode, state: State): Selection {
  let selection: Selection = { values: input };
  for (const node of list.nodes) {
    selection = select(selection.values, node, state);
    if (selection.error !== undefined) break;
  }
  return selection;
}

function selectIdentifier(input: unknown[], name: string, state: State): Selection {
  if (name === 'range') {
    state.begun++;
    return { values: input };
  }
  if (name !== 'end') return { values: input, error: `unrecognized identifier ${name}` };
  if (state.open === 0) return { values: [], error: 'not in range, nothing to end' };
  state.ended++;
  return { values: [] };
}

function selectField(input: unknown[], name: string, missing: MissingMembers): Selection {
  const values: unknown[] = [];
  for (const value of input)
    if (isMap(value) && Object.hasOwn(value, name) && value[name] !== undefined) values.push(value[name]);
  if (values.length === 0 && input.length > 0 && missing === 'are-errors')
    return { values, error: `${name} is not found` };
  return { values };
}

// All containers and non-empty strings, outermost first; never numbers and booleans.
function descendants(value: unknown): unknown[] {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendants)];
}

function selectSlice(input: unknown[], slice: Slice): Selection {
  const values: unknown[] = [];
  for (const value of input) {
    if (value === null) continue;
    if (value === undefined) throw new Panic('reflect: call of reflect.Value.Type on zero Value');
    if (!Array.isArray(value)) return { values: input, error: `${typeName(value)} is not array or slice` };
    const bounds = sliceBounds(slice, BigInt(value.length));
    if ('error' in bounds) return { values: input, error: bounds.error };
    // An empty slice ends the selection: later arrays are ignored.
    if (bounds.start === bounds.end) return { values };
    for (let at = bounds.start; at < bounds.end; at += bounds.step) values.push(value[Number(at)]);
  }
  return { values };
}

interface Bounds {
  start: bigint;
  end: bigint;
  step: bigint;
}

function sliceBounds(slice: Slice, length: bigint): Bounds | { error: string } {
  let start = slice.start ?? 0n;
  if (start < 0n) start += length;
  let end = slice.end ?? length;
  if (end < 0n || (end === 0n && slice.endDerived)) end += length;
  const step = slice.step ?? 1n;
  if (start === end) return { start, end, step };
  const outOfBounds = (index: bigint) => ({
    error: `array index out of bounds: index ${BigInt.asIntN(64, index)}, length ${length}`,
  });
  if (start >= length || start < 0n) return outOfBounds(start);
  if (end > length || end < 0n) return outOfBounds(end - 1n);
  if (start > end) return { error: `starting index ${start} is greater than ending index ${end}` };
  return step <= 0n ? { error: 'step must be > 0' } : { start, end, step };
}

function selectUnion(input: unknown[], members: ListNode[], state: State): Selection {
  const values: unknown[] = [];
  for (const member of members) {
    const selection = selectList(input, member, state);
    if (selection.error !== undefined) return { values: input, error: selection.error };
    appendAll(values, selection.values);
  }
  return { values };
}

type Filter = Extract<Node, { type: 'filter' }>;

function selectFilter(input: unknown[], filter: Filter, state: State): Selection {
  const values: unknown[] = [];
  for (const value of input) {
    if (!Array.isArray(value)) {
      const shown = value === undefined ? '<invalid reflect.Value>' : formatValue(value);
      return { values: input, error: `${shown} is not array or slice and cannot be filtered` };
    }
    for (const element of value) {
      const left = selectList([element], filter.left, state);
      if (filter.operator === 'exists') {
        // Only the selection matters, not the error.
        if (left.values.length > 0) values.push(element);
        continue;
      }
      if (left.error !== undefined) return { values: input, error: left.error };
      if (left.values.length === 0) continue;
      if (left.values.length > 1) return { values: input, error: ONE_AT_A_TIME };
      const right = selectList([element], filter.right, state);
      if (right.error !== undefined) return { values: input, error: right.error };
      if (right.values.length === 0) continue;
      if (right.values.length > 1) return { values: input, error: ONE_AT_A_TIME };
      const comparison = compare(left.values[0], filter.operator, right.values[0]);
      if ('error' in comparison) return { values, error: comparison.error };
      if (comparison.holds) values.push(element);
    }
  }
  return { values };
}

const ONE_AT_A_TIME = 'can only compare one element at a time';

// Comparisons in filters, by the rules of Go's text/template: nothing is converted.
type Comparison = { holds: boolean } | { error: string };

const incompatible = { error: 'incompatible types for comparison' };
const invalid = { error: 'invalid type for comparison' };

/** Whether `left operator right` holds, or why they cannot be compared. */
function compare(left: unknown, operator: string, right: unknown): Comparison {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return not(equal(left, right));
    case '<':
      return less(left, right);
    case '>=':
      return not(less(left, right));
    case '<=':
      return lessOrEqual(left, right);
    case '>':
      return not(lessOrEqual(left, right));
  }
  return { error: `unrecognized filter operator ${operator}` };
}

function not(comparison: Comparison): Comparison {
  return 'holds' in comparison ? { holds: !comparison.holds } : comparison;
}

function lessOrEqual(left: unknown, right: unknown): Comparison {
  const result = less(left, right);
  return 'holds' in result && !result.holds ? equal(left, right) : result;
}

function equal(left: unknown, right: unknown): Comparison {
  const pair = comparable(left, right);
  if ('error' in pair) return pair;
  return { holds: pair.left === pair.right };
}

function less(left: unknown, right: unknown): Comparison {
  const pair = comparable(left, right);
  if ('error' in pair) return pair;
  if (typeof pair.left === 'boolean') return invalid;
  if (typeof pair.left === 'string') return { holds: compareUtf8(pair.left, pair.right as string) < 0 };
  return { holds: pair.left < (pair.right as number | bigint) };
}

type Basic = string | number | bigint | boolean;

// Signed and unsigned integers are comparable, integers and floats are not.
function comparable(left: unknown, right: unknown): { left: Basic; right: Basic } | { error: string } {
  const [a, b] = [basic(left), basic(right)];
  if (a === undefined || b === undefined) return invalid;
  return typeof a === typeof b ? { left: a, right: b } : incompatible;
}

function basic(value: unknown): Basic | undefined {
  if (value instanceof Uint8) return BigInt(value.byte);
  if (typeof value === 'string') return byteText(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  return undefined;
}

// Strings with raw bytes equal those with the character that the bytes encode.
function byteText(text: string): string {
  return /\p{Surrogate}/u.test(text) ? String.fromCharCode(...utf8Bytes(text)) : text;
}
