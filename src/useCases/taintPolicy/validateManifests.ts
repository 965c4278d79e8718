import { lasting, uselessIgnore } from '../../analysis/findings/admission.ts';
import { fileChecks } from '../../analysis/findings/catalogue.ts';
import { fewOf, type Finding, type FindingRule } from '../../analysis/findings/finding.ts';
import { policyRisks } from '../../analysis/findings/policies/policyChecks.ts';
import type { RiskOfPolicy } from '../../analysis/findings/policies/policyRisk.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import { checkOrganisationRules } from '../rules/checkOrganisationRules.ts';
import { heedIgnored } from '../rules/ignoredFindings.ts';
import type { OrganisationRule } from '../rules/organisationRules.ts';
import { admissionFindings, identityOfManifest, isTaintPolicy } from './admissionFindings.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

export interface Validated {
  findings: Finding[];
  /** every rule that could have found something */
  rules: FindingRule[];
  /** the ClusterTaintPolicies that were looked at */
  policies: Manifest[];
  /** how many objects of other kinds there were */
  others: number;
}

/** The words of a risk. */
export type RiskWords = (risk: RiskOfPolicy) => string;

/**
 * Checks the ClusterTaintPolicies among manifests: what the API server and the webhooks of a version refuse, the risks
 * of each beside the others, and the rules of an organisation. Rejects with a StateError if a rule cannot be evaluated.
 */
export async function validateManifests(
  manifests: readonly Manifest[],
  configuration: Configuration,
  riskWords: RiskWords,
  organisationRules: readonly OrganisationRule[],
): Promise<Validated> {
  const policies = manifests.filter(isTaintPolicy);
  const refused = policies.map((manifest) => admissionFindings(manifest, configuration));
  const sound = policies
    .filter((_, at) => refused[at]!.length === 0)
    .map(({ object }) => object as unknown as ClusterTaintPolicy);
  const risksOf = policyRisks(sound, [], configuration);
  const findings: Finding[] = [];
  for (const [at, manifest] of policies.entries()) {
    const risky = refused[at]!.length > 0 ? [] : riskFindings(manifest, risksOf, riskWords);
    const found = await checkOrganisationRules(organisationRules, manifest, identityOfManifest(manifest));
    appendAll(findings, heeded(manifest, [...refused[at]!, ...risky, ...found]).sort(byPlace));
  }
  return {
    findings,
    rules: [...fileChecks, ...organisationRules],
    policies,
    others: manifests.length - policies.length,
  };
}

/** The risks that show without looking at clusters. */
function riskFindings(
  manifest: Manifest,
  risksOf: (policy: ClusterTaintPolicy) => RiskOfPolicy[],
  riskWords: RiskWords,
): Finding[] {
  return fewOf(risksOf(manifest.object as unknown as ClusterTaintPolicy), (risk): Finding => ({
    rule: risk.code,
    severity: 'warning',
    message: riskWords(risk),
    object: identityOfManifest(manifest),
    field: risk.field,
    place: { file: manifest.source, ...manifest.at(risk.field) },
  }));
}

function heeded(manifest: Manifest, all: Finding[]): Finding[] {
  const { findings, useless } = heedIgnored(manifest, all, lasting);
  return [
    ...findings,
    ...useless.map(({ rule, field }): Finding => ({
      rule: uselessIgnore.id,
      severity: uselessIgnore.severity,
      message: lasting.has(rule)
        ? `${field}: the rule ${rule} cannot be ignored: the API server refuses what it finds`
        : `${field}: the rule ${rule} finds nothing here, so there is nothing to ignore`,
      object: identityOfManifest(manifest),
      field,
      place: { file: manifest.source, ...manifest.at(field) },
    })),
  ];
}

function byPlace({ place: a }: Finding, { place: b }: Finding): number {
  return a.line - b.line || a.column - b.column;
}
