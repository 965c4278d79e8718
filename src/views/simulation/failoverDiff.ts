import { conversionChecks } from '../../analysis/findings/conversion.ts';
import type { ConvertedInWorld } from '../../analysis/taintPolicy/conversion/convertWorld.ts';
import {
  hasDifferences,
  NOTHING_HAPPENS,
  type FailoverDiff,
  type ComparedSide,
} from '../../simulator/comparison/compareSides.ts';
import type { WorkloadDifference } from '../../simulator/comparison/differences.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, lineBlocks, asStrong, asWarning } from '../../presentation/words.ts';
import { inOrder, type Answer, type Shown } from '../answer.ts';
import { assumptionBlocks, type Caveat, type AnsweredAssumption } from '../assumptions.ts';
import { comparedCells, comparedWords, worstFirst } from './comparedWorkload.ts';
import { listed, plural } from '../words/amounts.ts';
import { objectText, resourceName, shortWorkloadName, workloadName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';

/** One difference of a workload in a scenario, an entry of `items`. */
interface Item extends WorkloadDifference {
  scenario: string;
  cluster?: string;
}

/** The inputs of the scenario and of the second side, for another command. */
export interface SameScenario {
  simulate: readonly string[];
  /** absent: an explanation cannot take them */
  explain?: readonly string[] | undefined;
  second: readonly string[];
}

interface Compared {
  diff: FailoverDiff;
  /** the ClusterTaintPolicies that a side has in another form than the state */
  converted: readonly (ConvertedInWorld & { side: 'from' | 'to' })[];
  again: SameScenario;
  assumptions: AnsweredAssumption[];
}

/** Two simulations side by side. */
export function failoverDiffAnswer(
  compared: Compared,
  items: Item[] = compared.diff.scenarios.flatMap(({ title, cluster, workloads }) =>
    workloads.map((one) => ({ scenario: title, ...(cluster === undefined ? {} : { cluster }), ...one })),
  ),
  isOrdered = false,
): Answer {
  const { diff, converted, assumptions } = compared;
  return {
    document: {
      kind: 'FailoverDiff',
      schemaVersion: 'v1',
      assumptions,
      from: sideDocument(diff.from),
      to: sideDocument(diff.to),
      summary: {
        scenarios: diff.scenarios.length,
        differing: diff.scenarios.filter(({ workloads }) => workloads.length > 0).length,
        differences: items.length,
      },
      scenarios: diff.scenarios.map(({ title, cluster, workloads }) => ({
        title,
        ...(cluster === undefined ? {} : { cluster }),
        differences: workloads.length,
      })),
      differs: hasDifferences(diff),
      items,
      settings: diff.settings,
      rules: diff.rules,
      purgeModes: diff.purgeModes,
      ...(converted.length > 0 ? { converted } : {}),
      ...(diff.defaultTolerations ? { defaultTolerations: diff.defaultTolerations } : {}),
    },
    names: () => items.map(({ workload }) => resourceName(workload)),
    list: {
      field: 'items',
      inOrder: (positions) => failoverDiffAnswer(compared, inOrder(items, positions), true),
    },
    presentation: (shown) => ({
      blocks: [
        ...diffBlocks(compared, isOrdered ? items : worstFirst(items), shown),
        ...(shown.noHeaders
          ? []
          : assumptionBlocks(assumptions, shown, { caveats: [ruleCaveat(diff.rules)] })),
      ],
    }),
  };
}

function sideDocument({ title, dialect }: ComparedSide) {
  return { title, karmadaVersion: dialect.version };
}

function diffBlocks({ diff, converted, again }: Compared, items: Item[], shown: Shown): Block[] {
  const { from, to, scenarios } = diff;
  const differences = items.length > 0 ? differenceTable(items, shown) : paragraph(nothingDiffers(scenarios));
  if (shown.noHeaders) return [differences];
  const quiet = scenarios.filter(({ workloads }) => workloads.length === 0).map(({ title }) => title);
  return [
    paragraph([
      asStrong(`${from.title} → ${to.title}`),
      ': ',
      totals(items, diff),
      ...same(quiet, items),
      '.',
    ]),
    ...nextSteps(diff, items, again, shown),
    differences,
    ...(diff.nothingToFail ? [paragraph(asFaint(nothingToFail(shown)))] : []),
    ...convertedText(converted, diff).map(paragraph),
    { type: 'section', detail: 'default tolerations', blocks: toleranceText(diff).map(paragraph) },
    ...purgeModeBlocks(diff),
    { type: 'section', detail: 'flags to set', blocks: settingsBlocks(diff) },
  ];
}

/**
 * The command that explains the first difference with the second version, or simulates the second side where an
 * explanation cannot; without a difference, and without a scenario, it audits the second side.
 */
function nextSteps(
  { to }: FailoverDiff,
  [first]: readonly Item[],
  { simulate, explain, second }: SameScenario,
  shown: Shown,
): Block[] {
  if (!first) return nextStep([simulate.length > 0 ? 'simulate' : 'audit', ...simulate, ...second], shown);
  const { cluster, scenario, workload } = first;
  const { fails, ifFails } = shown.names;
  const happens = (given: readonly string[], fail: typeof fails) =>
    cluster !== undefined ? [fail(cluster)] : scenario === NOTHING_HAPPENS ? [] : given;
  return nextStep(
    explain && to.title === to.dialect.version
      ? ['explain', workloadName(workload), ...happens(explain, ifFails), ...second]
      : ['simulate', ...happens(simulate, fails), ...second],
    shown,
  );
}

/** "11 differences in 1 of 2 scenarios": the totals; without one, what else makes the sides differ. */
function totals(
  items: readonly Item[],
  { scenarios: all, purgeModes, defaultTolerations }: FailoverDiff,
): Words {
  const scenarios = all.length;
  if (items.length === 0)
    return [
      `no difference in ${plural(scenarios, 'scenario')}`,
      defaultTolerations ? asBad(`; default tolerations are ${defaultTolerations}`) : '',
      purgeModes.length > 0 ? asBad(`; ${plural(purgeModes.length, 'unknown purge mode')}`) : '',
    ];
  const differing = [...new Set(items.map(({ scenario }) => scenario))];
  const where =
    scenarios === 1 || differing.length === 1
      ? `if ${differing.join('')}`
      : `in ${differing.length} of ${plural(scenarios, 'scenario')}`;
  return asBad(`${plural(items.length, 'difference')} ${where}`);
}

/** "; none if dublin fails": the scenarios with equal results. */
function same(quiet: readonly string[], items: readonly Item[]): Words[] {
  if (items.length === 0 || quiet.length === 0) return [];
  return [`; none if ${listed([...quiet], 3, ' or ')}`];
}

const paragraph = (words: Words): Block => ({ type: 'paragraph', words });

/** The kinds of difference whose document names need another word in text. */
const kindWords: Partial<Record<WorkloadDifference['kinds'][number], string>> = {
  'misses more': 'more downtime',
  'misses less': 'less downtime',
};

const BRIEF = ['OUTCOME', 'LEAVES AFTER', 'ENDS ON', 'REPLICAS DOWN'];

/** One line per difference; with the scenario only if there are several. */
function differenceTable(items: Item[], { wide }: Shown): Block {
  const isOne = !wide && items.every(({ scenario }) => scenario === items[0]!.scenario);
  const areFailures = items.every(({ cluster }) => cluster !== undefined);
  return {
    type: 'table',
    columns: [
      ...(isOne ? [] : [areFailures ? { name: 'IF THIS FAILS' } : { name: 'SCENARIO', wraps: 12 }]),
      { name: 'WORKLOAD' },
      ...(wide
        ? [
            { name: 'FROM', wraps: 20 },
            { name: 'TO', wraps: 20 },
            { name: 'DIFFERS IN', wraps: 12 },
          ]
        : [...BRIEF.map((name) => ({ name })), { name: 'NOTE', wraps: 30 }]),
    ],
    rows: items.map((item) => [
      ...(isOne ? [] : [(areFailures ? item.cluster : undefined) ?? item.scenario]),
      shortWorkloadName(item.workload),
      ...(wide
        ? [
            ...comparedWords(item.from, item.to, wide),
            item.kinds.map((kind) => kindWords[kind] ?? kind).join(', '),
          ]
        : comparedCells(item.from, item.to)),
    ]),
    narrowing: [
      { drop: [wide ? 'DIFFERS IN' : 'NOTE'] },
      { fold: wide ? { FROM: 'from', TO: 'to' } : { 'ENDS ON': 'ends on' } },
      ...(wide ? [] : [{ drop: ['REPLICAS DOWN'] }]),
      { cut: 'WORKLOAD', to: 16 },
    ],
  };
}

function nothingDiffers(scenarios: FailoverDiff['scenarios']): string {
  const failures = scenarios.filter(({ cluster }) => cluster !== undefined);
  const others = scenarios.filter(({ cluster }) => cluster === undefined).map(({ title }) => title);
  const happens =
    failures.length > 1
      ? [...others, `one of ${failures.length} clusters fails`]
      : scenarios.map(({ title }) => title);
  return `No workload ends differently if ${happens.join(' or ')}.`;
}

function nothingToFail({ names }: Shown): string {
  return `No workload is placed on a Ready cluster, so no failure was compared. Give a scenario: ${names.scenarioInputs}.`;
}

/** Which policies were converted, and how their effect changes. */
function convertedText(converted: Compared['converted'], { from, to }: FailoverDiff): string[] {
  return (
    [
      ['from', from],
      ['to', to],
    ] as const
  ).flatMap(([side, { dialect }]) => {
    const own = converted.filter((one) => one.side === side);
    if (own.length === 0) return [];
    const names = listed(
      own.map(({ policy }) => policy),
      4,
    );
    const codes = [...new Set(own.flatMap(({ differs: found }) => found))];
    const differing = codes.map((code) => {
      const those = own.filter(({ differs: found }) => found.includes(code)).map(({ policy }) => policy);
      return `${conversionChecks[code].title} (${listed(those, 4)})`;
    });
    return [
      [
        `ClusterTaintPolicies are compared in the form of ${dialect.version}, as taint-policy convert writes it: ${names}.`,
        ...(differing.length > 0 ? [`They may act differently there: ${differing.join('; ')}.`] : []),
      ].join(' '),
    ];
  });
}

function toleranceText({ defaultTolerations, to }: FailoverDiff): string[] {
  if (!defaultTolerations) return [];
  return [
    `Tolerations for not-ready and unreachable (5m) are ${defaultTolerations} to new policies by the webhook of ${to.title}; existing policies keep theirs.`,
  ];
}

function purgeModeBlocks({ purgeModes, to }: FailoverDiff): Block[] {
  if (purgeModes.length === 0) return [];
  const lines = purgeModes.map(({ policy, field, purgeMode, known }): Words => [
    `${objectText(policy)}: ${field} `,
    asBad(purgeMode),
    `; valid: ${known.join(', ')}`,
  ]);
  return [
    {
      type: 'section',
      title: `Purge modes unknown to ${to.title}:`,
      blocks: lineBlocks(lines),
    },
  ];
}

function settingsBlocks({ settings, from, to }: FailoverDiff): Block[] {
  if (settings.length === 0) return [];
  const rows = settings.map(({ name, component, from: value, to: now, withoutEffect }) => [
    `${name}=${value}`,
    component,
    now === null
      ? asWarning(
          `cannot be kept: ${to.dialect.version} ${withoutEffect ? 'accepts it without effect' : 'does not know it'}`,
        )
      : `is ${now} in ${to.title}`,
  ]);
  return [
    {
      type: 'section',
      title: `To keep the behaviour of ${from.title}, set:`,
      blocks: [{ type: 'rows', rows }],
    },
  ];
}

function ruleCaveat(rules: FailoverDiff['rules']): Caveat {
  if (rules.length === 0) return { wordings: [] };
  const title = 'Different rules of Karmada:';
  return {
    wordings: [`${plural(rules.length, 'rule')} of Karmada differ${rules.length === 1 ? 's' : ''}`],
    whole: [{ type: 'section', title, blocks: lineBlocks(rules.map(({ decides }) => decides)) }],
  };
}
