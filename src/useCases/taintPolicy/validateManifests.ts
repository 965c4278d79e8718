import { notIgnorable } from '../../analysis/findings/admission.ts';
import { fileChecks, riskChecks } from '../../analysis/findings/catalogue.ts';
import {
  limitedFindings,
  type Finding,
  type FindingRule,
  type Severity,
} from '../../analysis/findings/finding.ts';
import { policyRisks } from '../../analysis/findings/policies/policyChecks.ts';
import type { RiskOfPolicy } from '../../analysis/findings/policies/policyRisk.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { isObject } from '../../kubernetes/json.ts';
import { appendAll } from '../../kubernetes/longLists.ts';
import { StateError } from '../../state/errors.ts';
import type { Chunks } from '../../state/input/textEncoding.ts';
import { readWrittenText } from '../../state/input/writtenText.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import { whyUnreadable } from '../../state/systemProblem.ts';
import {
  type OrganisationRule,
  checkOrganisationRules,
  parseOrganisationRules,
} from '../rules/organisationRules.ts';
import { uselessIgnores } from '../rules/uselessIgnores.ts';
import { admissionFindings, identityOfManifest, isTaintPolicy } from './admissionFindings.ts';

/** Reads files of rules ("-" for stdin). Rejects with a StateError that names the place if something cannot be read. */
export async function readRules(files: readonly string[], stdin: () => Chunks): Promise<OrganisationRule[]> {
  const taken = new Set(fileChecks.map(({ id }) => id));
  const rules: OrganisationRule[] = [];
  for (const file of files) {
    const isStdin = file === '-';
    const name = isStdin ? 'stdin' : file;
    let text: string;
    try {
      text = await readWrittenText(name, file, isStdin ? stdin() : []);
    } catch (error) {
      if (error instanceof StateError) throw error;
      throw new StateError(`${name}: ${whyUnreadable(error)}`);
    }
    const parsed = await parseOrganisationRules(text, name, taken);
    if (parsed.length === 0)
      throw new StateError(`${name}: holds no rule; see "Rules of your own" in docs/taint-policy.md`);
    for (const { id } of parsed) taken.add(id);
    rules.push(...parsed);
  }
  return rules;
}

interface Validated {
  findings: Finding[];
  /** every rule that could have found something */
  rules: FindingRule[];
  /** the checked ClusterTaintPolicies */
  policies: Manifest[];
  /** how many objects of other kinds there were */
  others: number;
}

export type RiskWords = (risk: RiskOfPolicy) => string;

/**
 * Checks the ClusterTaintPolicies among manifests: refusals by the API server and webhooks of a version, the risks of
 * each policy among the others, and the rules of an organisation. Rejects with a StateError if a rule cannot be
 * evaluated.
 */
export async function validateManifests(
  manifests: readonly Manifest[],
  configuration: Configuration,
  riskWords: RiskWords,
  organisationRules: readonly OrganisationRule[],
): Promise<Validated> {
  const policies = manifests.filter(isTaintPolicy);
  const refused = policies.map((manifest) => admissionFindings(manifest, configuration));
  const named = policies.map(({ object }, at) => withName(object as unknown as ClusterTaintPolicy, at));
  const sound = named.filter((_, at) => refused[at]!.length === 0);
  const risksOf = policyRisks(sound, [], configuration);
  const findings: Finding[] = [];
  for (const [at, manifest] of policies.entries()) {
    const risky = refused[at]!.length > 0 ? [] : riskFindings(manifest, risksOf(named[at]!), riskWords);
    const found = await checkOrganisationRules(organisationRules, manifest, identityOfManifest(manifest));
    appendAll(
      findings,
      appliedFindings(manifest, [...refused[at]!, ...risky, ...found], organisationRules).sort(byPlace),
    );
  }
  return {
    findings,
    rules: [...fileChecks, ...organisationRules],
    policies,
    others: manifests.length - policies.length,
  };
}

/** A policy that the API server names by generateName, with a name that is unique among the files. */
function withName(policy: ClusterTaintPolicy, at: number): ClusterTaintPolicy {
  const { metadata } = policy;
  if (!isObject(metadata) || metadata.name || !metadata['generateName']) return policy;
  return { ...policy, metadata: { ...metadata, name: `${String(metadata['generateName'])}${at + 1}` } };
}

/** The risks that are visible without clusters. */
function riskFindings(manifest: Manifest, risks: readonly RiskOfPolicy[], riskWords: RiskWords): Finding[] {
  return limitedFindings(risks, (risk): Finding => ({
    rule: risk.code,
    severity: severityOf(risk),
    message: riskWords(risk),
    object: identityOfManifest(manifest),
    field: risk.field,
    place: { file: manifest.source, ...manifest.at(risk.field) },
  }));
}

const severities = new Map(riskChecks.map(({ id, severity }) => [id, severity]));

/** Every risk belongs to a check of the catalogue. */
function severityOf({ code }: RiskOfPolicy): Severity {
  return severities.get(code)!;
}

/** The findings of a manifest with its ignore annotations applied, and the annotations that ignore nothing. */
export function appliedFindings(
  manifest: Manifest,
  all: Finding[],
  organisation: readonly OrganisationRule[],
): Finding[] {
  const { findings, useless } = heedIgnored(manifest, all, notIgnorable);
  const ids = organisation.map(({ id }) => id);
  const object = identityOfManifest(manifest);
  return [
    ...findings,
    ...useless.map(({ rule, field }) => {
      const place = { file: manifest.source, ...manifest.at(field) };
      return uselessIgnores(rule, ids, { object, field, place }, ' here');
    }),
  ];
}

export function byPlace({ place: a }: Finding, { place: b }: Finding): number {
  return a.line - b.line || a.column - b.column;
}

/** The prefix of the annotation by which an object ignores a rule; the value is the reason. */
const IGNORE_ANNOTATION = 'karmada-failover/ignore.';

/** The findings of one object after applying its annotations. */
interface Heeded {
  findings: Finding[];
  /** rules that the object ignores although they find nothing in it, with the annotation's field */
  useless: { rule: string; field: string }[];
}

/**
 * Marks the findings that the object itself says to ignore, with one annotation per rule and the reason as its value.
 * Findings that the API server would refuse always count.
 *
 * @param lasting rules that cannot be ignored
 */
function heedIgnored(
  { object }: Manifest,
  findings: readonly Finding[],
  lasting: ReadonlySet<string>,
): Heeded {
  const { metadata } = object;
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  const ignored = Object.entries(isObject(annotations) ? annotations : {})
    .filter(([name]) => name.startsWith(IGNORE_ANNOTATION))
    .map(([name, reason]) => ({
      rule: name.slice(IGNORE_ANNOTATION.length),
      field: `metadata.annotations[${name}]`,
      reason: typeof reason === 'string' ? reason.trim() : '',
    }));
  const heeded = findings.map((finding): Finding => {
    const found = lasting.has(finding.rule) ? undefined : ignored.find(({ rule }) => rule === finding.rule);
    return found ? { ...finding, ignored: { reason: found.reason } } : finding;
  });
  const useless = ignored.filter(({ rule }) => !heeded.some((one) => one.rule === rule && one.ignored));
  return { findings: heeded, useless: useless.map(({ rule, field }) => ({ rule, field })) };
}
