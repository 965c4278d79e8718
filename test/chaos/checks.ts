import type { TargetCluster } from '../../src/karmada/api/work.ts';
import { readyReplicas, type BindingVersion, type Monitor } from '../e2e/monitor.ts';
import type { Poison } from './faultProxy.ts';
import { courseOf, type Course, type LoadedWorkload } from './load.ts';

/** An invariant, and whether it held. */
export interface Finding {
  what: string;
  /** how many items it was checked against */
  figure: string;
  /** one line for each violation */
  violations: string[];
}

/** The data that a drain is checked against. */
export interface Drained {
  load: LoadedWorkload[];
  monitor: Monitor;
  clusters: string[];
  /** epoch milliseconds of the moment before the drain began */
  since: number;
  /** bindings that an operator evicted or released meanwhile: how they leave and how ready they are is not checked */
  touched?: ReadonlySet<string>;
}

/** "member2:4 member3:2", the same for the same placement. */
export function placement(clusters: TargetCluster[]): string {
  return clusters
    .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
    .sort()
    .join(' ');
}

function versionsOf(
  { monitor, since }: Drained,
  binding: string,
): { before: BindingVersion; after: BindingVersion[] } {
  const versions = monitor.bindings.get(binding) ?? [];
  const first = versions.findIndex(({ time }) => time > since);
  const split = first < 0 ? versions.length : first;
  const before = versions[split - 1];
  if (!before) throw new Error(`there was no binding ${binding} before the drain`);
  return { before, after: versions.slice(split) };
}

export function finalPlacements({ load, monitor }: Drained): Map<string, TargetCluster[]> {
  return new Map(load.map(({ binding }) => [binding, monitor.newest.get(binding)?.spec.clusters ?? []]));
}

export function courses(drained: Drained): Map<string, Course> {
  return new Map(
    drained.load.map((workload) => {
      const clusters = versionsOf(drained, workload.binding).before.clusters.map(({ name }) => name);
      return [workload.binding, courseOf(workload, clusters, drained.clusters)];
    }),
  );
}

/** Whether everything that can leave has left, tasks included. */
export function isDrained(drained: Drained): boolean {
  return allGone(drained).violations.length === 0;
}

export function allGone(drained: Drained): Finding {
  const { load, monitor, clusters } = drained;
  const course = courses(drained);
  const going = load.filter(({ binding }) => ['goes', 'leaves'].includes(course.get(binding) ?? ''));
  const violations = going.flatMap(({ binding }) => {
    const spec = monitor.newest.get(binding)?.spec;
    const on = (spec?.clusters ?? []).map(({ name }) => name).filter((name) => clusters.includes(name));
    const tasks = (spec?.gracefulEvictionTasks ?? [])
      .map(({ fromCluster }) => fromCluster)
      .filter((name) => clusters.includes(name));
    if (on.length > 0) return [`${binding} is still on ${on.join(', ')}`];
    return tasks.length > 0 ? [`${binding} has still a task for ${tasks.join(', ')}`] : [];
  });
  return { what: 'all that can leave has left', figure: `${going.length} workloads`, violations };
}

export function blockedStay(drained: Drained): Finding {
  const course = courses(drained);
  const pinned = drained.load.filter(({ binding }) => course.get(binding) === 'pinned');
  const violations = pinned.flatMap(({ binding }) =>
    (drained.monitor.newest.get(binding)?.spec.clusters ?? []).length > 0 ? [] : [`${binding} is nowhere`],
  );
  return { what: 'what cannot be rescheduled stays', figure: `${pinned.length} workloads`, violations };
}

export function evictedOnce(drained: Drained): Finding {
  let evictions = 0;
  const bindings = drained.load.flatMap(({ binding, dependents }) => [binding, ...dependents]);
  const violations = bindings.flatMap((binding) => {
    if (drained.touched?.has(binding)) return [];
    const { before, after } = versionsOf(drained, binding);
    return drained.clusters.flatMap((cluster) => {
      let [left, tasks] = [0, 0];
      let [on, task] = [has(before, cluster), before.leaving.includes(cluster)];
      for (const version of after) {
        if (on && !has(version, cluster)) left++;
        if (!task && version.leaving.includes(cluster)) tasks++;
        [on, task] = [has(version, cluster), version.leaving.includes(cluster)];
      }
      evictions += left;
      return left > 1 || tasks > 1
        ? [`${binding} left ${cluster} ${left} times and got ${tasks} tasks for it`]
        : [];
    });
  });
  return { what: 'none is evicted twice', figure: `${evictions} evictions`, violations };
}

const has = ({ clusters }: BindingVersion, name: string): boolean =>
  clusters.some((cluster) => cluster.name === name);

export function replicasUntouched(drained: Drained): Finding {
  const { load, monitor } = drained;
  const violations = load.flatMap(({ name, binding }) => {
    const { before, after } = versionsOf(drained, binding);
    const changed = after.find(({ replicas }) => replicas !== before.replicas);
    const found = changed ? [`${binding} went from ${before.replicas} replicas to ${changed.replicas}`] : [];
    const generations = [...(monitor.generations.get(name) ?? [])];
    return generations.length > 1
      ? [...found, `the template of ${name} was changed: generations ${generations.join(', ')}`]
      : found;
  });
  return { what: 'no replica count is changed', figure: `${load.length} bindings and templates`, violations };
}

export function neverFewerReady(drained: Drained): Finding {
  const { load, monitor, since, clusters } = drained;
  const course = courses(drained);
  const held = load.filter(({ hasReplicas, binding }) => hasReplicas && !drained.touched?.has(binding));
  let changes = 0;
  const violations = held.flatMap(({ name, binding }) => {
    const seen = monitor.ready.get(name) ?? [];
    changes += seen.filter(({ time }) => time > since).length;
    const { before, beforeElsewhere, fewest, fewestAt } = readyReplicas(seen, since, clusters);
    const floor = course.get(binding) === 'leaves' ? beforeElsewhere : before;
    if (before === 0) return [`${binding} had no ready replicas before`];
    const after = ((fewestAt - since) / 1000).toFixed(1);
    return fewest < floor ? [`${binding} had ${fewest} ready instead of ${floor} after ${after} s`] : [];
  });
  return {
    what: 'never fewer replicas ready than before',
    figure: `${held.length} workloads, ${changes} changes`,
    violations,
  };
}

/** @param labels by binding, the last values that others wrote */
export function labelsKept({ monitor }: Drained, labels: Map<string, Record<string, string>>): Finding {
  let count = 0;
  const violations = [...labels].flatMap(([binding, written]) =>
    Object.entries(written).flatMap(([label, value]) => {
      count++;
      const found = monitor.newest.get(binding)?.metadata.labels?.[label];
      return found === value ? [] : [`${binding} has ${label}=${found} where ${value} was written`];
    }),
  );
  return { what: 'no update of others is lost', figure: `${count} labels`, violations };
}

/** The same clusters and replicas. Where Karmada chooses randomly, the same number of replicas and of drained clusters. */
export function endsWhere(drained: Drained, reference: Drained): Finding {
  const wanted = finalPlacements(reference);
  const found = finalPlacements(drained);
  const sum = (clusters: TargetCluster[]) =>
    clusters.reduce((total, { replicas = 0 }) => total + replicas, 0);
  const onDrained = (clusters: TargetCluster[]) =>
    clusters.filter(({ name }) => drained.clusters.includes(name)).length;
  const violations = drained.load.flatMap(({ binding, byChance }) => {
    const [ours, theirs] = [found.get(binding) ?? [], wanted.get(binding) ?? []];
    const same = byChance
      ? sum(ours) === sum(theirs) && onDrained(ours) === onDrained(theirs)
      : placement(ours) === placement(theirs);
    if (same) return [];
    const starts = [drained, reference].map((each) => placement(versionsOf(each, binding).before.clusters));
    const began = starts[0] === starts[1] ? '' : ` (began at ${starts.join(' and ')})`;
    return [`${binding} is at ${placement(ours)} instead of ${placement(theirs)}${began}`];
  });
  const byChance = drained.load.filter((workload) => workload.byChance).length;
  return {
    what: 'each ends where it does without faults',
    figure: `${drained.load.length} workloads, ${byChance} of them by replicas alone`,
    violations,
  };
}

/** One of each kind, among workloads that would leave. */
export function poisonsFor(bindings: readonly string[]): Map<string, Poison> {
  const kinds: readonly Poison[] = ['conflict', 'invalid', 'reverted'];
  return new Map(kinds.flatMap((kind, i) => (bindings[i] ? [[bindings[i], kind]] : [])));
}

/** The path of a binding in the API. */
export function bindingPath(binding: string): string {
  const [namespace, name] = binding.split('/');
  return `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings/${name}`;
}

/**
 * Objects that cannot be written are given up after some tries, and stay unchanged.
 * @param tries by path
 * @param most the usual maximum
 */
export function poisonedGivenUp(
  poisons: ReadonlyMap<string, Poison>,
  tries: ReadonlyMap<string, number>,
  tasksOf: (binding: string) => number,
  most: number,
): Finding {
  const counts = [...poisons].map(([binding, kind]) => ({
    binding,
    kind,
    tried: tries.get(bindingPath(binding)) ?? 0,
  }));
  const violations = counts.flatMap(({ binding, kind, tried }) => [
    ...(tried === 0 ? [`${binding} (${kind}) was never tried`] : []),
    ...(tried > most ? [`${binding} (${kind}) was tried ${tried} times, over ${most}`] : []),
    ...(tasksOf(binding) > 0 ? [`${binding} (${kind}) has a task`] : []),
  ]);
  const figure = counts.map(({ kind, tried }) => `${kind} ${tried}`).join(', ');
  return { what: 'what cannot be written is given up', figure: `writes: ${figure}`, violations };
}
