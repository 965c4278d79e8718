import type { ControllerName } from '../../karmada/controllers/karmada.ts';
import type { WriteOf } from '../../karmada/controllers/write.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { findTaint, taintIdentity } from '../../karmada/objects/sameTaint.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../../karmada/api/work.ts';
import type { WriteApi } from './controllerHost.ts';

/** The API's state, combined with the writes that were not made. */
interface ImaginedWrites {
  /** Accepts writes without making them; controllers then see the objects as if they had been made. */
  readonly api: WriteApi<ControllerName>;
  /** An object as controllers see it, even if the API no longer has it. */
  seen(kind: 'Cluster' | 'Binding', key: string, real: object | undefined): object | undefined;
}

interface ClusterEdits {
  real: Cluster;
  /** by `taintIdentity` */
  added: Map<string, Taint>;
  removed: Map<string, Taint>;
}

interface BindingEdits {
  real: ResourceBinding;
  /** the clusters that it would have left, and which controller would have evicted it */
  left: Map<string, ControllerName>;
  /** existing tasks, each with the time it would have, or undefined if it would have ended */
  tasks: Map<string, GracefulEvictionTask | undefined>;
}

/**
 * Lets controllers that only observe continue as if their writes had been made: they see a taint that would be added,
 * so that they find its evictions, and a binding that would be evicted without the cluster, so that they evict it once.
 * Reactions of other controllers, such as the scheduler, are not imagined: an imagined eviction leaves no task. Real
 * changes take precedence: an edit is dropped once the API shows it; an eviction also once its reason is gone (no
 * evicting taint on the cluster, or the application is no longer unhealthy there).
 *
 * @param show puts an object into the view of the controllers
 */
export function createDryRunWrites(
  show: (kind: 'Cluster' | 'Binding', key: string, object: object) => void,
): ImaginedWrites {
  const clusters = new Map<string, ClusterEdits>();
  const bindings = new Map<string, BindingEdits>();
  /** the bindings that would have left a cluster */
  const leavers = new Map<string, Set<string>>();

  function seenCluster(name: string, real: Cluster): Cluster {
    const edits = clusters.get(name);
    if (!edits) return real;
    const taints = real.spec?.taints ?? [];
    edits.real = real;
    for (const [identity, taint] of edits.added) if (findTaint(taints, taint)) edits.added.delete(identity);
    for (const [identity, taint] of edits.removed)
      if (!findTaint(taints, taint)) edits.removed.delete(identity);
    if (edits.added.size + edits.removed.size === 0) {
      clusters.delete(name);
      return real;
    }
    const kept = taints.filter((one) => !edits.removed.has(taintIdentity(one)));
    return { ...real, spec: { ...real.spec, taints: [...kept, ...edits.added.values()] } };
  }

  function seenBinding(key: string, real: ResourceBinding): ResourceBinding {
    const edits = bindings.get(key);
    if (!edits) return real;
    edits.real = real;
    const { clusters: targets = [], gracefulEvictionTasks: tasks = [] } = real.spec;
    const really = byCluster(real);
    for (const [cluster, by] of edits.left)
      if (!stillLeaves(really, cluster, by)) forget(key, edits, cluster);
    for (const [cluster, edited] of edits.tasks) {
      const task = really.tasks.get(cluster);
      if (!task || (edited && task.creationTimestamp)) edits.tasks.delete(cluster);
    }
    if (edits.left.size + edits.tasks.size === 0) {
      bindings.delete(key);
      return real;
    }
    const edited = (task: GracefulEvictionTask) =>
      edits.tasks.has(task.fromCluster) ? (edits.tasks.get(task.fromCluster) ?? []) : task;
    return {
      ...real,
      spec: {
        ...real.spec,
        clusters: targets.filter(({ name }) => !edits.left.has(name)),
        ...(tasks.length > 0 && { gracefulEvictionTasks: tasks.flatMap(edited) }),
      },
    };
  }

  function forget(key: string, { left }: BindingEdits, cluster: string): void {
    left.delete(cluster);
    leavers.get(cluster)?.delete(key);
  }

  /** Ends a cluster's imagined evictions whose taints no longer evict. */
  function endIncident(cluster: string, { spec }: Cluster): void {
    if (spec?.taints?.some(({ effect }) => effect === 'NoExecute' || effect === 'PreferNoExecute')) return;
    for (const key of [...(leavers.get(cluster) ?? [])]) {
      const edits = bindings.get(key);
      if (!edits || edits.left.get(cluster) === 'application-failover') continue;
      forget(key, edits, cluster);
      show('Binding', key, seenBinding(key, edits.real));
    }
  }

  function imagineTaints({ key, base, object }: Extract<WriteOf<'Cluster'>, { verb: 'update' }>): void {
    const edits = getOrAdd(clusters, key, () => ({ real: base, added: new Map(), removed: new Map() }));
    const [before, after] = [base.spec?.taints ?? [], object.spec?.taints ?? []];
    for (const taint of after)
      if (!findTaint(before, taint)) {
        edits.removed.delete(taintIdentity(taint));
        edits.added.set(taintIdentity(taint), taint);
      }
    for (const taint of before)
      if (!findTaint(after, taint)) {
        edits.added.delete(taintIdentity(taint));
        edits.removed.set(taintIdentity(taint), taint);
      }
    const seen = seenCluster(key, edits.real);
    show('Cluster', key, seen);
    endIncident(key, seen);
  }

  function imagineEviction(
    { key, base, object }: Extract<WriteOf<'Binding'>, { verb: 'update' }>,
    by: ControllerName,
  ): void {
    const edits = getOrAdd(bindings, key, () => ({ real: base, left: new Map(), tasks: new Map() }));
    const targets = new Set((object.spec.clusters ?? []).map(({ name }) => name));
    for (const { name } of base.spec.clusters ?? [])
      if (!targets.has(name)) {
        edits.left.set(name, by);
        getOrAdd(leavers, name, () => new Set<string>()).add(key);
      }
    const { tasks } = byCluster(object);
    for (const task of base.spec.gracefulEvictionTasks ?? []) {
      const kept = tasks.get(task.fromCluster);
      if (!kept || kept.creationTimestamp !== task.creationTimestamp) edits.tasks.set(task.fromCluster, kept);
    }
    show('Binding', key, seenBinding(key, edits.real));
  }

  return {
    api: {
      write(write, by) {
        if (write.verb !== 'update') throw new Error(`no controller of this process may ${write.verb}`);
        if (write.kind === 'Cluster') imagineTaints(write);
        else if (write.kind === 'Binding') imagineEviction(write, by);
        return Promise.resolve({ result: 'written' });
      },
    },
    seen(kind, key, real) {
      if (kind === 'Cluster') {
        if (real) {
          const seen = seenCluster(key, real as Cluster);
          endIncident(key, seen);
          return seen;
        }
        clusters.delete(key);
        return undefined;
      }
      if (real) return seenBinding(key, real as ResourceBinding);
      const edits = bindings.get(key);
      if (edits) for (const cluster of edits.left.keys()) leavers.get(cluster)?.delete(key);
      bindings.delete(key);
      return undefined;
    },
  };
}

/** A binding's state, by cluster. */
interface ByCluster {
  targets: ReadonlySet<string>;
  tasks: ReadonlyMap<string, GracefulEvictionTask>;
  unhealthy: ReadonlySet<string>;
}

function byCluster({ spec, status }: ResourceBinding): ByCluster {
  const tasks = spec.gracefulEvictionTasks ?? [];
  const reports = status?.aggregatedStatus ?? [];
  return {
    targets: new Set(spec.clusters?.map(({ name }) => name)),
    // if a cluster has several entries, the first one applies
    tasks: new Map(tasks.toReversed().map((task) => [task.fromCluster, task])),
    unhealthy: new Set(
      [...new Map(reports.toReversed().map((one) => [one.clusterName, one.health]))].flatMap(
        ([cluster, health]) => (health === 'Unhealthy' ? [cluster] : []),
      ),
    ),
  };
}

/** Whether a binding is unchanged on a cluster in the API, and its reason to leave still holds. */
function stillLeaves({ targets, tasks, unhealthy }: ByCluster, cluster: string, by: ControllerName): boolean {
  if (!targets.has(cluster) || tasks.has(cluster)) return false;
  return by !== 'application-failover' || unhealthy.has(cluster);
}
