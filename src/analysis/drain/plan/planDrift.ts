import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { World } from '../../../karmada/world.ts';
import { drainTasksFor, isOn } from '../decide/bindingState.ts';
import { cordoned, drainMarkOf, uncordoned } from '../cordon.ts';
import type { DrainOptions } from '../drainOptions.ts';
import { templatesOf } from '../decide/selects.ts';
import { basisOfBinding, basisOfCluster, type BasisObject, type PlanBasis } from './planBasis.ts';
import { bindingIdentity, objectKey } from '../../../karmada/objects/identities.ts';
import { compileSelection } from '../decide/selects.ts';

/**
 * A difference between the state and the basis of a plan. Values are JSON; null: there was none, absent: too long to
 * keep.
 */
export interface PlanDrift {
  object: ObjectIdentity;
  change: 'gone' | 'new' | 'replaced' | 'changed';
  /** for `changed`: path of the field */
  field?: string;
  before?: string;
  now?: string;
}

/**
 * The changes since a plan was made that invalidate it: clusters and bindings that are deleted, new or recreated, and
 * changed deciding fields. Empty if the plan is still valid.
 *
 * The same drain's own writes are not changes: the cordon of marked clusters, and the bindings that it has evicted; so
 * an interrupted plan can be executed again.
 */
export function planDrift(basis: PlanBasis, options: DrainOptions, world: World): PlanDrift[] {
  const drained = new Set(options.clusters);
  const begun = isBegun(options, world);
  return [
    ...clusterDrift(basis, drained, begun, world),
    ...bindingDrift(basis, drained, options, begun, world),
  ];
}

/** Whether a drain of exactly these clusters has begun: its mark is on one of them. */
function isBegun({ clusters }: DrainOptions, world: World): boolean {
  const drained = new Set(clusters);
  const wanted = [...clusters].sort().join();
  return world.clusters.some(
    (cluster) =>
      drained.has(cluster.metadata.name) && drainMarkOf(cluster)?.clusters.toSorted().join() === wanted,
  );
}

function clusterDrift(
  { clusters }: PlanBasis,
  drained: ReadonlySet<string>,
  begun: boolean,
  world: World,
): PlanDrift[] {
  const before = new Map(clusters.map((one) => [one.object.name, one]));
  const drift: PlanDrift[] = [];
  for (const cluster of world.clusters) {
    const now = basisOfCluster(cluster);
    const known = before.get(cluster.metadata.name);
    before.delete(cluster.metadata.name);
    if (!known) drift.push({ object: now.object, change: 'new' });
    else
      drift.push(
        ...changes(known, now).filter(
          ({ field }) => !(begun && drained.has(cluster.metadata.name) && isOwnTaint(known, cluster, field)),
        ),
      );
  }
  for (const { object } of before.values()) drift.push({ object, change: 'gone' });
  return drift;
}

/** Whether the cluster's taints are those of the plan plus those that the drain adds. */
function isOwnTaint({ fields }: BasisObject, cluster: Cluster, field: string | undefined): boolean {
  if (field !== 'spec.taints') return false;
  const without = uncordoned(cluster);
  return [without, cordoned(without)].some(
    (one) => basisOfCluster(one).fields['spec.taints'] === fields['spec.taints'],
  );
}

/** The fields that a drain changes in an evicted binding and its dependents. */
const EVICTED = new Set(['spec.clusters', 'spec.gracefulEvictionTasks', 'spec.requiredBy']);

function bindingDrift(
  { bindings }: PlanBasis,
  drained: ReadonlySet<string>,
  { selection }: DrainOptions,
  begun: boolean,
  world: World,
): PlanDrift[] {
  const before = new Map(bindings.map((one) => [objectKey(one.object), one]));
  const templateOf = templatesOf(world);
  const selected = compileSelection(selection);
  const drift: PlanDrift[] = [];
  for (const binding of world.bindings) {
    const key = objectKey(bindingIdentity(binding));
    const known = before.get(key);
    before.delete(key);
    if (known) {
      const evicted = begun && hasLeft(binding, drained);
      for (const change of changes(known, basisOfBinding(binding))) {
        const own = evicted ? EVICTED.has(change.field!) : begun && change.field === 'spec.requiredBy';
        if (!own) drift.push(change);
      }
    } else if (isOn(binding, drained) && selected.selects(binding, templateOf(binding)))
      drift.push({ object: bindingIdentity(binding), change: 'new' });
  }
  // A deleted binding has left as well.
  for (const { object } of before.values()) drift.push({ object, change: 'gone' });
  return drift;
}

/** Whether a drain has evicted the binding: it has a drain's task, or is no longer on any of the clusters. */
function hasLeft(binding: ResourceBinding, clusters: ReadonlySet<string>): boolean {
  return !isOn(binding, clusters) || drainTasksFor(binding, clusters).length > 0;
}

function changes(before: BasisObject, now: BasisObject): PlanDrift[] {
  if (before.uid !== now.uid) return [{ object: now.object, change: 'replaced' }];
  const paths = [...new Set([...Object.keys(before.fields), ...Object.keys(now.fields)])].sort();
  return paths
    .filter((field) => before.fields[field] !== now.fields[field])
    .map((field) => ({
      object: now.object,
      change: 'changed',
      field,
      ...shown('before', before.fields[field]),
      ...shown('now', now.fields[field]),
    }));
}

function shown<Name extends 'before' | 'now'>(
  name: Name,
  value: string | undefined,
): { [name in Name]?: string } {
  if (value?.startsWith('digest:')) return {};
  return { [name]: value ?? 'null' } as { [name in Name]?: string };
}
