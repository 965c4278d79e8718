import {
  type SuggestedKind,
  isTaintPolicy as isTaintPolicyObject,
  nameOf,
  refusedOf,
} from '../../analysis/findings/admission.ts';
import type { Finding } from '../../analysis/findings/finding.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { isObject } from '../../kubernetes/json.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';

/** Whether an object is meant to be a ClusterTaintPolicy, whatever its apiVersion. */
export function isTaintPolicy({ object }: Manifest): boolean {
  return isTaintPolicyObject(object);
}

/** Kind, namespace and name of a manifest's object, if present. */
export function identityOfManifest({ object }: Manifest): ObjectIdentity {
  const { metadata } = object;
  const namespace = isObject(metadata) ? metadata['namespace'] : undefined;
  return { kind: object.kind, ...(typeof namespace === 'string' && { namespace }), name: nameOf(object) };
}

/** A version's refusals of an object of Karmada, by default a ClusterTaintPolicy, with places. */
export function admissionFindings(
  manifest: Manifest,
  configuration: Configuration,
  meant?: SuggestedKind,
): Finding[] {
  return refusedOf(manifest.object, configuration, meant).map(({ code, message, field, fix }) => ({
    rule: code,
    severity: 'error',
    message,
    object: identityOfManifest(manifest),
    ...(field ? { field } : {}),
    ...(fix && { fix: { of: manifest.object, changes: fix } }),
    place: { file: manifest.source, ...manifest.at(field ?? []) },
  }));
}
