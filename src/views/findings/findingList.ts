import { documentSummary } from '../documentSummary.ts';
import {
  isAtLeast,
  severities,
  type Finding,
  type FindingRule,
  type Severity,
} from '../../analysis/findings/finding.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, lineBlocks, asWarning } from '../../presentation/words.ts';
import { inOrder, type Answer } from '../answer.ts';
import { formatPlace, resourceName } from '../words/names.ts';
import { junit } from './junit.ts';
import { sarif } from './sarif.ts';
import { plural } from '../words/amounts.ts';

interface FindingListInput {
  findings: readonly Finding[];
  /** every rule that was applied */
  rules: readonly FindingRule[];
  objects: readonly CheckedObject[];
  files: number;
  /** how many objects of other kinds the files hold */
  passedOver: number;
  /** the version whose rules apply */
  karmadaVersion: string;
  /** the least severity that fails, and the least that is shown */
  failOn: Severity;
  show: Severity;
  /** the version of this program */
  version: string;
  /** the command that applies the certain fixes, or shows what the manifests change */
  next?: string | undefined;
  /** the findings are in the requested order; otherwise the worst come first in texts */
  ordered?: boolean;
}

interface CheckedObject {
  kind: string;
  name: string;
  file: string;
  line: number;
}

/** Whether a finding fails a pipeline. */
export function isFailure(finding: Finding, failOn: Severity): boolean {
  return !finding.ignored && isAtLeast(finding.severity, failOn);
}

/** The findings in files: how many, then one line each, in the form of compilers; or a document, SARIF or JUnit. */
export function findingList(input: FindingListInput): Answer {
  const { failOn, show, karmadaVersion, files, objects, passedOver } = input;
  const shown = input.findings.filter(({ severity }) => isAtLeast(severity, show));
  const given = { ...input, findings: shown };
  return {
    document: {
      kind: 'FindingList',
      schemaVersion: 'v1',
      karmadaVersion,
      failOn,
      files,
      objects: objects.length,
      passedOver,
      failed: input.findings.some((finding) => isFailure(finding, failOn)),
      summary: documentSummary({ objects, findings: shown }),
      counts: counts(input.findings),
      items: shown.map(({ rule, severity, message, object, field, place, ignored }) => ({
        rule,
        severity,
        message,
        ...(object ? { object } : {}),
        ...(field ? { field } : {}),
        ...place,
        ...(ignored ? { ignored } : {}),
      })),
    },
    list: {
      field: 'items',
      inOrder: (positions) => findingList({ ...input, findings: inOrder(shown, positions), ordered: true }),
    },
    names: () => [...new Set(shown.flatMap(({ object }) => (object ? [resourceName(object)] : [])))],
    presentation: ({ wide }) => ({
      blocks: [
        { type: 'paragraph', words: summary(input) },
        ...(input.next === undefined ? [] : [{ type: 'command', text: input.next } as const]),
        {
          type: 'section',
          blocks: lineBlocks(
            (input.ordered ? shown : worstFirst(shown)).map((finding) => line(finding, wide)),
          ),
        },
      ],
    }),
    forms: { sarif: () => sarif(given), junit: () => junit(given) },
  };
}

/** By severity, ignored ones last; those of one severity stay in file and line order. */
function worstFirst(findings: readonly Finding[]): Finding[] {
  const rank = ({ severity, ignored }: Finding) => (ignored ? -1 : severities.indexOf(severity));
  return [...findings].sort((a, b) => rank(b) - rank(a));
}

const TONES = { error: asBad, warning: asWarning, note: asFaint };

function line({ place, severity, message, rule, object, ignored }: Finding, wide: boolean): Words {
  const whose = wide && object ? [' ', asFaint(`${object.kind} ${object.name}`)] : '';
  const why = ignored ? asFaint(` ignored: ${ignored.reason || 'no reason given'}`) : '';
  return [`${formatPlace(place)}: `, TONES[severity](severity), `: ${message} [${rule}]`, whose, why];
}

/** Counts findings by severity; ignored ones are counted separately. */
function counts(findings: readonly Finding[]) {
  const of = (severity: Severity) =>
    findings.filter((one) => !one.ignored && one.severity === severity).length;
  return {
    error: of('error'),
    warning: of('warning'),
    note: of('note'),
    ignored: findings.filter(({ ignored }) => ignored).length,
  };
}

/** The collective name of the objects. */
function kindOfAll(objects: readonly CheckedObject[]): string {
  const kinds = new Set(objects.map(({ kind }) => kind));
  return kinds.size === 1 ? [...kinds][0]! : 'object';
}

function summary(input: FindingListInput): Words {
  const { objects, files, passedOver, findings, failOn, karmadaVersion } = input;
  const { error, warning, note, ignored } = counts(findings);
  const found = [plural(error, 'error'), plural(warning, 'warning'), plural(note, 'note')].filter(
    (text) => !text.startsWith('0 '),
  );
  const looked = `${plural(objects.length, kindOfAll(objects))} in ${plural(files, 'file')}${passedOver > 0 ? `, ${plural(passedOver, 'object')} of other kinds skipped` : ''}, by the rules of ${karmadaVersion}`;
  const failed = findings.some((finding) => isFailure(finding, failOn));
  const verdict = found.length === 0 ? asGood('nothing found') : found.join(', ');
  const apart = ignored > 0 ? `, ${ignored} ignored` : '';
  const threshold = found.length > 0 && !failed ? `; none at or above ${failOn}` : '';
  return [`${looked}: `, verdict, `${apart}${threshold}`];
}
