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
import { isSeen, isSeenBinding, type SeenChange } from '../history.ts';

/** A change from outside that decides, and that the simulation is not given. */
export interface UnsimulatedChange {
  /** epoch milliseconds */
  at: number;
  /** what, as a phrase: "spec.placement of ResourceBinding shop/cart was changed, and no policy was" */
  what: string;
  /** whose steps it may change, as `bindingKey` says; absent: all of them */
  binding?: string;
}

/** Those of the controllers that the simulation plays too. */
const OWN_PRODUCERS: ReadonlySet<string> = new Set(
  controllerNames.flatMap((name) => factsOf(name).producers),
);
/** Fields that the detector makes of the template, and of its policy. */
const OF_TEMPLATE = ['replicas', 'replicaRequirements', 'components'] as const;
const OF_POLICY = [
  ...['placement', 'failover', 'propagateDeps', 'schedulerName', 'conflictResolution'],
  ...['suspension', 'preserveResourcesOnDeletion', 'schedulePriority', 'workloadAffinityGroups'],
] as const;

/** The field of a template that says how many replicas it has, by kind. */
const COUNTED_BY: Readonly<Record<string, string | undefined>> = {
  Deployment: 'replicas',
  StatefulSet: 'replicas',
  Job: 'parallelism',
};
/** By these names managedFields show who of Karmada writes placements. */
const PLACES = /^karmada-(?:scheduler|controller-manager)$/;

/** Who else has written spec.clusters of a binding; undefined: Karmada, or unknown. */
function placedByHand({ metadata }: ResourceBinding): string | undefined {
  const writer = metadata.managedFields?.find((one) => ownsSpecField(one, 'clusters'))?.manager;
  return writer === undefined || PLACES.test(writer) ? undefined : writer;
}

/**
 * What bindings show of things from outside: edits of templates, which are played as edits of what the detector made of them; health that
 * changed while nothing was done to the copy; and what is not simulated, since its cause is unknown.
 */
export function outsideBindings(
  first: World,
  changes: Iterable<SeenChange>,
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
    if (isSeen(now, 'Cluster')) clusters.set(metadata.name, now);
    else if (kind === 'Cluster') clusters.delete(metadata.name);
    policies ||= /^(?:Cluster)?PropagationPolicy$/.test(kind) && isSimulated(old, now);
    rebalancers ||= kind === 'WorkloadRebalancer' && isSimulated(old, now);
    if (COUNTED_BY[kind] !== undefined) templates[now ? 'add' : 'delete'](objectKey(identityOf(now ?? old)));
    if (!isSeenBinding(old) || !isSeenBinding(now)) continue;
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
        // else a later change of the policy would take the template's old number
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

/** Whether the simulation is given a change of an object: it is new, gone, or says something else. */
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

/** Tasks that no controller of Karmada made, and what people change in one. */
function taskEdits(before: ResourceBinding, after: ResourceBinding): string[] {
  const had = new Map((before.spec.gracefulEvictionTasks ?? []).map((one) => [one.fromCluster, one]));
  const has = after.spec.gracefulEvictionTasks ?? [];
  const edits = has.flatMap((task) => {
    const known = had.get(task.fromCluster);
    had.delete(task.fromCluster);
    if (!known)
      return OWN_PRODUCERS.has(task.producer)
        ? []
        : [`by ${task.producer || 'somebody'}, an eviction task from ${task.fromCluster}`];
    const isSame = deepEqual(taskSettings(known), taskSettings(task));
    return isSame ? [] : [`by somebody, the eviction task from ${task.fromCluster}`];
  });
  const gone = [...had.values()].filter(({ producer }) => !OWN_PRODUCERS.has(producer));
  return [
    ...edits,
    ...gone.map(
      ({ fromCluster, producer }) =>
        `by ${producer || 'somebody'}, the end of the eviction from ${fromCluster}`,
    ),
  ];
}

/** Clusters on which it has more or fewer replicas than before, or that it is evicted from. */
function movedClusters(before: ResourceBinding, after: ResourceBinding): { name: string }[] {
  const [had = [], has = []] = [before.spec.clusters, after.spec.clusters];
  const count = (list: typeof had, name: string) => list.find((one) => one.name === name)?.replicas;
  const isOn = (list: typeof had, name: string) => list.some((one) => one.name === name);
  return [...had, ...has].filter(
    ({ name }) => count(had, name) !== count(has, name) || isOn(had, name) !== isOn(has, name),
  );
}

type Health = 'Healthy' | 'Unhealthy';

/** Clusters from which another health is reported than before. */
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
