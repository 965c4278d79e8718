import { isAtLeast, type Finding, type Severity } from '../../analysis/findings/finding.ts';
import { escaped } from '../../presentation/html/renderHtml.ts';
import { formatPlace } from '../words/names.ts';
import { firstWith } from '../../kubernetes/firstWith.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';

interface JunitInput {
  findings: readonly Finding[];
  objects: readonly { kind: string; name: string; file: string; line: number }[];
  failOn: Severity;
}

/**
 * Findings as JUnit XML: a suite per file, a case per checked object, a failure per failing finding. Other findings are in the output of
 * their case.
 */
export function junit({ findings, objects, failOn }: JunitInput): string {
  const cases = casesOf(findings, objects, failOn);
  const suites = [...byFile(cases)].map(([file, own]) =>
    [
      `  <testsuite name="${escaped(file)}" tests="${own.length}" failures="${failed(own)}" errors="0" skipped="0">`,
      ...own.map(testCase),
      '  </testsuite>',
    ].join('\n'),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kubectl-karmada-failover" tests="${cases.length}" failures="${failed(cases)}" errors="0">`,
    ...suites,
    '</testsuites>\n',
  ].join('\n');
}

type Checked = JunitInput['objects'][number];

interface Case {
  object: Checked;
  failures: Finding[];
  /** findings that do not fail */
  others: Finding[];
}

/** A finding belongs to the last object of its file that begins at or before it. */
function casesOf(findings: readonly Finding[], objects: readonly Checked[], failOn: Severity): Case[] {
  const cases = objects.map((object): Case => ({ object, failures: [], others: [] }));
  const files = byFile(cases);
  for (const finding of findings) {
    const own = lastAtOrBefore(files.get(finding.place.file) ?? [], finding.place.line);
    const isFailure = !finding.ignored && isAtLeast(finding.severity, failOn);
    own?.[isFailure ? 'failures' : 'others'].push(finding);
  }
  return cases;
}

/** The cases of each file, by line. */
function byFile(cases: readonly Case[]): Map<string, Case[]> {
  const files = groupedBy(cases, ({ object }) => object.file);
  for (const own of files.values()) own.sort((a, b) => a.object.line - b.object.line);
  return files;
}

function lastAtOrBefore(cases: readonly Case[], line: number): Case | undefined {
  return cases[firstWith(cases, ({ object }) => object.line > line) - 1];
}

const failed = (cases: readonly Case[]) => cases.filter(({ failures }) => failures.length > 0).length;

function testCase({ object: { kind, name, file, line }, failures, others }: Case): string {
  const opened = `    <testcase classname="${escaped(kind)}" name="${escaped(name === '' ? '(no name)' : name)}" file="${escaped(file)}" line="${line}"`;
  if (failures.length + others.length === 0) return `${opened}/>`;
  return [
    `${opened}>`,
    ...failures.map(
      ({ rule, message, place }) =>
        `      <failure type="${escaped(rule)}" message="${escaped(message)}">${escaped(`${formatPlace(place)}: ${message}`)}</failure>`,
    ),
    ...(others.length > 0
      ? [`      <system-out>${others.map((one) => escaped(outputLine(one))).join('\n')}</system-out>`]
      : []),
    '    </testcase>',
  ].join('\n');
}

function outputLine({ place, severity, message, rule, ignored }: Finding): string {
  return `${formatPlace(place)}: ${severity}: ${message} [${rule}]${ignored ? ` ignored: ${ignored.reason}` : ''}`;
}
