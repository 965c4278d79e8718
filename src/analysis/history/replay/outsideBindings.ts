import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { controllerNames, factsOf } from '../../../karmada/controllers/registry.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { ownsSpecField } from '../../../kubernetes/ownedFields.ts';
import { isReady } from '../../../karmada/objects/clusterReadiness.ts';
import { bindingKey, identityOf, objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { taskSettings } from '../../../karmada/eviction/evictionTasks.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import type { World } from '../../../karmada/world.ts';
import { isObserved, isObservedBinding, type ObservedChange } from '../history.ts';

/** An external change that matters, but is not simulated. */
export interface UnsimulatedChange {
  /** epoch milliseconds */
  at: number;
  /** the change, as a phrase: "spec.placement of ResourceBinding shop/cart was changed, and no policy was" */
  what: string;
  /** `bindingKey` of the binding whose steps it may change; absent: of all */
  binding?: string;
}

/** The producers that the simulation includes as controllers. */
const OWN_PRODUCERS: ReadonlySet<string> = new Set(
  controllerNames.flatMap((name) => factsOf(name).producers),
);
/** Fields that the detector derives from the template and its policy. */
const OF_TEMPLATE = ['replicas', 'replicaRequirements', 'components'] as const;
const OF_POLICY = [
  ...['placement', 'failover', 'propagateDeps', 'schedulerName', 'conflictResolution'],
  ...['suspension', 'preserveResourcesOnDeletion', 'schedulePriority', 'workloadAffinityGroups'],
] as const;

/** The replicas field of a template, by kind. */
const COUNTED_BY: Readonly<Record<string, string | undefined>> = {
  Deployment: 'replicas',
  StatefulSet: 'replicas',
  Job: 'parallelism',
};
/** The names of Karmada's writers of placements in managedFields. */
const PLACES = /^karmada-(?:scheduler|controller-manager)$/;

/** Another writer of spec.clusters of a binding; undefined: Karmada, or unknown. */
function placedByHand({ metadata }: ResourceBinding): string | undefined {
  const writer = metadata.managedFields?.find((one) => ownsSpecField(one, 'clusters'))?.manager;
  return writer === undefined || PLACES.test(writer) ? undefined : writer;
}

/**
 * External changes that show in bindings: template edits, replayed as edits of the derived fields; health that changed
 * without a write to the copy; and changes of unknown cause, which are not simulated.
 */
export function outsideBindings(
  first: World,
  changes: Iterable<ObservedChange>,
): { events: ScenarioEvent[]; unsimulated: UnsimulatedChange[] } {
  const known = new Set(first.bindings.map(bindingKey));
  const clusters = new Map(first.clusters.map((one) => [one.metadata.name, one]));
  const events: ScenarioEvent[] = [];
  const unsimulated: UnsimulatedChange[] = [];
  const touched = new Set<string>();
  const templates = new Set(first.others.map((one) => objectKey(identityOf(one))));
  let [policies, rebalancers] = [false, false];

  for (const { at, before: old, after: now } of changes) {
    const { kind, metadata } = now ?? old;
    if (isObserved(now, 'Cluster')) clusters.set(metadata.name, now);
    else if (kind === 'Cluster') clusters.delete(metadata.name);
    policies ||= /^(?:Cluster)?PropagationPolicy$/.test(kind) && isSimulated(old, now);
    rebalancers ||= kind === 'WorkloadRebalancer' && isSimulated(old, now);
    if (COUNTED_BY[kind] !== undefined) templates[now ? 'add' : 'delete'](objectKey(identityOf(now ?? old)));
    if (!isObservedBinding(old) || !isObservedBinding(now)) continue;
    const [before, after]: [ResourceBinding, ResourceBinding] = [old, now];
    const binding = bindingKey(after);
    if (!known.has(binding)) continue;
    const leaveOut = (what: string) =>
      unsimulated.push({ at, binding, what: `${what} of ${kind} ${named(now)}` });

    const edited = OF_TEMPLATE.filter((field) => !deepEqual(before.spec[field], after.spec[field]));
    if (edited.length > 0) {
      touched.add(binding);
      const workload = workloadOf(after);
      const counted = templates.has(objectKey(workload)) ? COUNTED_BY[workload.kind] : undefined;
      const isScaled = edited.length === 1 && edited[0] === 'replicas';
      if (policies && !(isScaled && counted)) leaveOut(`after a change of policies, ${fields(edited)}`);
      else {
        const spec = Object.fromEntries(edited.map((field) => [field, after.spec[field] ?? null]));
        events.push({ at, action: { type: 'patch', target: { kind, ...idOf(now) }, merge: { spec } } });
        // Otherwise a later policy change would restore the template's old number.
        if (counted && edited.includes('replicas')) {
          const merge = { spec: { [counted]: after.spec.replicas ?? 0 } };
          events.push({ at, action: { type: 'patch', target: workload, merge } });
        }
      }
    }
    const ofPolicy = OF_POLICY.filter((field) => !deepEqual(before.spec[field], after.spec[field]));
    if (ofPolicy.length > 0 && !policies) leaveOut(`without a change of policies, ${fields(ofPolicy)}`);
    if (!rebalancers && !deepEqual(before.spec.rescheduleTriggeredAt, after.spec.rescheduleTriggeredAt))
      leaveOut('without a WorkloadRebalancer, spec.rescheduleTriggeredAt');
    for (const what of taskEdits(before, after)) leaveOut(what);
    const writer = deepEqual(before.spec.clusters, after.spec.clusters) ? undefined : placedByHand(after);
    if (writer !== undefined) leaveOut(`by ${writer}, spec.clusters`);

    for (const { name } of movedClusters(before, after)) touched.add(`${binding} ${name}`);
    for (const { cluster, health } of changedHealth(before, after)) {
      if (!isReady(clusters.get(cluster)) || touched.has(binding) || touched.has(`${binding} ${cluster}`))
        continue;
      events.push({ at, action: { type: 'health', workload: workloadOf(after), cluster, health } });
    }
  }
  return { events, unsimulated };
}

/** Whether a change of an object is passed to the simulation: it is created, deleted, or its content differs. */
export function isSimulated(
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): boolean {
  return !before || !after || !deepEqual(specOf(before), specOf(after));
}

function specOf(object: KubernetesObject): unknown {
  return object.spec;
}

function fields(names: readonly string[]): string {
  return names.map((name) => `spec.${name}`).join(', ');
}

function named({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace ? `${namespace}/${name}` : name;
}

function idOf({ metadata: { namespace, name } }: KubernetesObject): { namespace?: string; name: string } {
  return { ...(namespace ? { namespace } : {}), name };
}

/** Tasks that no controller of Karmada created, and the fields that users change in a task. */
function taskEdits(before: ResourceBinding, after: ResourceBinding): string[] {
  const had = new Map((before.spec.gracefulEvictionTasks ?? []).map((one) => [one.fromCluster, one]));
  const has = after.spec.gracefulEvictionTasks ?? [];
  const edits = has.flatMap((task) => {
    const known = had.get(task.fromCluster);
    had.delete(task.fromCluster);
    if (!known)
      return OWN_PRODUCERS.has(task.producer)
        ? []
        : [`by ${task.producer || 'another client'}, an eviction task from ${task.fromCluster}`];
    const isSame = deepEqual(taskSettings(known), taskSettings(task));
    return isSame ? [] : [`by another client, the eviction task from ${task.fromCluster}`];
  });
  const gone = [...had.values()].filter(({ producer }) => !OWN_PRODUCERS.has(producer));
  return [
    ...edits,
    ...gone.map(
      ({ fromCluster, producer }) =>
        `by ${producer || 'another client'}, the end of the eviction from ${fromCluster}`,
    ),
  ];
}

/** Clusters with more or fewer replicas than before, or with a new eviction task. */
function movedClusters(before: ResourceBinding, after: ResourceBinding): { name: string }[] {
  const [had = [], has = []] = [before.spec.clusters, after.spec.clusters];
  const count = (list: typeof had, name: string) => list.find((one) => one.name === name)?.replicas;
  const isOn = (list: typeof had, name: string) => list.some((one) => one.name === name);
  return [...had, ...has].filter(
    ({ name }) => count(had, name) !== count(has, name) || isOn(had, name) !== isOn(has, name),
  );
}

type Health = 'Healthy' | 'Unhealthy';

/** Clusters that report another health than before. */
function changedHealth(
  before: ResourceBinding,
  after: ResourceBinding,
): { cluster: string; health: Health }[] {
  if (before.status === after.status) return [];
  const had = new Map(
    (before.status?.aggregatedStatus ?? []).map(({ clusterName, health }) => [clusterName, health]),
  );
  return (after.status?.aggregatedStatus ?? []).flatMap(({ clusterName: cluster, health }) => {
    const old = had.get(cluster);
    if (old === undefined || old === health) return [];
    return health === 'Healthy' || health === 'Unhealthy' ? [{ cluster, health }] : [];
  });
}
