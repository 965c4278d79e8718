// Writes docs/checks.md from the catalogue of findings. With --print it writes to stdout; a test compares that with the committed page.
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { catalogue } from '../src/analysis/findings/catalogue.ts';
import type { Check } from '../src/analysis/findings/check.ts';
import { stateChecks } from '../src/analysis/findings/state/stateCatalogue.ts';
import { themes, type StateCheck, type Theme } from '../src/analysis/findings/state/stateCheck.ts';
import { keysOf } from '../src/kubernetes/json.ts';
import type { Example } from '../test/analysis/findings/state/examples/example.ts';
import { exampleOf } from '../test/analysis/findings/state/examples/examples.ts';

const file = 'docs/checks.md';
const text = await format(checksPage(), { ...(await resolveConfig(file)), filepath: file });
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(file, text);

/** docs/checks.md: every check of the catalogue, with its id as an anchor. */
function checksPage(): string {
  const ofThemes = keysOf(themes).flatMap((theme) => [
    `## ${themes[theme]}`,
    ...stateChecks.filter((check) => check.theme === theme).flatMap(stateSection),
  ]);
  return [
    '# Checks',
    'The catalogue of findings: what `doctor` looks for in a control plane, and `lint` in manifests. `scripts/checks.ts` writes this page from it.',
    `\`doctor\` makes ${stateChecks.length} checks of a control plane, and those of ClusterTaintPolicies. An id never changes its meaning. Checks are chosen by ids, or by the words in this table.`,
    ['| theme | checks |', '|---|---|', ...keysOf(themes).map(themeRow)].join('\n'),
    ...ofThemes,
    '## Manifests and ClusterTaintPolicies',
    ...catalogue.flatMap(section),
  ]
    .join('\n\n')
    .concat('\n');
}

function themeRow(theme: Theme): string {
  const own = stateChecks.filter((check) => check.theme === theme);
  return `| \`${theme}\` | ${own.map(({ id }) => `[${id}](#${id})`).join(', ')} |`;
}

function section({ id, severity, title, help, needs }: Check): string[] {
  // A pair of * would be emphasis.
  return [
    `### ${id}`,
    `${severity}: ${title}. ${help}`.replaceAll('*', '\\*'),
    `Reads: ${needs.join(', ')}.`,
  ];
}

function stateSection(check: StateCheck): string[] {
  const { versions, symptoms, issues = [], flags = [] } = check;
  return [
    ...section(check),
    [
      ...(versions ? [`- Versions: ${versions}.`] : []),
      ...(flags.length > 0 ? [`- Gates and flags: ${flags.join(', ')}.`] : []),
      `- Symptoms: ${symptoms.map((one) => `“${one}”`).join('; ')}.`,
      ...(issues.length > 0 ? [`- Upstream: ${issues.map((one) => `#${one}`).join(', ')}.`] : []),
      `- Example: ${exampleText(exampleOf(check.id))}.`,
    ].join('\n'),
  ];
}

/** What makes a healthy control plane fail the check. */
function exampleText({ version, flags = {}, patches = [], adds = [] }: Example): string {
  const parts = [
    ...(version ? [`Karmada ${version}`] : []),
    ...Object.values(flags).flatMap((words) => words.map((word) => `\`${word}\``)),
    ...patches.map(({ target: { kind, name }, merge }) =>
      merge === null ? `no ${kind} ${name}` : `${kind} ${name} with \`${JSON.stringify(merge)}\``,
    ),
    ...adds.map((object) => `one more object, \`${JSON.stringify(object)}\``),
  ];
  return parts.length > 0 ? parts.join('; ') : 'as it is';
}
