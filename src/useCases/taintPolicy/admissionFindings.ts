import { simulatedId } from '../../karmada/objects/identities.ts';
import type { Finding, FindingRule } from '../../analysis/findings/finding.ts';
import { isWhollyOf, otherForm } from '../../analysis/taintPolicy/conversion/forms.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { admissionSettings, admitObject } from '../../karmada/defaults/admitObject.ts';
import { apiTypes } from '../../karmada/schema/kinds.ts';
import type { FieldError } from '../../kubernetes/fieldErrors.ts';
import { invalid, requiredValue } from '../../kubernetes/fieldErrors.ts';
import { isObject } from '../../kubernetes/json.ts';
import { unknownFields } from '../../kubernetes/schema/unknownFields.ts';
import { dnsSubdomainErrors } from '../../kubernetes/validation/dns.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import { fewOf } from '../rules/fewOf.ts';
import { admissionRules } from './validationRules.ts';

const GROUP = 'policy.karmada.io';
const API_VERSION = `${GROUP}/v1alpha1`;
const KIND = 'ClusterTaintPolicy';

/** Whether an object is meant to be a ClusterTaintPolicy, whatever its apiVersion. */
export function isTaintPolicy({ object: { apiVersion, kind } }: Manifest): boolean {
  return kind === KIND && apiVersion.split('/')[0] === GROUP;
}

/** Kind and name of a manifest's object, as far as it has them. */
export function identityOfManifest({ object: { kind, metadata } }: Manifest): ObjectIdentity {
  const name = isObject(metadata) ? metadata['name'] : undefined;
  return { kind, name: typeof name === 'string' ? name : '' };
}

/**
 * What kubectl, the API server and the webhooks of a version would refuse about a ClusterTaintPolicy, in their own
 * words: an API that is not served, the form of another control plane, unknown fields, the name, the schema, the rules
 * of the webhook. As there, the first check that finds something is the last, except for unknown fields and the name.
 */
export function admissionFindings(manifest: Manifest, configuration: Configuration): Finding[] {
  const { object } = manifest;
  const found = (rule: FindingRule, message: string, field?: string): Finding => ({
    rule: rule.id,
    severity: 'error',
    message,
    object: identityOfManifest(manifest),
    ...(field ? { field } : {}),
    place: { file: manifest.source, ...manifest.at(field ?? []) },
  });
  const types = apiTypes(configuration.rules);
  const known = types.kinds.get(KIND);
  if (!known || object.apiVersion !== API_VERSION)
    return [
      found(
        admissionRules.unknownApi,
        `no matches for kind "${KIND}" in version "${object.apiVersion}"; ${known ? `write ${API_VERSION}` : 'Karmada has had the kind since v1.14'}`,
        'apiVersion',
      ),
    ];
  const names = nameErrors(object).map(({ message, field }) =>
    found(admissionRules.objectName, message, field),
  );
  const own = configuration.rules.api.taintPolicyForm === 'windows' ? 'proposed' : 'shipped';
  const other = otherForm(own);
  const { spec } = object;
  if (isObject(spec) && isWhollyOf(spec, other))
    return [
      found(
        admissionRules.otherForm,
        `the policy is in the ${other} form, and this version has the ${own} one; taint-policy convert turns it into that`,
        `spec.${Object.keys(spec)[0]!}`,
      ),
      ...names,
    ];
  const findings = fewOf(unknownFields(known.schema, object), (field) =>
    found(admissionRules.unknownField, `strict decoding error: unknown field "${field}"`, field),
  );
  findings.push(...names);
  const { metadata } = object;
  const verdict = admitObject({
    kind: KIND,
    operation: 'CREATE',
    object,
    ...admissionSettings(configuration),
    permanentId: simulatedId(isObject(metadata) ? identityOfManifest(manifest) : { name: '' }),
  });
  if (verdict.allowed) return findings;
  const rule = verdict.code === 422 ? admissionRules.schema : admissionRules.webhook;
  if (verdict.errors.length === 0) findings.push(found(rule, verdict.message));
  const errors = new Map(verdict.errors.map((error) => [error.message, error]));
  findings.push(...fewOf([...errors.values()], ({ field, message }) => found(rule, message, field)));
  return findings;
}

function nameErrors({ metadata }: Manifest['object']): FieldError[] {
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (name === undefined || name === null || name === '')
    return [requiredValue('metadata.name', 'name or generateName is required')];
  if (typeof name !== 'string') return [];
  return dnsSubdomainErrors(name).map((detail) => invalid('metadata.name', name, detail));
}
