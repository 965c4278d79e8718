import { differs, type FailoverDiff, type Side } from '../engine/comparison/compareSides.ts';
import type { ComparedWorkload, WorkloadDifference } from '../engine/comparison/differences.ts';
import { inOrder, type Answer, type TextOptions } from './answer.ts';
import { assumptionText, type AnsweredAssumption } from './assumptions.ts';
import { duration } from './duration.ts';
import { createFootnotes, type Footnotes } from './footnotes.ts';
import { listed } from './listed.ts';
import { objectText } from './objectText.ts';
import { gapText, outcomeStyle, possibleEndsText } from './outcomeWords.ts';
import { placementText } from './placement.ts';
import type { Style } from './style.ts';
import { table } from './table.ts';

/** One difference of one workload in one scenario, as `items` holds it. */
interface Item extends WorkloadDifference {
  scenario: string;
  cluster?: string;
}

/** Two simulations side by side. */
export function failoverDiffAnswer(
  diff: FailoverDiff,
  assumptions: AnsweredAssumption[],
  items: Item[] = diff.scenarios.flatMap(({ title, cluster, workloads }) =>
    workloads.map((one) => ({ scenario: title, ...(cluster === undefined ? {} : { cluster }), ...one })),
  ),
): Answer {
  return {
    document: {
      kind: 'FailoverDiff',
      schemaVersion: 'v1',
      assumptions,
      from: sideDocument(diff.from),
      to: sideDocument(diff.to),
      scenarios: diff.scenarios.map(({ title, cluster, workloads }) => ({
        title,
        ...(cluster === undefined ? {} : { cluster }),
        differences: workloads.length,
      })),
      differs: differs(diff),
      items,
      settings: diff.settings,
      rules: diff.rules,
      purgeModes: diff.purgeModes,
      ...(diff.defaultTolerations ? { defaultTolerations: diff.defaultTolerations } : {}),
    },
    names: () => items.map(({ workload: { kind, name } }) => `${kind.toLowerCase()}/${name}`),
    list: {
      field: 'items',
      inOrder: (positions) => failoverDiffAnswer(diff, assumptions, inOrder(items, positions)),
    },
    text(options) {
      const text = diffText(diff, items, options);
      const assumed = assumptionText(assumptions, options.style, options.wide);
      return assumed && !options.noHeaders ? `${text}\n\n${assumed}` : text;
    },
  };
}

function sideDocument({ title, dialect }: Side) {
  return { title, karmadaVersion: dialect.version };
}

function diffText(diff: FailoverDiff, items: Item[], options: TextOptions): string {
  const { style, wide, noHeaders } = options;
  const { from, to, scenarios } = diff;
  const footnotes = createFootnotes(style);
  const rows = items.map((item) => [
    item.scenario,
    objectText(item.workload),
    sideText(item.from, style, footnotes),
    sideText(item.to, style, footnotes),
    item.kinds.join(', '),
  ]);
  const differences = rows.length
    ? [
        table(['SCENARIO', 'WORKLOAD', 'FROM', 'TO', 'DIFFERS IN'], rows, { noHeaders }),
        ...(noHeaders ? [] : footnotes.lines()),
      ].join('\n')
    : nothingDiffers(scenarios);
  if (noHeaders) return differences;
  const quiet = scenarios.filter(({ workloads }) => workloads.length === 0).map(({ title }) => title);
  return [
    `${style.strong(`${from.title} → ${to.title}`)}   ${style.faint(plural(scenarios.length, 'scenario'))}`,
    differences,
    ...(rows.length > 0 && quiet.length > 0
      ? [style.faint(`Nothing differs if ${listed(quiet, 8, ' or ')}.`)]
      : []),
    ...toleranceText(diff),
    ...purgeModeText(diff, style),
    ...settingsText(diff, style),
    ...rulesText(diff, wide, style),
  ].join('\n\n');
}

function nothingDiffers(scenarios: FailoverDiff['scenarios']): string {
  if (scenarios.length === 0)
    return 'Nothing was compared: no cluster that is Ready runs anything. Say what happens: --fail, --taint or --scenario.';
  if (scenarios.length > 1) return `No workload fares differently in any of ${scenarios.length} failures.`;
  return `${scenarios[0]!.title}: no workload fares differently.`;
}

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function sideText(side: ComparedWorkload | undefined, style: Style, footnotes: Footnotes): string {
  if (!side) return 'is not there';
  const { outcome, after, leavesAfterSeconds } = side;
  const fewer = gapText(side).replace(/^\d+/, '$& fewer ready');
  const parts = [`${outcomeStyle(outcome, style)(outcome)}: ${placementText(after) || 'nowhere'}`];
  if (leavesAfterSeconds !== undefined) parts.push(`after ${duration(leavesAfterSeconds * 1000)}`);
  return [...parts, fewer, ...possibleEndsText(side), footnotes.doubt(side)]
    .filter((part) => part !== '')
    .join(', ');
}

function toleranceText({ defaultTolerations, to }: FailoverDiff): string[] {
  if (!defaultTolerations) return [];
  return [
    `Tolerations for not-ready and unreachable (300 s) are ${defaultTolerations} to new policies by the webhook of ${to.title}; policies that are there keep what they have.`,
  ];
}

function purgeModeText({ purgeModes, to }: FailoverDiff, style: Style): string[] {
  if (purgeModes.length === 0) return [];
  const lines = purgeModes.map(
    ({ policy, field, purgeMode, known }) =>
      `  ${objectText(policy)}: ${field} ${style.bad(purgeMode)}; known are ${known.join(', ')}`,
  );
  return [[`Purge modes that ${to.title} does not know:`, ...lines].join('\n')];
}

function settingsText({ settings, from, to }: FailoverDiff, style: Style): string[] {
  if (settings.length === 0) return [];
  const rows = settings.map(({ name, component, from: value, to: now }) => [
    `  ${name}=${value}`,
    component,
    now === null
      ? style.warn(`cannot be kept: ${to.dialect.version} does not know it`)
      : `is ${now} in ${to.title}`,
  ]);
  return [[`To keep what ${from.title} does, set:`, table([], rows, { noHeaders: true })].join('\n')];
}

function rulesText({ rules }: FailoverDiff, wide: boolean, style: Style): string[] {
  if (rules.length === 0) return [];
  if (!wide)
    return [
      style.faint(
        `${plural(rules.length, 'rule')} of Karmada differ${rules.length === 1 ? 's' : ''}; -o wide names them.`,
      ),
    ];
  return [['Rules of Karmada that differ:', ...rules.map(({ decides }) => `  ${decides}`)].join('\n')];
}
