// Holds a suite's answers against the recorded ones.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, styleText } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { withoutZeroValues, type ConformanceCase, type Suite } from './suite.ts';

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

export function runSuite(suite: Suite, cases: ConformanceCase[]): SuiteResult {
  const result: SuiteResult = { passed: 0, failures: [] };
  for (const one of cases) {
    try {
      const found = difference(suite, one);
      if (found) result.failures.push({ id: one.id, ...found });
      else result.passed++;
    } catch (error) {
      const actual = error instanceof Error ? (error.stack ?? error.message) : String(error);
      result.failures.push({ id: one.id, expected: one.expected, actual });
    }
  }
  return result;
}

function difference(suite: Suite, one: ConformanceCase): { expected: unknown; actual: unknown } | undefined {
  const actual = suite.answer(one.input);
  if (suite.difference) return suite.difference(one.expected as never, actual as never, one.input);
  const [a, b] = [withoutZeroValues(one.expected), withoutZeroValues(actual)];
  return isDeepStrictEqual(a, b) ? undefined : { expected: a, actual: b };
}

/** Lines of two pretty-printed values, those they do not share marked - (expected) and + (ours). */
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
