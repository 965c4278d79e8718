import type { SourcePlace } from '../../analysis/findings/finding.ts';
import type { ConversionFinding, Weight } from '../../analysis/taintPolicy/conversion/findings.ts';
import type { PolicyForm } from '../../analysis/taintPolicy/conversion/forms.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Words } from '../../presentation/model.ts';
import { bad, faint, good, warn } from '../../presentation/words.ts';
import { inOrder, type Answer } from '../answer.ts';
import { formatPlace } from '../findings/formatPlace.ts';
import { lineBlocks } from '../words/inLines.ts';
import { plural } from '../words/plural.ts';
import { conversionText } from './conversionWords.ts';
import { refusalBlocks, type ToldRefusal } from './refusals.ts';
import { resourceName } from '../words/resourceName.ts';

export interface ConversionInput {
  to: PolicyForm;
  policies: readonly ConvertedPolicyInput[];
  /** why nothing is written, and what to do; absent: nothing stops it */
  refused?: ToldRefusal | undefined;
  files: number;
  /** how many objects of other kinds the files hold */
  passedOver: number;
  /** the files that were rewritten; absent: nothing was to be written */
  written?: readonly string[];
}

export interface ConvertedPolicyInput {
  object: ObjectIdentity;
  place: SourcePlace;
  outcome: 'converted' | 'restored' | 'unchanged';
  findings: readonly (ConversionFinding & { place: SourcePlace; accepted: boolean })[];
}

const SEVERITY = { told: 'note', stops: 'warning', impossible: 'error' } as const satisfies Record<
  Weight,
  string
>;
const TONES = { note: faint, warning: warn, error: bad };

type Placed = ConvertedPolicyInput['findings'][number];

/** A finding as compilers print it: "policy.yaml:9:3: warning: … [durations]". */
export function conversionLine(finding: Placed): { severity: keyof typeof TONES; text: string } {
  const accepted = finding.accepted ? ' accepted' : '';
  return {
    severity: SEVERITY[finding.weight],
    text: `${formatPlace(finding.place)}: ${conversionText(finding)} [${finding.code}]${accepted}`,
  };
}

/** The codes of findings that stop the conversion, and whether all of them can be accepted. */
export function openCodes(policies: readonly ConvertedPolicyInput[]): {
  codes: string[];
  acceptable: boolean;
} {
  const open = policies.flatMap(({ findings }) =>
    findings.filter(({ weight, accepted }) => weight !== 'told' && !accepted),
  );
  return {
    codes: [...new Set(open.map(({ code }) => code))],
    acceptable: open.every(({ weight }) => weight === 'stops'),
  };
}

/** What a conversion did to the policies of files, and what it could not carry over. */
export function taintPolicyConversion(input: ConversionInput): Answer {
  const { to, policies, refused, files, passedOver, written } = input;
  return {
    document: {
      kind: 'TaintPolicyConversion',
      schemaVersion: 'v1',
      to,
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
    presentation: () => ({
      blocks: [
        {
          type: 'section',
          blocks: lineBlocks(policies.flatMap(({ findings }) => findings.map(shownFinding))),
        },
        ...((written ?? []).length > 0
          ? [
              {
                type: 'section',
                blocks: lineBlocks(written!.map((file) => [`${file}: `, good('written')])),
              } as const,
            ]
          : []),
        { type: 'paragraph', words: summary(input) },
        ...(refused ? refusalBlocks(refused) : []),
      ],
    }),
  };
}

function shownFinding(finding: Placed): Words {
  const { severity } = conversionLine(finding);
  const accepted = finding.accepted ? faint(' accepted') : '';
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
