import type { Finding } from '../../engine/finding.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { applyManifest } from '../../kubernetes/applyManifest.ts';
import { StateError } from '../../state/errors.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import { placeOf } from '../../state/position.ts';
import { admissionFindings, identityOfManifest, isTaintPolicy } from './admissionFindings.ts';

/** ClusterTaintPolicies that are to be applied, each with where it is written. */
export interface GivenPolicies {
  /** none if anything would be refused */
  policies: { policy: ClusterTaintPolicy; manifest: Manifest }[];
  /** "ConfigMap a", of other kinds, which are passed over */
  others: string[];
  /** what would be refused; then nothing is to be applied */
  refused: Finding[];
}

/**
 * The ClusterTaintPolicies among manifests, checked as the API server and the webhook would. Throws a StateError if one name is given
 * twice.
 */
export function givenPolicies(manifests: readonly Manifest[], configuration: Configuration): GivenPolicies {
  const own = manifests.filter(isTaintPolicy);
  const places = new Map<string, string>();
  for (const manifest of own) {
    const { name } = identityOfManifest(manifest);
    const place = placeOf(manifest.source, manifest.at('metadata.name'));
    const other = places.get(name);
    if (other !== undefined && name !== '')
      throw new StateError(`${place}: ClusterTaintPolicy ${name} is given twice, also in ${other}; keep one`);
    places.set(name, place);
  }
  const refused = own.flatMap((manifest) => admissionFindings(manifest, configuration));
  return {
    // nothing is known of the shape of what would be refused
    policies: refused.length > 0 ? [] : own.map((manifest) => ({ policy: policyOf(manifest), manifest })),
    others: manifests
      .filter((manifest) => !isTaintPolicy(manifest))
      .map((manifest) => `${manifest.object.kind} ${identityOfManifest(manifest).name}`),
    refused,
  };
}

/** What kubectl leaves out of what it applies: what the API server alone writes. */
function policyOf({ object }: Manifest): ClusterTaintPolicy {
  const {
    status: _,
    metadata,
    ...rest
  } = object as Manifest['object'] & { metadata: ClusterTaintPolicy['metadata'] };
  const {
    managedFields: __,
    resourceVersion: ___,
    uid: ____,
    creationTimestamp: _____,
    generation: ______,
    ...kept
  } = metadata as ClusterTaintPolicy['metadata'] & { managedFields?: unknown };
  return { ...rest, metadata: kept } as unknown as ClusterTaintPolicy;
}

/** A policy as it would be once applied to what is there: what the manifest does not say of its metadata stays. */
export function mergedPolicy(
  policy: ClusterTaintPolicy,
  existing: readonly ClusterTaintPolicy[],
): ClusterTaintPolicy {
  const before = existing.find(({ metadata }) => metadata.name === policy.metadata.name);
  return before ? applyManifest(before, policy) : policy;
}
