import { bindingIdentity, identityOf, objectKey } from '../../karmada/objects/identities.ts';
import type { World } from '../../karmada/world.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';

/** The object of a world with this kind and name; undefined if there is none. */
export function objectIn(world: World, wanted: ObjectIdentity): object | undefined {
  const key = objectKey(wanted);
  const binding = world.bindings.find((one) => objectKey(bindingIdentity(one)) === key);
  if (binding) return { apiVersion: 'work.karmada.io/v1alpha2', ...bindingIdentityOf(binding), ...binding };
  const { clusters, works, policies, taintPolicies, others } = world;
  return (
    clusters.find(({ metadata }) => wanted.kind === 'Cluster' && metadata.name === wanted.name) ??
    works.find(({ metadata }) => wanted.kind === 'Work' && isNamed(metadata, wanted)) ??
    taintPolicies.find(
      ({ metadata }) => wanted.kind === 'ClusterTaintPolicy' && metadata.name === wanted.name,
    ) ??
    [...policies, ...others].find((one) => objectKey(identityOf(one)) === key)
  );
}

function isNamed(
  metadata: { namespace?: string; name: string },
  { namespace, name }: ObjectIdentity,
): boolean {
  return metadata.name === name && (metadata.namespace ?? '') === (namespace ?? '');
}

function bindingIdentityOf(binding: Parameters<typeof bindingIdentity>[0]): { kind: string } {
  return { kind: bindingIdentity(binding).kind };
}
