import { documentSummary } from '../documentSummary.ts';
import { severities, type Severity } from '../../analysis/findings/finding.ts';
import { type NextStep, themes } from '../../analysis/findings/state/stateCheck.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block, TreeNode, Words } from '../../presentation/model.ts';
import { visible } from '../../presentation/visible.ts';
import { asBad, asFaint, asGood, plain, asStrong, asWarning } from '../../presentation/words.ts';
import type { Cure, CuredFinding, DiagnosedControlPlane } from '../../analysis/findings/state/diagnose.ts';
import type { StateFinding } from '../../analysis/findings/state/stateCheck.ts';
import { type Answer, inOrder } from '../answer.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { markdownCell, markdownPage } from '../forms/markdown.ts';
import { plural } from '../words/amounts.ts';
import { objectText, resourceName } from '../words/names.ts';
import {
  type CommandOf,
  commandsOf,
  findingDocument,
  findingNode,
  NOT_SIMULATED,
  remedyWords,
  severityTone,
} from './stateFinding.ts';

interface DiagnosisInput extends DiagnosedControlPlane {
  cured: Cure;
  commandOf: CommandOf;
}

/** The problems of a control plane, the worst first. */
export function diagnosisAnswer(input: DiagnosisInput): Answer {
  const { findings } = input;
  return {
    get document() {
      return documentOf(input);
    },
    // Remedies are simulated only where they are shown.
    documentFor: (paths) =>
      documentOf(
        readsRemedies(paths)
          ? input
          : { ...input, cured: ({ remedy: _, ...finding }) => ({ ...finding, unsimulated: false }) },
      ),
    list: {
      field: 'findings',
      inOrder: (positions) => diagnosisAnswer({ ...input, findings: inOrder(findings, positions) }),
    },
    names: () => [...new Set(findings.flatMap(({ objects }) => objects.map(resourceName)))],
    presentation(shown) {
      const node = (one: StateFinding) => findingNode(one, input.cured, input.commandOf, shown.wide);
      if (shown.noHeaders) return { blocks: [{ type: 'tree', nodes: findings.map(node) }] };
      const [first, ...others] = findings;
      const next = explainCommand(input);
      return {
        blocks: [
          { type: 'paragraph', words: headline(input) },
          ...(next === undefined ? [] : [{ type: 'command', text: next } as const]),
          ...(first ? [{ type: 'tree', nodes: firstNodes(first, input, next, shown.wide) } as const] : []),
          ...(others.length === 0
            ? []
            : [
                {
                  type: 'section',
                  detail: 'what to do',
                  blocks: [{ type: 'tree', nodes: others.map(node) }],
                  brief: [briefly(others)],
                } as const,
              ]),
          ...uncheckedBlocks(input, shown.wide),
          ...assumptionBlocks(
            input.assumptions.filter(({ name }) => shown.wide || name === 'ClusterTaintPolicies'),
            shown,
          ),
        ],
      };
    },
    forms: { markdown: () => markdown(input) },
  };
}

/** Whether JSONPaths read, or may read, results of simulations: they name them, or select findings as a whole. */
function readsRemedies(paths: string): boolean {
  const whole = /(?<!range \.)findings(?:\[[^\]]*\])?(?!\[|\.\w)/;
  return (
    /remedy|changes|unsimulated|\.\.|\.\*|@(?!\.)|\{[.$]?\}/.test(paths) ||
    !paths.includes('.findings') ||
    whole.test(paths)
  );
}

function documentOf(input: DiagnosisInput) {
  const { findings, cured, passed, unchecked, failover, now, karmadaVersion, assumptions, checks } = input;
  return {
    kind: 'Diagnosis' as const,
    schemaVersion: 'v1',
    karmadaVersion,
    now: rfc3339(now),
    verdict: verdict(input),
    summary: documentSummary({ findings, passed, unchecked }),
    counts: countsOf(findings),
    checks,
    findings: findings.map((finding) => findingDocument(cured(finding), input.commandOf)),
    passed,
    unchecked,
    failover,
    assumptions,
  };
}

function countsOf(findings: readonly StateFinding[]): Record<Severity, number> {
  const of = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
  return { error: of('error'), warning: of('warning'), note: of('note') };
}

/** The worst finding, and the totals. */
function verdict(input: DiagnosisInput): string {
  const [first] = input.findings;
  const totals = plain(diagnosisTotals(input));
  if (!first) return totals;
  const head = isHeadline(first) || first.severity !== 'note' ? capital(first.message) : NOTHING_SERIOUS;
  return `${head}. ${totals}`;
}

const NOTHING_SERIOUS = 'No errors, no warnings';

/** "Failover is off: gate Failover=false …. 2 errors, 1 warning; 61 of 90 checks passed, 12 could not run." */
function headline(input: DiagnosisInput): Words {
  const [first] = input.findings;
  const totals = diagnosisTotals(input);
  if (!first) return totals;
  const tone = first.severity === 'error' ? asBad : first.severity === 'warning' ? asWarning : asGood;
  if (isHeadline(first))
    return [tone(asStrong(capital(first.message))), asFaint(` [${first.check}]`), '. ', totals];
  if (first.severity === 'note') return [tone(asStrong(NOTHING_SERIOUS)), '. ', totals];
  return tone(asStrong(totals));
}

/** Whether a finding answers whether failover works. */
function isHeadline({ message }: StateFinding): boolean {
  return message.startsWith('failover is ');
}

/** "2 errors, 1 warning; 61 of 90 checks passed, 12 could not run." */
export function diagnosisTotals({
  findings,
  passed,
  checks,
  unchecked,
}: Pick<DiagnosisInput, 'findings' | 'passed' | 'checks' | 'unchecked'>): Words {
  const counts = countsOf(findings);
  const totals = severities
    .toReversed()
    .flatMap((severity) => (counts[severity] > 0 ? [plural(counts[severity], severity)] : []));
  if (checks === 0) return asWarning('Nothing was checked: all checks are skipped.');
  const open = uncheckedIds({ unchecked }).size;
  const made = `${passed.length} of ${plural(checks, 'check')} passed${open > 0 ? `, ${open} could not run` : ''}.`;
  if (findings.length === 0) return [asGood(open > 0 ? 'Nothing found' : 'No problems'), `: ${made}`];
  return `${totals.join(', ')}; ${made}`;
}

/** Sentences begin with a capital letter, names stay unchanged. */
function capital(text: string): string {
  if (!/^(?:failover|nothing|no|the|a|scheduling|dispatching|components|when) /.test(text)) return text;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function uncheckedIds({ unchecked }: Pick<DiagnosisInput, 'unchecked'>): Set<string> {
  return new Set(unchecked.flatMap(({ checks }) => checks));
}

/** Findings, one line each. */
function briefly(findings: readonly StateFinding[]): Block {
  return {
    type: 'table',
    columns: [{ name: 'SEVERITY' }, { name: 'FINDING', wraps: 40 }, { name: 'CHECK' }],
    rows: findings.map(({ severity, message, check }) => [severityTone(severity), message, asFaint(check)]),
    narrowing: [{ drop: ['CHECK'] }],
  };
}

/** How to see the chain of one workload, link by link. */
function explainCommand({ concerned, commandOf }: DiagnosisInput): string | undefined {
  return concerned && commandOf({ action: 'explain', workload: concerned, failing: [] });
}

/** How to inspect and fix the first finding, without what is printed above: its message, if that is the verdict, and the next command. */
function firstNodes(
  first: StateFinding,
  { cured, commandOf }: DiagnosisInput,
  next: string | undefined,
  wide: boolean,
): TreeNode[] {
  const isAbove = (step: NextStep | undefined) => step !== undefined && commandOf(step) === next;
  const node = findingNode(first, (one) => withoutStep(cured(one), isAbove), commandOf, wide);
  return isHeadline(first) ? [...(node.children ?? [])] : [node];
}

/** A finding without such a next step; and without its remedy, if that is the same step. */
function withoutStep(
  { remedy, ...finding }: CuredFinding,
  isAbove: (step: NextStep | undefined) => boolean,
): CuredFinding {
  if (!remedy || !isAbove(remedy.next)) return { ...finding, ...(remedy && { remedy }) };
  const { next: _, ...others } = remedy;
  const isMore = others.patches ?? others.creates ?? others.commands;
  return { ...finding, ...(isMore && { remedy: others }) };
}

/** The checks that could not run, by the missing input. */
function uncheckedBlocks({ unchecked }: DiagnosisInput, wide: boolean): Block[] {
  if (unchecked.length === 0) return [];
  if (!wide) {
    const why = unchecked.map((one) => `${one.why} (${one.checks.length})`).join('; ');
    const label = asWarning('Not checked: ');
    const { size } = uncheckedIds({ unchecked });
    const brief = `${plural(size, 'check')} ${size === 1 ? 'lacks' : 'lack'} input`;
    return [
      {
        type: 'section',
        detail: 'what was not checked',
        blocks: [{ type: 'paragraph', words: [label, why] }],
        brief: [
          {
            type: 'oneLine',
            wordings: [
              [label, why],
              [label, brief],
            ],
          },
        ],
      },
    ];
  }
  return [
    {
      type: 'section',
      title: asWarning('Not checked:'),
      blocks: unchecked.map(({ checks, why }) => ({
        type: 'paragraph',
        words: `${why}: ${checks.join(', ')}`,
      })),
    },
  ];
}

/** A diagnosis as Markdown, for an issue. */
function markdown(input: DiagnosisInput): string {
  const { findings, unchecked, now, karmadaVersion, assumptions } = input;
  return markdownPage(assumptions, [
    `## Failover diagnosis of Karmada ${karmadaVersion}, ${rfc3339(now)}`,
    markdownCell(verdict(input)),
    ...findings.map((finding) => {
      const { severity, message, check, evidence, remedy, unsimulated } = input.cured(finding);
      const again = unsimulated ? input.commandOf({ action: 'diagnose', check }) : undefined;
      const commands = again === undefined ? commandsOf(remedy, input.commandOf) : [again];
      return [
        `### ${severity}: ${markdownCell(message)}`,
        `Check \`${check}\` (${themes[finding.theme]}).`,
        evidence
          .map(({ rule, object, field, value }) => {
            const where = [object && objectText(object), field]
              .filter((part) => part !== undefined)
              .join(' ');
            const read = [where, value === undefined ? '' : JSON.stringify(value)].filter(
              (part) => part !== '',
            );
            return markdownCell(`- ${[read.join(' = '), rule].filter((part) => part !== '').join(': ')}`);
          })
          .join('\n'),
        ...(remedy ? [markdownCell(plain(remedyWords(remedy)))] : []),
        ...(unsimulated ? [plain(NOT_SIMULATED)] : []),
        ...(commands.length > 0 ? [['```sh', ...commands.map(visible), '```'].join('\n')] : []),
      ].join('\n\n');
    }),
    ...(unchecked.length > 0
      ? [
          [
            '### Not checked',
            ...unchecked.map(({ checks, why }) => `- ${markdownCell(why)}: ${checks.join(', ')}`),
          ].join('\n'),
        ]
      : []),
  ]);
}
