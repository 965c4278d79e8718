import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { referenceTo } from '../objects/identities.ts';
import { sameContent } from '../objects/sameContent.ts';
import { retainsReplicas } from '../status/healthInterpreter.ts';
import { objectReplicas } from '../status/memberObject.ts';
import type { Copy } from '../controllers/kinds.ts';
import type { DeclaredHooks } from '../controllers/view.ts';
import { withoutPlace } from './workManifest.ts';

/**
 * A copy after an object has been applied over it, or a new one; the same copy if nothing changes. The member's own
 * controllers react once they see that it is unobserved.
 *
 * @param binding has the replicas of kinds whose objects have none
 */
export function appliedCopy(
  before: Copy | undefined,
  cluster: string,
  object: KubernetesObject,
  binding: ResourceBinding | undefined,
  hooks: DeclaredHooks,
): Copy {
  const present = before?.terminating ? undefined : before;
  const replicas = replicasOf(present, cluster, object, binding, hooks);
  // Changes of metadata alone do not affect the pods.
  const changed = !present || replicas !== present.replicas || !sameContent(present.object, object);
  if (present && !changed)
    return present.managed && isSameObject(present.object, object)
      ? present
      : { ...present, managed: true, object };
  const request = binding?.spec.replicaRequirements?.resourceRequest ?? before?.request;
  const counted = before ? (before.counted ?? before.replicas) : 0;
  return {
    cluster,
    workload: referenceTo(object),
    object,
    managed: true,
    replicas,
    ready: Math.min(present?.ready ?? 0, replicas),
    // Starting pods continue unless more have to start.
    ...(present?.readyAt !== undefined && replicas <= present.replicas && { readyAt: present.readyAt }),
    unobserved: present ? 'changed' : 'new',
    ...(counted !== replicas && { counted }),
    ...(request && { request }),
    ...(present?.status !== undefined && { status: present.status }),
  };
}

function replicasOf(
  present: Copy | undefined,
  cluster: string,
  object: KubernetesObject,
  binding: ResourceBinding | undefined,
  hooks: DeclaredHooks,
): number {
  if (present && retainsReplicas(object, hooks)) return present.replicas;
  // An attached binding has no replicas; its parents have.
  const assigned =
    binding?.spec.replicas && binding.spec.clusters?.find(({ name }) => name === cluster)?.replicas;
  return objectReplicas(object) ?? (assigned || undefined) ?? present?.replicas ?? 0;
}

/** Ignores fields that only name the Work's namespace, which implied Works lack: they need no write to the member. */
function isSameObject(before: KubernetesObject, after: KubernetesObject): boolean {
  return deepEqual(before, after) || deepEqual(withoutPlace(before), withoutPlace(after));
}
