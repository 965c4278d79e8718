import { objectName } from '../../analysis/findings/admission.ts';
import type { Finding } from '../../analysis/findings/finding.ts';
import { windowSeconds } from '../../karmada/taints/policyFields.ts';
import type { ClusterTaintPolicy, TaintToAdd } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { isObject } from '../../kubernetes/json.ts';
import { applyManifest } from '../../kubernetes/mergePatch.ts';
import { StateError } from '../../state/errors.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import { placeOf } from '../../state/position.ts';
import { admissionFindings, identityOfManifest, isTaintPolicy } from './admissionFindings.ts';

/** ClusterTaintPolicies to apply, each with its place in the manifests. */
export interface GivenPolicies {
  /** empty if any of them would be refused */
  policies: { policy: ClusterTaintPolicy; manifest: Manifest }[];
  /** skipped objects of other kinds, such as "ConfigMap a" */
  others: string[];
  /** refusals; if there are any, nothing may be applied */
  refused: Finding[];
}

/**
 * The ClusterTaintPolicies among manifests, checked as the API server and the webhook would check them. Throws a
 * StateError if two have the same name.
 */
export function givenPolicies(manifests: readonly Manifest[], configuration: Configuration): GivenPolicies {
  const own = manifests.filter(isTaintPolicy);
  const places = new Map<string, string>();
  for (const manifest of own) {
    if (isNameless(manifest)) continue;
    const { name } = identityOfManifest(manifest);
    const place = placeOf(manifest.source, manifest.at('metadata.name'));
    const other = places.get(name);
    if (other !== undefined)
      throw new StateError(`${place}: ClusterTaintPolicy ${name} is also in ${other}; keep one`);
    places.set(name, place);
  }
  const refused = own.flatMap((manifest) => [
    ...admissionFindings(manifest, configuration),
    ...generatedName(manifest),
  ]);
  return {
    // a refused object may have any shape, so none is treated as a policy
    policies: refused.length > 0 ? [] : own.map((manifest) => ({ policy: policyOf(manifest), manifest })),
    others: manifests
      .filter((manifest) => !isTaintPolicy(manifest))
      .map((manifest) => `${manifest.object.kind} ${identityOfManifest(manifest).name}`),
    refused,
  };
}

function isNameless({ object: { metadata } }: Manifest): boolean {
  return !isObject(metadata) || typeof metadata['name'] !== 'string' || metadata['name'] === '';
}

/** kubectl's error for an object with generateName: applying it again would create another one. */
function generatedName(manifest: Manifest): Finding[] {
  const object = identityOfManifest(manifest);
  if (!isNameless(manifest) || object.name === '') return [];
  return [
    {
      rule: objectName.id,
      severity: objectName.severity,
      object,
      field: 'metadata.generateName',
      message: `from ${object.name}: cannot use generate name with apply; give metadata.name`,
      place: { file: manifest.source, ...manifest.at('metadata.generateName') },
    },
  ];
}

/** Drops fields that only the API server writes, as kubectl apply does, and a namespace, which the server drops. */
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
    namespace: _______,
    ...kept
  } = metadata;
  return { ...rest, metadata: kept } as unknown as ClusterTaintPolicy;
}

/**
 * The result of applying a policy to the current one: metadata that the manifest does not set stays, and taints get
 * the CRD's default times.
 */
export function mergedPolicy(
  policy: ClusterTaintPolicy,
  existing: readonly ClusterTaintPolicy[],
): ClusterTaintPolicy {
  const before = existing.find(({ metadata }) => metadata.name === policy.metadata.name);
  const merged = before ? applyManifest(before, policy) : policy;
  const { taintsToAdd } = merged.spec;
  if (!taintsToAdd) return merged;
  return { ...merged, spec: { ...merged.spec, taintsToAdd: taintsToAdd.map(withTimes) } };
}

function withTimes(taint: TaintToAdd): TaintToAdd {
  const { add, remove } = windowSeconds(taint);
  return { ...taint, addOnMatchSeconds: add, removeOnMismatchSeconds: remove };
}
