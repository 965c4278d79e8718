// npm run differential -- --version VERSION --cases N --seed N [--suite NAME] [--report]: asks Karmada's own code and the engine the same
// generated questions and compares the answers.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandOptions, refuse, wholeNumber } from '../commandOptions.ts';
import { readableDiff, readCases } from '../conformance/compare.ts';
import { buildOracle, goIsThere } from './build.ts';
import { Comparison } from './comparison.ts';
import { Mutator } from './generate/mutate.ts';
import { generators } from './generate/suites.ts';
import { seededRandom } from './generate/values.ts';
import { asWritten } from './generate/written.ts';
import { keep } from './keep.ts';
import { Oracle } from './oracle.ts';
import { shrink } from './shrink.ts';
import { report, type Figures } from './report.ts';
import { versions } from './versions.ts';

const USAGE =
  'usage: npm run differential -- --version VERSION [--cases N] [--seed N] [--suite NAME]… [--keep N] [--report]\n' +
  `  VERSION is one of ${versions.join(', ')}; default: the last\n` +
  `  NAME is one of ${Object.keys(generators).join(', ')}; default: all\n` +
  '  N inputs (--cases, default 10000) are made up from a seed (--seed, default 1); of what differs the first\n' +
  '  N of each suite (--keep, default 3) are made as small as they can be and kept; --report writes docs/fidelity.md';

const RECORDED = resolve('test/conformance/cases');

function options() {
  return commandOptions(USAGE, {
    options: {
      version: { type: 'string', default: versions.at(-1)! },
      cases: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      suite: { type: 'string', multiple: true },
      keep: { type: 'string', default: '3' },
      report: { type: 'boolean', default: false },
    },
  }).values;
}

/** how many inputs run concurrently */
const BATCH = 200;

/** Makes the inputs of a suite: generated ones and mutated recorded ones in turn. Each depends only on seed and number. */
function inputMaker(suite: string, seed: number): (number: number) => unknown {
  const recorded = join(RECORDED, `${suite}.jsonl.gz`);
  const mutator = existsSync(recorded)
    ? new Mutator(readCases(recorded).map(({ input }) => input))
    : undefined;
  const generate = generators[suite];
  const salt = [...suite].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, seed);
  return (number) => {
    const random = seededRandom(Math.imul(salt, 0x9e3779b1) + number);
    const input = mutator && (!generate || number % 3 === 2) ? mutator.mutated(random) : generate!(random);
    return asWritten(suite, input);
  };
}

interface SuiteRun {
  figures: Figures;
  /** the kept cases */
  kept: string[];
}

async function runSuiteOf(comparison: Comparison, suite: string, settings: Settings): Promise<SuiteRun> {
  const figures: Figures = { seed: settings.seed, cases: 0, differ: 0, refused: 0, crashes: 0 };
  const make = inputMaker(suite, settings.seed);
  const kept = new Map<string, string>();
  for (let first = 0; first < settings.cases; first += BATCH) {
    const numbers = Array.from(
      { length: Math.min(BATCH, settings.cases - first) },
      (_, index) => first + index,
    );
    const inputs = numbers.map(make);
    const verdicts = await comparison.compare(inputs);
    // nothing that this version supports
    const asked = verdicts.some(({ kind }) => kind !== 'refused');
    if (!asked && first === 0) return { figures, kept: [] };
    for (const [index, verdict] of verdicts.entries()) {
      if (verdict.kind === 'refused' || verdict.kind === 'crashes') {
        if (verdict.kind === 'refused' ? figures.refused++ === 0 : figures.crashes++ === 0)
          console.log(`  case ${numbers[index]} ${verdict.kind}: ${verdict.why.split('\n')[0]}`);
        continue;
      }
      figures.cases++;
      if (verdict.kind !== 'differs') continue;
      figures.differ++;
      if (figures.differ > settings.keep) continue;
      const thrown = typeof verdict.actual === 'string';
      const smallest = await shrink(inputs[index], (some) =>
        comparison.firstDifferent(
          some.map((one) => asWritten(suite, one)),
          ({ actual }) => (typeof actual === 'string') === thrown,
        ),
      );
      const [shown] = await comparison.compare([asWritten(suite, smallest)]);
      if (shown?.kind !== 'differs') continue;
      const id = keep(shown.recorded);
      if (kept.has(id)) continue;
      kept.set(id, id);
      console.log(
        `  ${id}  (- Karmada, + ours)\n${JSON.stringify(shown.recorded.input)}\n${readableDiff(shown.expected, shown.actual)}`,
      );
    }
  }
  return { figures, kept: [...kept.keys()] };
}

interface Settings {
  seed: number;
  /** of each suite */
  cases: number;
  /** how many differences of each suite are shrunk and kept */
  keep: number;
}

async function main(): Promise<number> {
  const values = options();
  if (!versions.includes(values.version)) refuse(`no oracle for ${values.version}`, USAGE);
  const unknown = values.suite?.find(
    (suite) => !generators[suite] && !existsSync(join(RECORDED, `${suite}.jsonl.gz`)),
  );
  if (unknown !== undefined) refuse(`no inputs for the suite ${unknown}`, USAGE);
  const suites = values.suite ?? Object.keys(generators);
  const settings: Settings = {
    seed: wholeNumber(USAGE, 'seed', values.seed),
    cases: Math.ceil(wholeNumber(USAGE, 'cases', values.cases) / suites.length),
    keep: wholeNumber(USAGE, 'keep', values.keep),
  };
  if (!goIsThere()) {
    console.log(
      `no Go here to ask Karmada ${values.version} with\n0 passed, 0 failed, ${suites.length} suites skipped`,
    );
    return 0;
  }
  const oracle = new Oracle(await buildOracle(values.version));
  const figures: Record<string, Figures> = {};
  for (const suite of suites) {
    const started = performance.now();
    const comparison = await Comparison.of(oracle, values.version, suite).catch((error: unknown) => {
      console.log(`${suite.padEnd(24)} skipped: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (!comparison) continue;
    const run = await runSuiteOf(comparison, suite, settings);
    if (run.figures.cases > 0) figures[suite] = run.figures;
    const { cases, differ, refused, crashes } = run.figures;
    const took = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${suite.padEnd(24)} ${String(cases).padStart(7)} decided ${String(differ).padStart(6)} differ ${String(refused).padStart(6)} refused ${String(crashes).padStart(5)} crash ${took.padStart(7)} s`,
    );
  }
  oracle.close();
  if (values.report) report(values.version, figures);
  const sum = (of: (figures: Figures) => number) =>
    Object.values(figures).reduce((all, one) => all + of(one), 0);
  const differ = sum((one) => one.differ);
  console.log(`${sum((one) => one.cases) - differ} passed, ${differ} failed`);
  return differ > 0 ? 1 : 0;
}

process.exitCode = await main();
