import type { Finding, SourcePlace } from '../../../analysis/findings/finding.ts';
import type { ConversionFinding } from '../../../analysis/taintPolicy/conversion/findings.ts';
import { type PolicyForm, formOf, otherForm } from '../../../analysis/taintPolicy/conversion/forms.ts';
import { sharedTaints } from '../../../analysis/taintPolicy/conversion/convertWorld.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ClusterTaintPolicySpec } from '../../../karmada/api/policy.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { plainNames } from '../../../karmada/configuration/inputNames.ts';
import { PROPOSAL } from '../../../karmada/dialects/design.ts';
import { type DataChange, changeTree, applyDataChange } from '../../../kubernetes/dataChange.ts';
import { type JsonObject, isObject } from '../../../kubernetes/json.ts';
import type { Chunks } from '../../../state/input/textEncoding.ts';
import {
  type Manifest,
  type ManifestSources,
  readManifests,
} from '../../../state/manifests/readManifests.ts';
import { configurationOf } from '../../state/configurationOf.ts';
import { admissionFindings, identityOfManifest, isTaintPolicy } from '../admissionFindings.ts';
import type { IsAdmitted } from './convertPiece.ts';
import { type ConvertedInText, type ConvertedText, convertText } from './convertText.ts';

interface ConvertedPolicy {
  object: ObjectIdentity;
  place: SourcePlace;
  /** `unchanged`: already in the requested form; `restored`: back to its text before an earlier conversion */
  outcome: 'converted' | 'restored' | 'unchanged';
  findings: PlacedFinding[];
}

/** A finding with its place, and whether the user has accepted it, if it needs acceptance. */
type PlacedFinding = ConversionFinding & { place: SourcePlace; accepted: boolean };

export interface ConvertedFiles {
  to: PolicyForm;
  /** in file order */
  texts: ConvertedText[];
  policies: ConvertedPolicy[];
  /** refusals by the API of the policies' own form; if there are any, nothing is converted */
  invalid: Finding[];
  /** whether a finding is not, or cannot be, accepted; then nothing may be written */
  refused: boolean;
  files: number;
  /** how many objects of other kinds the files hold */
  passedOver: number;
  warnings: string[];
}

/**
 * Reads manifests and converts the ClusterTaintPolicies that are not in the requested form; everything else stays the
 * same, byte for byte. Rejects with a StateError that names the place if something cannot be read or edited.
 *
 * @param accepted codes of accepted findings
 */
export async function convertFiles(
  sources: ManifestSources,
  to: PolicyForm,
  accepted: readonly string[],
  stdin: () => Chunks,
): Promise<ConvertedFiles> {
  const { manifests, texts, files, warnings } = await readManifests(sources, stdin);
  const policies = manifests.filter(isTaintPolicy);
  const configurations = {
    shipped: configurationOfForm('shipped'),
    proposed: configurationOfForm('proposed'),
  };
  const admission = (manifest: Manifest, form: PolicyForm) =>
    admissionFindings(manifest, configurations[form]);
  const wanted = new Set(policies.filter((policy) => !isOfForm(policy, to)));
  const invalid = [...wanted].flatMap((policy) => admission(policy, otherForm(to)));
  const answer = { to, files, passedOver: manifests.length - policies.length, warnings, invalid };
  if (invalid.length > 0) return { ...answer, texts: [], policies: [], refused: true };

  const isAdmitted: IsAdmitted = (object, form) => {
    const manifest = { object: object as Manifest['object'], source: '', at: () => ({ line: 1, column: 1 }) };
    return (
      isObjectOfKind(object) &&
      isTaintPolicy(manifest) &&
      isOfForm(manifest, form) &&
      admission(manifest, form).length === 0
    );
  };
  const converted = texts.map((text) => convertText(text, wanted, to, isAdmitted));
  const made = new Map(converted.flatMap(({ policies: own }) => [...own]));
  const shared = sharedFindings(made);
  const convertedPolicies = policies.map((manifest): ConvertedPolicy => {
    const { restored, findings, changes } = made.get(manifest) ?? { findings: [], changes: [] };
    const all = [
      ...findings,
      ...(changes.length > 0 ? refusedThere(manifest, changes, to, admission) : []),
      ...shared(manifest),
    ];
    return {
      object: identityOfManifest(manifest),
      place: { file: manifest.source, ...manifest.at([]) },
      outcome: restored === undefined ? 'unchanged' : restored ? 'restored' : 'converted',
      findings: all
        .map((finding) => ({
          ...finding,
          accepted: finding.weight === 'stops' && accepted.includes(finding.code),
          place: { file: manifest.source, ...manifest.at(finding.field) },
        }))
        .sort(({ place: a }, { place: b }) => a.line - b.line || a.column - b.column),
    };
  });
  return {
    ...answer,
    texts: converted.map(({ text }) => text),
    policies: convertedPolicies,
    refused: convertedPolicies.some(({ findings }) =>
      findings.some(({ weight, accepted: isAccepted }) => weight !== 'note' && !isAccepted),
    ),
  };
}

function isObjectOfKind({ apiVersion, kind }: JsonObject): boolean {
  return typeof apiVersion === 'string' && typeof kind === 'string';
}

function isOfForm({ object: { spec } }: Pick<Manifest, 'object'>, form: PolicyForm): boolean {
  return isObject(spec) && formOf(spec) === form;
}

/**
 * Findings about taints that several converted policies list. Restored policies have none: they are the original set.
 */
function sharedFindings(
  made: ReadonlyMap<Manifest, ConvertedInText>,
): (manifest: Manifest) => ConversionFinding[] {
  const converted = new Map(
    [...made].flatMap(([manifest, { restored }]) =>
      restored
        ? []
        : [
            [
              manifest,
              {
                name: identityOfManifest(manifest).name,
                spec: manifest.object['spec'] as ClusterTaintPolicySpec,
              },
            ] as const,
          ],
    ),
  );
  const findingsOf = sharedTaints([...converted.values()]);
  return (manifest) => {
    const policy = converted.get(manifest);
    return policy ? findingsOf(policy) : [];
  };
}

/** Refusals of a converted policy by the other form's API, with its new fields. */
function refusedThere(
  manifest: Manifest,
  changes: readonly DataChange[],
  to: PolicyForm,
  admission: (manifest: Manifest, form: PolicyForm) => Finding[],
): ConversionFinding[] {
  const object = applyDataChange(manifest.object, changeTree(changes)) as Manifest['object'];
  return admission({ ...manifest, object }, to).map(({ message, field = 'spec' }) => ({
    code: 'refused-there',
    to,
    message,
    weight: 'impossible',
    field: fieldBefore(field),
  }));
}

const NAMES_BEFORE: Readonly<Record<string, string>> = {
  targetClusters: 'targetCluster',
  targetCluster: 'targetClusters',
  addOnConditions: 'matchConditions',
  matchConditions: 'addOnConditions',
  removeOnConditions: 'matchConditions',
  taints: 'taintsToAdd',
  taintsToAdd: 'taints',
};

/** "spec.matchConditions[0]" was "spec.addOnConditions[0]" */
function fieldBefore(field: string): string {
  return field.replace(/^spec\.(\w+)/, (whole, name: string) => {
    const before = NAMES_BEFORE[name];
    return before === undefined ? whole : `spec.${before}`;
  });
}

/**
 * The configuration of a control plane that accepts policies of a form: the newest release, or the design. NoExecute
 * is allowed, because the form of a policy does not depend on the administrator's settings.
 */
function configurationOfForm(form: PolicyForm): Configuration {
  return form === 'proposed'
    ? configurationOf({ version: PROPOSAL }, plainNames).configuration
    : configurationOf({ assume: ['allow-no-execute-taint-policy=true'] }, plainNames).configuration;
}
