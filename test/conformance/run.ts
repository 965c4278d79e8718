// npm run conformance -- DIR... [--suite NAME] [--case ID]: compares the engine with recorded decisions of real Karmada, file by file in
// each DIR.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandOptions } from '../commandOptions.ts';
import { readableDiff, readCases, runSuite, suiteOfFile, type SuiteResult } from './compare.ts';
import { loadSuite } from './suites.ts';

const USAGE = 'usage: npm run conformance -- DIR... [--suite NAME] [--case ID]';
const { values, positionals } = commandOptions(USAGE, {
  allowPositionals: true,
  options: { suite: { type: 'string' }, case: { type: 'string' } },
});
if (positionals.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
const files = positionals.flatMap((directory) => {
  const found = (existsSync(directory) ? readdirSync(directory) : [])
    .filter((file) => /\.jsonl(\.gz)?$/.test(file))
    .filter((file) => !values.suite || suiteOfFile(file) === values.suite)
    .sort();
  if (found.length === 0) {
    console.error(`no *.jsonl for ${values.suite ? `suite ${values.suite}` : 'any suite'} in ${directory}`);
    process.exit(2);
  }
  return found.map((file) => ({ directory, file }));
});
let passed = 0;
let failed = 0;
let shown: string | undefined;
for (const { directory, file } of files) {
  if (positionals.length > 1 && directory !== shown) console.log(directory);
  shown = directory;
  const started = performance.now();
  const cases = readCases(join(directory, file)).filter((one) => !values.case || one.id === values.case);
  let result: SuiteResult;
  try {
    result = runSuite(await loadSuite(cases[0]?.suite ?? suiteOfFile(file)), cases);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    result = { passed: 0, failures: cases.map(({ id, expected }) => ({ id, expected, actual: reason })) };
  }
  passed += result.passed;
  failed += result.failures.length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${suiteOfFile(file).padEnd(26)} ${String(result.passed).padStart(6)} passed ${String(result.failures.length).padStart(6)} failed ${seconds.padStart(6)} s`,
  );
  const first = result.failures[0];
  if (first)
    console.log(
      `  first difference: ${first.id}  (- Karmada, + ours)\n${readableDiff(first.expected, first.actual)}`,
    );
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
