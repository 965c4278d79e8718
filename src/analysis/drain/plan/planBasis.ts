import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ObjectIdentity, ObjectMeta } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { objectKey, bindingIdentity } from '../../../karmada/objects/identities.ts';
import type { World } from '../../../karmada/world.ts';
import type { DrainPlan } from './drainPlan.ts';

/**
 * What a plan is based on: the deciding fields of each cluster, and of each binding in the plan. Heartbeats, resource
 * summaries and aggregated status are not included: they change all the time.
 */
export interface PlanBasis {
  /** all clusters: any of them may receive replicas */
  clusters: BasisObject[];
  bindings: BasisObject[];
}

export interface BasisObject {
  object: ObjectIdentity;
  uid?: string;
  /** for readers and other tools; not compared, since it changes with every heartbeat */
  resourceVersion?: string;
  /** by path: JSON with sorted names, or a digest if it is long; no entry for fields without a value */
  fields: Record<string, string>;
}

/** The basis of a plan in its world. */
export function planBasis({ workloads }: Pick<DrainPlan, 'workloads'>, world: World): PlanBasis {
  const planned = new Set(workloads.map(({ binding }) => objectKey(binding)));
  return {
    clusters: world.clusters.map(basisOfCluster),
    bindings: world.bindings
      .filter((binding) => planned.has(objectKey(bindingIdentity(binding))))
      .map(basisOfBinding),
  };
}

/** The fields of a cluster that a plan is based on. */
export function basisOfCluster(cluster: Cluster): BasisObject {
  const { metadata, spec, status } = cluster;
  return {
    object: { kind: 'Cluster', name: metadata.name },
    ...versionOf(metadata),
    fields: fingerprints({
      'metadata.labels': metadata.labels,
      'metadata.deletionTimestamp': metadata.deletionTimestamp,
      'spec.taints': spec?.taints?.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`).sort(),
      'spec.provider': spec?.provider,
      'spec.region': spec?.region,
      'spec.zone': spec?.zone,
      'spec.zones': spec?.zones,
      'status.apiEnablements': status?.apiEnablements,
      'status.conditions[Ready]': readyCondition(cluster)?.status,
    }),
  };
}

/** The fields of a binding that a plan is based on. */
export function basisOfBinding(binding: ResourceBinding): BasisObject {
  const { metadata, spec } = binding;
  const { resource, gracefulEvictionTasks, ...rest } = spec;
  const { resourceVersion: _changesWithTheStatus, ...template } = resource;
  const fields: Record<string, unknown> = {
    'metadata.deletionTimestamp': metadata.deletionTimestamp,
    'spec.resource': template,
    // Karmada sets creationTimestamp after the task is written.
    'spec.gracefulEvictionTasks': gracefulEvictionTasks?.map(
      ({ creationTimestamp: _stamped, ...task }) => task,
    ),
  };
  for (const [name, value] of Object.entries(rest)) fields[`spec.${name}`] = value;
  return { object: bindingIdentity(binding), ...versionOf(metadata), fields: fingerprints(fields) };
}

function versionOf({ uid, resourceVersion }: ObjectMeta): Pick<BasisObject, 'uid' | 'resourceVersion'> {
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** Longer JSON is stored as a digest, to keep the file of a plan with thousands of workloads readable. */
const LONGEST = 120;

function fingerprints(values: Record<string, unknown>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const path of Object.keys(values).sort()) {
    const text = canonical(values[path]);
    if (text !== undefined) fields[path] = text.length <= LONGEST ? text : `digest:${digest(text)}`;
  }
  return fields;
}

/** JSON with sorted names; absent, null and empty values are the same, as for the API. */
function canonical(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value))
    return value.length === 0 ? undefined : `[${value.map((item) => canonical(item) ?? 'null').join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const parts: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const text = canonical((value as Record<string, unknown>)[name]);
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return parts.length === 0 ? undefined : `{${parts.join(',')}}`;
}

/** A digest of 53 bits: enough against accidental collisions, no protection against deliberate ones. */
function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
