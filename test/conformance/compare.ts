// Compares a suite's answers with the recorded ones.
import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type Dialect, dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { unequal, type ConformanceCase, type Difference, type Suite } from './suite.ts';

/** the version of cases that name none */
const MAIN_VERSION = 'v1.18.2';

export interface Failure {
  id: string;
  expected: unknown;
  actual: unknown;
}

export interface SuiteResult {
  passed: number;
  failures: Failure[];
}

/** The cases of a file of JSON lines, which may be compressed. */
export function readCases(file: string): ConformanceCase[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ConformanceCase);
}

/** The suite that a file of cases is named after. */
export function suiteOfFile(name: string): string {
  return name.replace(/\.jsonl(\.gz)?$/, '');
}

/** Runs each case in the engine, under the rules of the version that recorded it. */
export function runSuite(suite: Suite, cases: ConformanceCase[]): SuiteResult {
  const result: SuiteResult = { passed: 0, failures: [] };
  const dialects = new Map<string, Dialect>();
  for (const one of cases) {
    const version = one.karmadaVersion ?? MAIN_VERSION;
    const dialect = dialects.get(version) ?? dialectOf(version).dialect;
    dialects.set(version, dialect);
    try {
      const found = difference(suite, one, dialect);
      if (found) result.failures.push({ id: one.id, ...found });
      else result.passed++;
    } catch (error) {
      const actual = error instanceof Error ? (error.stack ?? error.message) : String(error);
      result.failures.push({ id: one.id, expected: one.expected, actual });
    }
  }
  return result;
}

function difference(suite: Suite, one: ConformanceCase, dialect: Dialect): Difference | undefined {
  const expected = outcomes(one.expected);
  const answer = suite.answer(one.input, dialect);
  const actual = outcomes(answer);
  const compare = (a: unknown, b: unknown) =>
    suite.difference ? suite.difference(a as never, b as never, one.input) : unequal(a, b);
  if (!isOneOf(one.expected) && actual.length === 1) return compare(expected[0], actual[0]);
  const missing = expected.filter((a) => !actual.some((b) => !compare(a, b)));
  const surplus = actual.filter((b) => !expected.some((a) => !compare(a, b)));
  // if not all random choices were tried, other results than the recorded ones are possible
  const oneOfMany = !isOneOf(one.expected) && isOneOf(answer) && answer.beyondTrying;
  const wrong = one.expected['complete'] === false || oneOfMany ? [] : surplus;
  if (missing.length === 0 && wrong.length === 0) return undefined;
  // the closest one gives the most useful report
  const only = missing.length === 1 && surplus.length === 1 ? compare(missing[0], surplus[0]) : undefined;
  return only ?? { expected: { onlyKarmada: missing }, actual: { onlyOurs: surplus } };
}

function isOneOf(value: unknown): value is { oneOf: unknown[]; beyondTrying?: boolean } {
  return typeof value === 'object' && value !== null && 'oneOf' in value && Array.isArray(value.oneOf);
}

/** Each possible outcome as a whole: properties beside `oneOf` belong to each of them. */
function outcomes(value: unknown): unknown[] {
  if (!isOneOf(value)) return [value];
  const {
    oneOf,
    complete: _,
    beyondTrying: __,
    ...shared
  } = value as {
    oneOf: unknown[];
    complete?: boolean;
    beyondTrying?: boolean;
  };
  return oneOf.map((outcome) => ({ ...shared, ...(outcome as object) }));
}

/** Lines of two pretty-printed values, differing lines marked - (expected) and + (ours). */
export function readableDiff(expected: unknown, actual: unknown): string {
  const lines = (value: unknown) =>
    (typeof value === 'string' ? value : (JSON.stringify(value, sortedKeys, 2) ?? 'undefined')).split('\n');
  const [a, b] = [lines(expected), lines(actual)];
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i]![j] =
        a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  const out: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push(`    ${a[i++]}`);
      j++;
    } else if (i < a.length && (j >= b.length || table[i + 1]![j]! >= table[i]![j + 1]!)) {
      out.push(styleText('red', `  - ${a[i++]}`));
    } else out.push(styleText('green', `  + ${b[j++]}`));
  }
  return out.length > 80
    ? [...out.slice(0, 80), `    … ${out.length - 80} more lines`].join('\n')
    : out.join('\n');
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
