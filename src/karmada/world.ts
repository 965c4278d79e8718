import type { Cluster } from './api/cluster.ts';
import type { KubernetesObject } from './api/meta.ts';
import type { ClusterTaintPolicy, PropagationPolicy } from './api/policy.ts';
import type { ResourceBinding, Work } from './api/work.ts';
import type { Rules } from './dialects/rules.ts';

/**
 * A Karmada control plane at one instant: the objects that its controllers act on. Objects are as the API serves them,
 * including unknown fields, and are never changed in place.
 */
export interface World {
  clusters: Cluster[];
  /** ResourceBindings and ClusterResourceBindings, by their `kind` */
  bindings: ResourceBinding[];
  works: Work[];
  /** PropagationPolicies and ClusterPropagationPolicies */
  policies: PropagationPolicy[];
  taintPolicies: ClusterTaintPolicy[];
  /** all other kinds: resource templates, Leases, Deployments of the components, … */
  others: KubernetesObject[];
  /** kinds that could not be read; absent if that is unknown, as for files */
  unread?: readonly UnreadKind[];
  /** when it was read, in epoch milliseconds; absent: at the simulated instant */
  readAt?: number;
}

/** A kind of object that a world lacks because its source refused to serve it. */
export interface UnreadKind {
  kind: string;
  /** the fix: "list on works.work.karmada.io, which docs/rbac.yaml grants" */
  missing: string;
}

/** A world without objects. */
export function emptyWorld(): World {
  return { clusters: [], bindings: [], works: [], policies: [], taintPolicies: [], others: [] };
}

/** The names of the lists of objects in a world. */
export type WorldList = Exclude<keyof World, 'unread' | 'readAt'>;

/** Why the ClusterTaintPolicies of a world are unknown, if its version supports them; undefined if they are known. */
export function unknownPolicies(
  world: Pick<World, 'unread' | 'taintPolicies'>,
  { taints }: Rules,
): string | undefined {
  if (!taints.clusterTaintPolicies) return undefined;
  const missing = missingKind(world, 'ClusterTaintPolicy');
  if (missing !== undefined) return `could not be read: ${missing}`;
  const known = world.taintPolicies.length > 0 || world.unread !== undefined;
  return known ? undefined : 'are not in the state: add them if there are any';
}

/** The permission needed to read a kind; undefined if it was read, or if that is unknown. */
export function missingKind(
  { unread }: { unread?: World['unread'] | undefined },
  ...kinds: string[]
): string | undefined {
  return unread?.find(({ kind }) => kinds.includes(kind))?.missing;
}
