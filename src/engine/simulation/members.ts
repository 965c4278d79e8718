import type { ObjectReference, ResourceHealth } from '../../karmada/api/work.ts';
import { instant } from '../../kubernetes/time.ts';
import { suspendsDispatching } from '../eviction/works.ts';
import { hasHealthInterpreter, type DeclaredHooks } from '../status/healthInterpreter.ts';
import { reportedStatus, unobservedStatus } from '../status/reportedStatus.ts';
import type { Agenda } from './agenda.ts';
import { type BindingRecord, type SimulatedControlPlane } from './controlPlane.ts';
import { objectKey } from '../objects/identities.ts';
import { latencies } from '../latencies.ts';
import { nextRetry } from '../controllers/retryBackoff.ts';
import type { MemberAssumptions } from '../scenario.ts';
import type { SimulatedWork, WorkIndex } from './simulatedWork.ts';
import { isReady } from '../objects/clusterReadiness.ts';

/**
 * The member clusters with Karmada's execution controller (Work → member) and work status
 * controller (member → Work) in between.
 */
export interface Members {
  worksOf(record: BindingRecord): Map<string, SimulatedWork>;
  /** Writes the Work of a binding for a cluster; returns what that was: nothing when the content is the same. */
  write(
    record: BindingRecord,
    cluster: string,
    replicas: number,
    contentChanged: boolean,
  ): 'created' | 'updated' | 'unchanged';
  /** Deletes a Work; it is gone when the member, once reachable, has let go of the objects. */
  remove(record: BindingRecord, cluster: string): void;
  /** The member cluster is down (or up again), whatever Karmada knows of it yet. */
  setDown(cluster: string, down: boolean): void;
  isDown(cluster: string): boolean;
  /** A member reports another health for a workload, for reasons of its own. */
  setHealth(record: BindingRecord, cluster: string, health: ResourceHealth): void;
  /** ready replicas on the clusters that could be reached at the start */
  readyAtStart(record: BindingRecord): number;
  /** ready replicas on clusters that can be reached */
  readyReplicas(record: BindingRecord): number;
  onWorkStatus(listener: (record: BindingRecord) => void): void;
  onWorkGone(listener: (record: BindingRecord, work: SimulatedWork) => void): void;
  /** pods of a binding have come to a member, or gone where the number is negative */
  onPods(listener: (record: BindingRecord, cluster: string, pods: number) => void): void;
  /** ready replicas of a binding may have changed */
  onReadiness(listener: (record: BindingRecord) => void): void;
}

export function createMembers(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  index: WorkIndex,
  assumptions: MemberAssumptions,
  hooks: DeclaredHooks,
): Members {
  const down = new Set<string>();
  const statusListeners: ((record: BindingRecord) => void)[] = [];
  const goneListeners: ((record: BindingRecord, work: SimulatedWork) => void)[] = [];
  const readinessListeners: ((record: BindingRecord) => void)[] = [];
  const podListeners: ((record: BindingRecord, cluster: string, pods: number) => void)[] = [];
  /** Works that wait until their member can be reached: to be applied, or to be deleted there */
  const unreached = new Map<string, Map<SimulatedWork, BindingRecord>>();
  const neverReady = new Set(assumptions.neverReady.map((entry) => `${entry.cluster}|${objectKey(entry)}`));

  const workloadOf = (record: BindingRecord): ObjectReference => record.current.spec.resource;
  const isNeverReady = (record: BindingRecord, { cluster }: SimulatedWork) =>
    neverReady.has(`${cluster}|${objectKey(workloadOf(record))}`);
  const reachable = (cluster: string) => isReady(plane.clusters.get(cluster)) && !down.has(cluster);
  const reachableAtStart = new Set(
    [...plane.clusters.values()].filter(isReady).map(({ metadata }) => metadata.name),
  );
  const startReadiness = new Map<BindingRecord, number>();
  const sumReady = (works: Map<string, SimulatedWork>, on: (cluster: string) => boolean) => {
    let sum = 0;
    for (const { cluster, ready } of works.values()) if (on(cluster)) sum += ready;
    return sum;
  };

  function worksOf(record: BindingRecord): Map<string, SimulatedWork> {
    if (record.works) return record.works;
    const works = (record.works = index.of(record.current));
    startReadiness.set(
      record,
      sumReady(works, (cluster) => reachableAtStart.has(cluster)),
    );
    for (const work of works.values()) {
      if (work.deletingSince === undefined) goOn(record, work);
      else if (reachable(work.cluster)) goOnDeleting(record, work, work.deletingSince);
      else waitForMember(record, work);
    }
    return works;
  }

  /** A Work that has been deleting for longer than it takes waits for the next retry of the execution controller. */
  function goOnDeleting(record: BindingRecord, work: SimulatedWork, since: number): void {
    const now = agenda.now();
    const overdue = now - since > 2000;
    later(record, work, overdue ? nextRetry(since, now) - now : latencies.workDeletion, () =>
      finishRemoval(record, work),
    );
  }

  /**
   * What was under way when the state was captured goes on: a Work that nothing has been reported of is applied;
   * replicas that are not ready become so in time, counted from the scheduling, and else never do.
   */
  function goOn(record: BindingRecord, work: SimulatedWork): void {
    if (work.health === undefined) {
      later(record, work, latencies.execution, () => apply(record, work));
      return;
    }
    const scheduled = record.current.status?.lastScheduledTime;
    if (work.health === 'Healthy' || !scheduled) return;
    const left =
      instant(scheduled) + assumptions.workloadReadyAfter + latencies.readinessReport - agenda.now();
    if (left > 0 && !isNeverReady(record, work))
      later(record, work, left, () => report(record, work, 'Healthy', work.replicas));
  }
  const statusChanged = (record: BindingRecord) => statusListeners.forEach((listener) => listener(record));
  const readinessChanged = (record: BindingRecord) =>
    readinessListeners.forEach((listener) => listener(record));

  function report(
    record: BindingRecord,
    work: SimulatedWork,
    health: ResourceHealth,
    ready: number,
    status = reportedStatus(workloadOf(record), work.replicas, ready, work.status),
  ): void {
    work.health = health;
    work.ready = ready;
    work.status = status;
    readinessChanged(record);
    statusChanged(record);
  }

  function waitForMember(record: BindingRecord, work: SimulatedWork): void {
    work.failingSince ??= agenda.now();
    const waiting = unreached.get(work.cluster);
    if (waiting) waiting.set(work, record);
    else unreached.set(work.cluster, new Map([[work, record]]));
  }

  /** Runs `step` unless the content has been replaced meanwhile or the member cannot be reached. */
  function later(record: BindingRecord, work: SimulatedWork, delay: number, step: () => void): void {
    const content = work.content;
    agenda.plan(agenda.now() + delay, () => {
      if (work.content !== content || worksOf(record).get(work.cluster) !== work) return;
      if (reachable(work.cluster)) step();
      else waitForMember(record, work);
    });
  }

  function run(record: BindingRecord, work: SimulatedWork, replicas: number): void {
    const pods = replicas - work.running;
    work.running = replicas;
    if (pods !== 0) podListeners.forEach((listener) => listener(record, work.cluster, pods));
  }

  function apply(record: BindingRecord, work: SimulatedWork): void {
    // A suspended Work is not dispatched; the member keeps what it has.
    work.suspended = suspendsDispatching(record.current.spec, work.cluster);
    if (work.suspended) return;
    delete work.failingSince;
    work.applied = true;
    run(record, work, work.replicas);
    const kept = Math.min(work.ready, work.replicas);
    statusChanged(record);
    later(record, work, latencies.workStatus, () => {
      if (!hasHealthInterpreter(workloadOf(record), hooks) || kept >= work.replicas) {
        report(record, work, 'Healthy', work.replicas);
        return;
      }
      // Counts come with readiness: that a member reports them earlier can only make an eviction possible that
      // waits for state to preserve.
      report(record, work, 'Unhealthy', kept, unobservedStatus(workloadOf(record), work.status));
      const never = isNeverReady(record, work);
      later(record, work, assumptions.workloadReadyAfter + latencies.readinessReport, () =>
        report(record, work, never ? 'Unhealthy' : 'Healthy', never ? kept : work.replicas),
      );
    });
  }

  function finishRemoval(record: BindingRecord, work: SimulatedWork): void {
    worksOf(record).delete(work.cluster);
    run(record, work, 0);
    readinessChanged(record);
    statusChanged(record);
    goneListeners.forEach((listener) => listener(record, work));
  }

  function reached(cluster: string): void {
    const waiting = unreached.get(cluster);
    if (!waiting) return;
    unreached.delete(cluster);
    for (const [work, record] of waiting) {
      // Nothing tells the execution controller that the cluster is back; its retry does.
      const at = nextRetry(work.failingSince ?? agenda.now(), agenda.now());
      const content = work.content;
      agenda.plan(at, () => {
        if (work.content !== content) return;
        if (!reachable(cluster)) waitForMember(record, work);
        else if (work.deletingSince !== undefined) finishRemoval(record, work);
        else apply(record, work);
      });
    }
  }

  plane.observe({
    clusterChanged(before, after) {
      const name = after.metadata.name;
      if (isReady(before) === isReady(after)) return;
      for (const record of plane.bindingsOn(name)) readinessChanged(record);
      if (reachable(name)) reached(name);
    },
  });

  return {
    worksOf,
    write(record, cluster, replicas, contentChanged) {
      const works = worksOf(record);
      const existing = works.get(cluster);
      const resumed = existing?.suspended === true && !suspendsDispatching(record.current.spec, cluster);
      if (existing && existing.replicas === replicas && !contentChanged && !resumed) return 'unchanged';
      const work: SimulatedWork = existing ?? {
        cluster,
        replicas,
        ready: 0,
        running: 0,
        applied: false,
        health: undefined,
        status: undefined,
        content: 0,
      };
      const healthBefore = work.health;
      const scaled = work.replicas !== replicas || !existing;
      work.replicas = replicas;
      work.content++;
      works.set(cluster, work);
      if (!existing) statusChanged(record);
      // A change of metadata alone leaves the pods alone, and an unhealthy workload as unhealthy as it was.
      if (scaled || resumed || healthBefore === undefined)
        later(record, work, latencies.execution, () => apply(record, work));
      return existing ? 'updated' : 'created';
    },
    remove(record, cluster) {
      const work = worksOf(record).get(cluster);
      if (!work || work.deletingSince !== undefined) return;
      work.deletingSince = agenda.now();
      work.content++;
      delete work.failingSince;
      // Nothing tells the status controllers that a Work is being deleted; that it is gone does.
      later(record, work, latencies.workDeletion, () => finishRemoval(record, work));
    },
    setDown(cluster, isDown) {
      if (isDown) down.add(cluster);
      else down.delete(cluster);
      for (const record of plane.bindingsOn(cluster)) readinessChanged(record);
      if (reachable(cluster)) reached(cluster);
    },
    isDown: (cluster) => down.has(cluster),
    setHealth(record, cluster, health) {
      const work = worksOf(record).get(cluster);
      if (!work) return;
      work.content++;
      report(record, work, health, health === 'Healthy' ? work.replicas : 0);
    },
    readyAtStart(record) {
      worksOf(record);
      return startReadiness.get(record) ?? 0;
    },
    readyReplicas: (record) => sumReady(worksOf(record), reachable),
    onWorkStatus: (listener) => void statusListeners.push(listener),
    onWorkGone: (listener) => void goneListeners.push(listener),
    onPods: (listener) => void podListeners.push(listener),
    onReadiness: (listener) => void readinessListeners.push(listener),
  };
}
