import type { Finding, FindingRule } from '../../engine/finding.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import { checkOrganisationRules } from '../rules/checkOrganisationRules.ts';
import { heedIgnored } from '../rules/ignoredFindings.ts';
import type { OrganisationRule } from '../rules/organisationRules.ts';
import { admissionFindings, identityOfManifest, isTaintPolicy } from './admissionFindings.ts';
import { admissionRules, ownRules } from './validationRules.ts';

export interface Validated {
  findings: Finding[];
  /** every rule that could have found something */
  rules: FindingRule[];
  /** the ClusterTaintPolicies that were looked at */
  policies: Manifest[];
  /** how many objects of other kinds there were */
  others: number;
}

/**
 * Holds the ClusterTaintPolicies among manifests against what the API server and the webhooks of a version demand, and what rules of
 * an organisation do. Rejects with a StateError if a rule cannot be evaluated.
 */
export async function validateManifests(
  manifests: readonly Manifest[],
  configuration: Configuration,
  organisationRules: readonly OrganisationRule[],
): Promise<Validated> {
  const policies = manifests.filter(isTaintPolicy);
  const findings: Finding[] = [];
  for (const manifest of policies) {
    const refused = admissionFindings(manifest, configuration);
    const found = await checkOrganisationRules(organisationRules, manifest, identityOfManifest(manifest));
    findings.push(...heeded(manifest, [...refused, ...found]).sort(byPlace));
  }
  return {
    findings,
    rules: [...ownRules, ...organisationRules],
    policies,
    others: manifests.length - policies.length,
  };
}

const { uselessIgnore, ...refusing } = admissionRules;
/** What the API server refuses counts whatever the object says. */
const LASTING = new Set<string>(Object.values(refusing).map(({ id }) => id));

function heeded(manifest: Manifest, all: Finding[]): Finding[] {
  const { findings, useless } = heedIgnored(manifest, all, LASTING);
  return [
    ...findings,
    ...useless.map(({ rule, field }): Finding => ({
      rule: uselessIgnore.id,
      severity: 'warning',
      message: LASTING.has(rule)
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
