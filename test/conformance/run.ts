// npm run conformance -- DIR [--suite NAME]: holds the engine against recorded decisions of real Karmada.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual, parseArgs, styleText } from 'node:util';
import { loadSuite, withoutZeroValues, type ConformanceCase, type Suite } from './suite.ts';

interface SuiteResult {
  passed: number;
  failures: { id: string; expected: unknown; actual: unknown }[];
}

function difference(suite: Suite, one: ConformanceCase): { expected: unknown; actual: unknown } | undefined {
  const actual = suite.answer(one.input);
  if (suite.difference) return suite.difference(one.expected as never, actual as never, one.input);
  const [a, b] = [withoutZeroValues(one.expected), withoutZeroValues(actual)];
  return isDeepStrictEqual(a, b) ? undefined : { expected: a, actual: b };
}

function runSuite(suite: Suite, cases: ConformanceCase[]): SuiteResult {
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

/** Lines of two pretty-printed values, those they do not share marked - (expected) and + (ours). */
function readableDiff(expected: unknown, actual: unknown): string {
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { suite: { type: 'string' }, case: { type: 'string' } },
});
const directory = positionals[0];
if (!directory) {
  console.error('usage: npm run conformance -- DIR [--suite NAME] [--case ID]');
  process.exit(2);
}
const files = readdirSync(directory)
  .filter((file) => file.endsWith('.jsonl'))
  .filter((file) => !values.suite || basename(file, '.jsonl') === values.suite)
  .sort();
if (files.length === 0) {
  console.error(`no *.jsonl for ${values.suite ? `suite ${values.suite}` : 'any suite'} in ${directory}`);
  process.exit(2);
}
let passed = 0;
let failed = 0;
for (const file of files) {
  const started = performance.now();
  const cases = readFileSync(join(directory, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ConformanceCase)
    .filter((one) => !values.case || one.id === values.case);
  let result: SuiteResult;
  try {
    result = runSuite(await loadSuite(cases[0]?.suite ?? basename(file, '.jsonl')), cases);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    result = { passed: 0, failures: cases.map(({ id, expected }) => ({ id, expected, actual: reason })) };
  }
  passed += result.passed;
  failed += result.failures.length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${basename(file, '.jsonl').padEnd(26)} ${String(result.passed).padStart(6)} passed ${String(result.failures.length).padStart(6)} failed ${seconds.padStart(6)} s`,
  );
  const first = result.failures[0];
  if (first)
    console.log(
      `  first difference: ${first.id}  (- Karmada, + ours)\n${readableDiff(first.expected, first.actual)}`,
    );
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
