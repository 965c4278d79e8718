// npm run dialects: writes docs/dialects.md from the data in src/karmada/dialects. With --print it writes to stdout; a test compares that
// with the committed page.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format } from 'prettier';
import { decidingFlags } from '../src/karmada/dialects/componentFlags.ts';
import { knownVersions, newestReleased, newestReleases } from '../src/karmada/dialects/dialects.ts';
import { decidingGates, otherGates } from '../src/karmada/dialects/featureGates.ts';
import { designs, PROPOSAL } from '../src/karmada/dialects/design.ts';
import { inWords, type History, type Switch } from '../src/karmada/dialects/history.ts';
import { switches } from '../src/karmada/dialects/rules.ts';
import { binaries, formatFlagValue, type Component, type FlagType } from '../src/karmada/dialects/flags.ts';
import { shownBy } from '../test/karmada/dialects/shownBy.ts';

const titles: Record<keyof typeof switches, string> = {
  detection: 'When Karmada notices that a member has failed',
  taints: 'Taints and the taint manager',
  scheduling: 'Scheduling',
  eviction: 'Eviction tasks, and the Works that they keep',
  application: 'Application failover',
  status: 'Health and the aggregated status',
  propagation: 'How templates become bindings',
  admission: 'Webhooks and their messages',
  api: 'Fields of the API',
};

/** A value as a table cell; strings are marked as code. */
function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) return value.map(shown).join(', ') || 'none';
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${shown(inner)}`)
      .join(', ');
  return `\`${String(value)}\``;
}

const cell = (text: string) => text.replaceAll('|', '\\|');

/** "`old` → `both` from v1.15.0 → `new` from v1.19.0; `other` by optimize-cluster-failover" */
function history<T>(
  { values: [first, ...changes], designs: designed = {} }: History<T>,
  print: (value: T) => string = shown,
): string {
  const released = [
    print(first.value),
    ...changes.map(({ since, value }) => `${print(value)} from ${inWords(since)}`),
  ].join(' → ');
  const byDesign = designs.flatMap((one) =>
    Object.hasOwn(designed, one) ? [`${print(designed[one] as T)} by ${one}`] : [],
  );
  return [released, ...byDesign].join('; ');
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function roomList(room: keyof typeof switches): string {
  const testsOf: Readonly<Record<string, readonly string[]>> = shownBy[room];
  const items = Object.entries(switches[room] as Record<string, Switch<unknown>>).map(
    ([name, { decides, ...values }]) => {
      const tests = testsOf[name]!.map((test) => `\`${test}\``).join(', ');
      return `- **\`${name}\`**: ${decides}.\n  ${history(values)}.${tests && ` Shown by ${tests}.`}`;
    },
  );
  return `### ${titles[room]} (\`${room}\`)\n\n${items.join('\n')}`;
}

function gateTable(): string {
  const rows = Object.entries({ ...decidingGates, ...otherGates }).map(([name, gate]) => [
    `\`${name}\``,
    history<{ default: boolean; stage: string } | undefined>(gate, (state) =>
      state ? `${state.default ? 'on' : 'off'} (${state.stage.toLowerCase()})` : 'unknown',
    ),
    'decidedBy' in gate ? binaries[gate.decidedBy as Component] : 'nothing here',
  ]);
  return table(['gate', 'default by release', 'decided by'], rows);
}

/** Whether rules read flags of a component. */
const hasRows = (component: Component) => Object.keys(decidingFlags[component]).length > 0;

function flagTable(component: Component): string {
  type Histories = Record<string, History<unknown> & { type: FlagType }>;
  const rows = Object.entries(decidingFlags[component] as unknown as Histories).map(
    ([name, { type, ...values }]) => [
      `\`--${name}\``,
      history(values, (state) => {
        if (state === 'unknown') return 'unknown';
        if (state === 'withoutEffect') return 'without effect';
        return `\`${formatFlagValue(type, (state as { default: string }).default)}\``;
      }),
    ],
  );
  return `### ${binaries[component]}\n\n${table(['flag', 'default by release'], rows)}`;
}

/** The expected page. */
async function page(): Promise<string> {
  const text = `# What Karmada's versions do differently

Written by \`npm run dialects\` from \`src/karmada/dialects\`; edit that instead. The rules of the engine and of admission read these
switches; nothing else asks for a version.

\`--karmada-version\` takes ${knownVersions[0]} to ${knownVersions.at(-1)}, by patch release: \`v1.17.3\`, or \`v1.17\` for the newest patch
release of that minor version. ${knownVersions.at(-1)} is what the development branch did on 2026-08-21, also called \`head\`. A version without data of its
own takes the nearest and says so: older ones the oldest, newer ones the newest, a pre-release the release it leads to. The newest patch
releases were ${inWords(newestReleases)} then.
If the version is unknown, ${newestReleased} is assumed.

\`--karmada-version ${PROPOSAL}\` follows the design ${designs[0]}, on top of ${newestReleased}; \`${PROPOSAL}+${designs[1]}\` and
\`${PROPOSAL}+${designs[2]}\` add the others. "By ${designs[0]}" below says what a design puts in place of what was released.

"From v1.16.8, v1.17.5 and v1.18.2" means: in 1.16 from patch 8, in 1.17 from patch 5, in 1.18 from patch 2, and in every later minor
version. "Shown by" names suites of recorded decisions (\`test/conformance\`), each run against the versions on both sides, and test
files.

## Switches

${(Object.keys(switches) as (keyof typeof switches)[]).map(roomList).join('\n\n')}

## Feature gates

A gate that a version does not know is off, and warned about if a command line sets it.

${gateTable()}

## Flags

Those that decide something here. A flag that a version does not know, or that has no effect in it, is warned about if a command
line sets it, and refused in \`--assume\`.

${(Object.keys(decidingFlags) as Component[]).filter(hasRows).map(flagTable).join('\n\n')}
`;
  return format(text, { parser: 'markdown', printWidth: 110 });
}

const text = await page();
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(resolve('docs/dialects.md'), text);
