import { documentSummary } from '../documentSummary.ts';
import type { SourcePlace } from '../../analysis/findings/finding.ts';
import type {
  ConversionFact,
  ConversionFinding,
  Weight,
} from '../../analysis/taintPolicy/conversion/findings.ts';
import type { TypeStatuses } from '../../analysis/taintPolicy/conversion/statusSets.ts';
import { CONVERTED_ANNOTATION, type PolicyForm } from '../../analysis/taintPolicy/conversion/forms.ts';
import { PROPOSAL } from '../../karmada/dialects/design.ts';
import { OTHER_STATUS } from '../../analysis/taintPolicy/conversion/statusSets.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, lineBlocks, asWarning } from '../../presentation/words.ts';
import { type Answer, inOrder, type Shown } from '../answer.ts';
import { nextStep } from '../words/nextStep.ts';
import { listed, plural } from '../words/amounts.ts';
import { formatPlace, resourceName } from '../words/names.ts';
import { type ReportedRefusal, refusalBlocks } from './riskWords.ts';
import { taintText } from './taintWords.ts';

interface ConversionInput {
  to: PolicyForm;
  policies: readonly ConvertedPolicyInput[];
  /** why nothing is written, and the next step; absent: nothing prevents it */
  refused?: ReportedRefusal | undefined;
  files: number;
  /** how many objects of other kinds the files hold */
  passedOver: number;
  /** the files that were rewritten; absent: no writing was requested */
  written?: readonly string[];
}

interface ConvertedPolicyInput {
  object: ObjectIdentity;
  place: SourcePlace;
  outcome: 'converted' | 'restored' | 'unchanged';
  findings: readonly (ConversionFinding & { place: SourcePlace; accepted: boolean })[];
}

const SEVERITY = { note: 'note', stops: 'warning', impossible: 'error' } as const satisfies Record<
  Weight,
  string
>;
const TONES = { note: asFaint, warning: asWarning, error: asBad };

type Placed = ConvertedPolicyInput['findings'][number];

/** A finding in the form of compilers: "policy.yaml:9:3: warning: … [durations]". */
export function conversionLine(finding: Placed): { severity: keyof typeof TONES; text: string } {
  const accepted = finding.accepted ? ' accepted' : '';
  return {
    severity: SEVERITY[finding.weight],
    text: `${formatPlace(finding.place)}: ${conversionText(finding)} [${finding.code}]${accepted}`,
  };
}

/** The codes of findings that stop the conversion, and whether all of them can be accepted. */
export function blockingCodes(policies: readonly ConvertedPolicyInput[]): {
  codes: string[];
  acceptable: boolean;
} {
  const open = policies.flatMap(({ findings }) =>
    findings.filter(({ weight, accepted }) => weight !== 'note' && !accepted),
  );
  return {
    codes: [...new Set(open.map(({ code }) => code))],
    acceptable: open.every(({ weight }) => weight === 'stops'),
  };
}

/** The result of a conversion for policies in files, with parts that it could not carry over. */
export function taintPolicyConversion(input: ConversionInput): Answer {
  const { to, policies, refused, files, passedOver, written } = input;
  return {
    document: {
      kind: 'TaintPolicyConversion',
      schemaVersion: 'v1',
      to,
      summary: documentSummary({ policies }, { outcomes: policies.map(({ outcome }) => outcome) }),
      refused: refused !== undefined,
      files,
      passedOver,
      ...(written ? { written } : {}),
      items: policies.map(({ object, place, outcome, findings }) => ({
        object,
        outcome,
        ...place,
        findings: findings.map((finding) => ({
          code: finding.code,
          severity: SEVERITY[finding.weight],
          message: conversionText(finding),
          field: finding.field,
          accepted: finding.accepted,
          ...finding.place,
        })),
      })),
    },
    list: {
      field: 'items',
      inOrder: (positions) => taintPolicyConversion({ ...input, policies: inOrder(policies, positions) }),
    },
    names: () => policies.map(({ object }) => resourceName(object)),
    presentation: (shown) => ({
      blocks: [
        {
          type: 'section',
          blocks: lineBlocks(policies.flatMap(({ findings }) => findings.map(shownFinding))),
        },
        ...((written ?? []).length > 0
          ? [
              {
                type: 'section',
                blocks: lineBlocks(written!.map((file) => [`${file}: `, asGood('written')])),
              } as const,
            ]
          : []),
        { type: 'paragraph', words: summary(input) },
        ...(refused ? refusalBlocks(refused) : checkAgain(input, shown)),
      ],
    }),
  };
}

/** The command that checks the written files in their new form. */
function checkAgain({ written = [], to }: ConversionInput, shown: Shown): Block[] {
  if (written.length === 0) return [];
  const version = to === 'proposed' ? [shown.names.ofVersion(PROPOSAL)] : [];
  return nextStep(['lint', ...written.flatMap((file) => ['-f', file]), ...version], shown);
}

function shownFinding(finding: Placed): Words {
  const { severity } = conversionLine(finding);
  const accepted = finding.accepted ? asFaint(' accepted') : '';
  return [
    `${formatPlace(finding.place)}: `,
    TONES[severity](severity),
    `: ${conversionText(finding)} [${finding.code}]`,
    accepted,
  ];
}

function summary({ policies, to, files, passedOver, refused }: ConversionInput): Words {
  const count = (outcome: string) => policies.filter((one) => one.outcome === outcome).length;
  const counts = refused
    ? 'nothing is converted'
    : (['converted', 'restored', 'unchanged'] as const)
        .map((outcome) => ({ outcome, number: count(outcome) }))
        .filter(({ number }) => number > 0)
        .map(({ outcome, number }) => `${number} ${outcome}`)
        .join(', ') || 'nothing to convert';
  const others = passedOver > 0 ? `, ${plural(passedOver, 'object')} of other kinds left as they are` : '';
  return `${plural(policies.length, 'ClusterTaintPolicy')} in ${plural(files, 'file')}${others}, to the ${to} form: ${counts}`;
}

type Restored = (ConversionFact & { code: 'restored' })['what'][number];

const COMES_BACK: Record<Exclude<Restored, 'text'>, string> = {
  windows: 'addOnMatchSeconds and removeOnMismatchSeconds',
  effect: 'PreferNoExecute',
  conditions: 'lists of conditions',
  taint: 'a taint that was left out',
};

/** A part that a conversion cannot carry over, or carries over differently, in one line. */
function conversionText(fact: ConversionFact): string {
  switch (fact.code) {
    case 'durations': {
      const { taint, addOnMatchSeconds, removeOnMismatchSeconds } = fact;
      return `${taintText(taint)}: the shipped form adds and removes it at once; it does not wait ${addOnMatchSeconds}s to add it and ${removeOnMismatchSeconds}s to remove it`;
    }
    case 'one-second':
      return fact.to === 'proposed'
        ? 'the proposed form waits at least 1s before it adds or removes a taint; the shipped one does not'
        : 'the shipped form does not wait 1s before it adds or removes a taint';
    case 'effect':
      return fact.leftOut
        ? `${taintText(fact.taint)} is left out: Karmada's Clusters refuse PreferNoExecute, and the policy lists NoSchedule, which would replace it`
        : `${taintText(fact.taint)} becomes NoSchedule, which moves nothing: Karmada's Clusters refuse PreferNoExecute`;
    case 'empty-conditions':
      return fact.to === 'shipped'
        ? 'without matchConditions every cluster is tainted, without addOnConditions none; Ready with any status replaces this condition, which a cluster without the condition does not have'
        : 'without addOnConditions the policy only removes taints; matchConditions that never match replace this, and remove the taints whatever the conditions are';
    case 'removal':
      return removalText(fact);
    case 'absent-condition':
      return `if a cluster does not report ${fact.conditionType}, ${inEachForm(fact.to, leaves, removes)}`;
    case 'shared-taint':
      return `${taintText(fact.taint)} also belongs to the policy ${fact.policy}: of shipped policies the newest wins; in the proposed form the taint stays while one of them matches`;
    case 'no-taints':
      return 'a policy in the shipped form needs a taint, and this one has none';
    case 'restored': {
      if (fact.what.includes('text')) return 'is restored to its text before the conversion';
      const what = fact.what.flatMap((one) => (one === 'text' ? [] : [COMES_BACK[one]]));
      return `the annotation ${CONVERTED_ANNOTATION} restores: ${what.join(', ')}`;
    }
    case 'bad-annotation':
      return `the annotation ${CONVERTED_ANNOTATION} is not the output of a conversion; remove it`;
    case 'refused-there':
      return `the API of the ${fact.to} form refuses it: ${fact.message}`;
    case 'outdated':
      return fact.what === 'taint'
        ? `the annotation ${CONVERTED_ANNOTATION} keeps ${taintText(fact.taint)}, but the policy no longer lists it; it is not restored`
        : `matchConditions were edited since: new removeOnConditions replace those in the annotation ${CONVERTED_ANNOTATION}`;
  }
}

/** The effect of each form on a taint; the policy's own form comes first. */
function inEachForm(to: PolicyForm, shipped: Does, proposed: Does): string {
  const first =
    to === 'shipped' ? `the proposed form ${proposed('a taint')}` : `the shipped form ${shipped('a taint')}`;
  const second =
    to === 'shipped' ? `the shipped form ${shipped('it')}` : `the proposed form ${proposed('it')}`;
  return `${first}, and ${second}`;
}

type Does = (what: string) => string;
const leaves: Does = (what) => `leaves ${what} as it is`;
const removes: Does = (what) => `removes ${what}`;
const keeps: Does = (what) => `keeps ${what}`;

function removalText({ to, holds, where }: ConversionFact & { code: 'removal' }): string {
  const state = `with ${where.map(statusText).join(' and ')}`;
  if (holds === 'both') return `${state} both lists hold: ${inEachForm(to, removes, keeps)}`;
  const what = `${state} ${inEachForm(to, leaves, removes)}`;
  return to === 'shipped' && where.length > 1
    ? `${what}; a second policy with the same taints, and removeOnConditions alone, can remove it there`
    : what;
}

/** "Ready=False", "Ready True, Unknown or any other status" */
function statusText({ conditionType, statuses }: TypeStatuses): string {
  const names = statuses.map((status) => (status === OTHER_STATUS ? 'any other status' : status));
  if (names.length === 1 && names[0] !== 'any other status') return `${conditionType}=${names[0]!}`;
  return `${conditionType} ${names.length > 1 ? `${listed(names.slice(0, -1))} or ` : ''}${names.at(-1)!}`;
}
