// Keeps the results of differential runs and shows them in docs/fidelity.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { versions } from './versions.ts';

const RESULTS = resolve('test/oracle/results.json');
const DOCUMENT = resolve('docs/fidelity.md');
const BEGIN = '<!-- differential: begin -->';
const END = '<!-- differential: end -->';

/** Results of the last run of one suite against one version. */
export interface Figures {
  seed: number;
  /** inputs that Karmada decided */
  cases: number;
  /** decisions that differ */
  differ: number;
  /** inputs that the version's API would refuse */
  refused: number;
  /** inputs that crash Karmada's code */
  crashes: number;
}

type Results = Record<string, Record<string, Figures>>;

/** Replaces the results of the previous run, also in the document. */
export function report(version: string, figures: Record<string, Figures>): void {
  const results: Results = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : {};
  results[version] = { ...results[version], ...figures };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  if (!existsSync(DOCUMENT)) return;
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, rest = ''] = text.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${table(results)}\n\n${END}${after}`);
}

function table(results: Results): string {
  const columns = versions.filter((version) => results[version]);
  const suites = [...new Set(columns.flatMap((version) => Object.keys(results[version]!)))].sort();
  const cell = (figures: Figures | undefined) => {
    if (!figures) return '–';
    const cases = figures.cases.toLocaleString('en');
    return figures.differ === 0 ? cases : `${cases}, **${figures.differ.toLocaleString('en')} differ**`;
  };
  const total = (version: string) => {
    const all = Object.values(results[version]!);
    const sum = (of: (figures: Figures) => number) => all.reduce((all, one) => all + of(one), 0);
    return cell({
      seed: 0,
      cases: sum((one) => one.cases),
      differ: sum((one) => one.differ),
      refused: 0,
      crashes: 0,
    });
  };
  return [
    `| Suite | ${columns.join(' | ')} |`,
    `| --- | ${columns.map(() => '---:').join(' | ')} |`,
    ...suites.map(
      (suite) => `| ${suite} | ${columns.map((version) => cell(results[version]![suite])).join(' | ')} |`,
    ),
    `| all | ${columns.map(total).join(' | ')} |`,
  ].join('\n');
}
