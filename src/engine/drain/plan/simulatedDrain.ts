import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { executionNamespace } from '../../../karmada/names.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { rfc3339 } from '../../../kubernetes/time.ts';
import { createKeyedQueue } from '../../simulation/agenda.ts';
import { type BindingRecord } from '../../simulation/controlPlane.ts';
import { bindingKey, identityOf, objectKey } from '../../objects/identities.ts';
import { noteTaintChanges } from '../../simulation/controllers/taintChanges.ts';
import { latencies } from '../../simulation/latencies.ts';
import { liveWorkloadGroups } from '../../simulation/liveWorkloadGroups.ts';
import type { Actor, Stage } from '../../simulation/simulate.ts';
import type { SimulatedWork } from '../../simulation/simulatedWork.ts';
import { bindingState } from '../decide/bindingState.ts';
import { decideRound } from '../decide/decideDrain.ts';
import type { DrainOptions } from '../drainOptions.ts';
import { compareForDrain } from '../decide/drainOrder.ts';
import { createDrainPacer, noteWritten } from '../decide/drainPacer.ts';
import { drainSituation, type DrainSituation } from '../decide/drainSituation.ts';
import type { DrainStep, DrainWrite } from '../decide/drainStep.ts';
import { countsReplicas } from '../../status/copyReadiness.ts';
import type { DrainView } from '../decide/drainView.ts';

/** What a drain came to for a binding, in epoch milliseconds of the simulation. */
export interface DrainTimes {
  /** position in the order of evictions, from 1; absent where it was under way at the start */
  order?: number;
  evictedAt?: number;
  /** its replacement was seen ready */
  readyAt?: number;
  /** nothing of it was left on the drained clusters */
  goneAt?: number;
}

/** A drain that acts in a simulation: the same decisions as on a live control plane, at the same occasions. */
export interface SimulatedDrain {
  actor: Actor;
  /** To be asked when the simulation is over. */
  result(): {
    step: DrainStep;
    situation: DrainSituation;
    clusters: readonly Cluster[];
    /** a binding as it is then, with its times; undefined where it is gone itself */
    find(binding: ResourceBinding): { current: ResourceBinding; times: DrainTimes } | undefined;
  };
}

/** Looks at one binding, or at everything that is on the drained clusters. */
type Occasion = BindingRecord | 'all';

export function simulatedDrain(options: DrainOptions, configuration: Configuration): SimulatedDrain {
  const own = new Set(options.clusters);
  const pacer = createDrainPacer();
  const times = new Map<BindingRecord, DrainTimes>();
  let evictions = 0;
  let stage: Stage | undefined;
  let viewOf: (records: Iterable<BindingRecord>) => DrainView;
  /** everything that is, or has something, on the drained clusters */
  const concerned = new Set<BindingRecord>();

  function actor(given: Stage): void {
    stage = given;
    const { plane, agenda, members } = given;
    viewOf = viewsOf(given, configuration);
    /** evicted and not yet gone */
    const underWay = new Set<BindingRecord>();
    const queue = createQueue(own, (record) => !record.deleted && isThere(record));
    /** the last look at everything found nothing that time alone would bring on */
    let idle = false;

    const isThere = ({ current: { spec } }: BindingRecord) =>
      spec.clusters?.some(({ name }) => own.has(name)) ?? false;
    const isBeingEvicted = ({ current: { spec } }: BindingRecord) =>
      spec.gracefulEvictionTasks?.some(({ fromCluster }) => own.has(fromCluster)) ?? false;

    const looks = createKeyedQueue<Occasion>(agenda, (occasion) => {
      if (occasion === 'all') lookAtAll();
      else lookAtOne(occasion);
    });
    const soon = (occasion: Occasion) => looks.add(occasion, agenda.now() + latencies.drain);

    function lookAtAll(): void {
      const now = agenda.now();
      const look = (records: readonly BindingRecord[]) =>
        decideRound(viewOf(records), options, configuration, pacer, now, 'none');
      // What is in flight counts where its number is limited.
      const inFlight = options.pace.maxConcurrent === undefined ? [] : [...underWay];
      let step = look(inFlight);
      if (step.writes.length === 0) {
        for (let some = queue.next(); some.length > 0; some = queue.next()) {
          step = look([...inFlight.filter((record) => !some.includes(record)), ...some]);
          if (!step.nothingFits) break;
          queue.setAside(some);
        }
        queue.rewind();
      }
      step.writes.forEach((write) => carryOut(write));
      const cordoning = step.writes.some(({ type }) => type === 'cordon' || type === 'taint');
      if (cordoning) soon('all');
      idle = !cordoning && step.lookAgainAt === undefined;
      if (step.lookAgainAt !== undefined) looks.add('all', step.lookAgainAt);
    }

    function lookAtOne(record: BindingRecord): void {
      if (!underWay.has(record)) return;
      const now = agenda.now();
      const view = viewOf([record]);
      if (record.deleted || !bindingState(record.current, situationNow(view), view)) {
        underWay.delete(record);
        concerned.delete(record);
        timesOf(record).goneAt = now;
        if (idle) soon('all');
        return;
      }
      const step = decideRound(view, options, configuration, pacer, now, 'shown');
      const phase = step.workloads[0]?.phase;
      if (phase === 'ready' || phase === 'leaving') timesOf(record).readyAt ??= now;
      for (const write of step.writes) if (write.type === 'release') carryOut(write);
      if (step.lookAgainAt !== undefined) looks.add(record, step.lookAgainAt);
    }

    const situationNow = (view: DrainView) => drainSituation(view, options, configuration);

    function carryOut(write: DrainWrite): void {
      const now = agenda.now();
      switch (write.type) {
        case 'cordon':
        case 'taint': {
          const before = write.cluster.spec?.taints ?? [];
          // The aggregated API server stamps NoExecute taints alone.
          const taints = (write.after.spec?.taints ?? []).map((taint) =>
            taint.effect === 'NoExecute' && !taint.timeAdded ? { ...taint, timeAdded: rfc3339(now) } : taint,
          );
          noteTaintChanges(plane, 'drain', identityOf(write.cluster), before, taints, []);
          const sameTaints = deepEqual(before, taints);
          // Versions stand still here, so that a write of the mark alone would never be seen to have arrived.
          if (!sameTaints) noteWritten(pacer, write, now);
          const spec = sameTaints ? write.cluster.spec : { ...write.after.spec, taints };
          plane.writeCluster({ ...write.after, ...(spec ? { spec } : {}) });
          return;
        }
        case 'evict':
        case 'release': {
          const record = plane.findBinding(identityOf(write.binding))!;
          noteWritten(pacer, write, now);
          const names = write.clusters.join(', ');
          if (write.type === 'evict') {
            underWay.add(record);
            noteEviction(record);
          }
          plane.writeBinding(
            record,
            { spec: write.after },
            {
              controller: 'drain',
              type: write.type === 'evict' ? 'Evicted' : 'TaskReleased',
              cluster: write.clusters.join(','),
              reason: 'ClusterDrain',
              message:
                write.type === 'evict'
                  ? `evicted from ${names}${options.hold ? ', the old copy is held' : ''}`
                  : `the old copy on ${names} is released`,
              evidence: [],
            },
          );
        }
      }
    }

    function noticed(record: BindingRecord): void {
      if (isBeingEvicted(record)) {
        concerned.add(record);
        if (!underWay.has(record)) noteEviction(record);
        underWay.add(record);
      }
      if (underWay.has(record)) soon(record);
      else if (isThere(record)) {
        concerned.add(record);
        queue.add(record);
        if (idle) soon('all');
      } else if (concerned.has(record)) {
        // It left without a task.
        underWay.add(record);
        soon(record);
      }
    }

    for (const record of plane.bindings) if (isThere(record) || isBeingEvicted(record)) concerned.add(record);
    for (const record of concerned) {
      // It may have left one cluster and be still on another, by an earlier drain of fewer clusters.
      if (isThere(record)) queue.add(record);
      if (!isBeingEvicted(record)) continue;
      underWay.add(record);
      soon(record);
    }
    plane.observe({
      bindingChanged: noticed,
      bindingStatusChanged(record) {
        if (underWay.has(record)) soon(record);
      },
      clusterChanged(before, after) {
        const judged =
          before?.spec?.taints !== after.spec?.taints ||
          before?.status?.conditions !== after.status?.conditions ||
          before?.metadata !== after.metadata;
        if (idle || judged) soon('all');
        if (before?.status?.conditions !== after.status?.conditions) underWay.forEach(soon);
      },
    });
    members.onWorkStatus((record) => {
      if (underWay.has(record)) soon(record);
    });
    looks.add('all', agenda.now());
  }

  function noteEviction(record: BindingRecord): void {
    const noted = timesOf(record);
    noted.order ??= ++evictions;
    noted.evictedAt ??= stage!.agenda.now();
  }

  function timesOf(record: BindingRecord): DrainTimes {
    let known = times.get(record);
    if (!known) times.set(record, (known = {}));
    return known;
  }

  return {
    actor,
    result() {
      const view = viewOf(concerned);
      const now = stage!.agenda.now();
      return {
        find(binding) {
          const record = stage!.plane.findBinding(identityOf(binding));
          return record && { current: record.current, times: times.get(record) ?? {} };
        },
        step: decideRound(view, options, configuration, pacer, now, 'all'),
        situation: drainSituation(view, options, configuration),
        clusters: view.clusters,
      };
    },
  };
}

/** Bindings handed out at a time: more than the first is needed only where that has no place to go to. */
const SOME = 8;

/** The bindings on the drained clusters in the order of a drain; what had no place to go to before comes last. */
function createQueue(own: ReadonlySet<string>, isWaiting: (record: BindingRecord) => boolean) {
  const fresh = createSortedList();
  const tried = createSortedList();
  let list = fresh;

  function createSortedList() {
    const members = new Set<BindingRecord>();
    let sorted: BindingRecord[] = [];
    let stale = false;
    /** all before it have left */
    let head = 0;
    let at = 0;
    const stays = (record: BindingRecord) => members.has(record) && isWaiting(record);
    return {
      has: (record: BindingRecord) => members.has(record),
      add(record: BindingRecord): void {
        members.add(record);
        stale = true;
      },
      delete: (record: BindingRecord) => void members.delete(record),
      next(): BindingRecord | undefined {
        if (stale) {
          sorted = [...members].filter(isWaiting).sort((a, b) => compareForDrain(a.current, b.current, own));
          stale = false;
          head = at = 0;
        }
        while (at < sorted.length && !stays(sorted[at]!)) at++;
        return sorted[at++];
      },
      rewind(): void {
        while (head < sorted.length && !stays(sorted[head]!)) head++;
        at = head;
      },
    };
  }

  return {
    add(record: BindingRecord): void {
      if (!fresh.has(record) && !tried.has(record)) fresh.add(record);
    },
    /** The next few; none when all have been handed out. */
    next(): BindingRecord[] {
      const some: BindingRecord[] = [];
      while (some.length < SOME) {
        const record = list.next();
        if (record) some.push(record);
        else if (list === fresh && some.length === 0) list = tried;
        else break;
      }
      return some;
    },
    /** These had no place to go to. */
    setAside(records: readonly BindingRecord[]): void {
      for (const record of records) {
        if (tried.has(record)) continue;
        fresh.delete(record);
        tried.add(record);
      }
    },
    /** The next call of `next` begins anew. */
    rewind(): void {
      list = fresh;
      fresh.rewind();
      tried.rewind();
    },
  };
}

/** Views of a simulated control plane as it is when they are asked. */
function viewsOf(
  { plane, members, hooks }: Stage,
  configuration: Configuration,
): (records: Iterable<BindingRecord>) => DrainView {
  let clusters: readonly Cluster[] | undefined;
  plane.observe({ clusterChanged: () => void (clusters = undefined) });
  const workloads = configuration.featureGates.WorkloadAffinity ? liveWorkloadGroups(plane) : undefined;
  return (records) => {
    const recordOf = new Map<string, BindingRecord>();
    return {
      clusters: (clusters ??= [...plane.clusters.values()]),
      bindings: currentOf(records),
      worksOf(binding) {
        const key = bindingKey(binding);
        const record = recordOf.get(key) ?? plane.findBinding(identityOf(binding));
        if (!record) return new Map();
        recordOf.set(key, record);
        return new Map(
          [...members.worksOf(record)].map(([cluster, work]) => [cluster, asWork(binding, work)]),
        );
      },
      templateOf: ({ spec: { resource } }) => plane.templates.get(objectKey(resource)),
      hooks,
      ...(workloads ? { workloads } : {}),
    };
  };
}

function* currentOf(records: Iterable<BindingRecord>): Generator<ResourceBinding> {
  for (const record of records) if (!record.deleted) yield record.current;
}

/** A simulated Work as the API would serve it. */
function asWork({ spec: { resource } }: ResourceBinding, work: SimulatedWork): Work {
  const { apiVersion, kind, namespace, name } = resource;
  const manifest: KubernetesObject & { spec: unknown } = {
    apiVersion,
    kind,
    metadata: { name, ...(namespace ? { namespace } : {}) },
    spec: kind === 'Job' ? { parallelism: work.replicas } : { replicas: work.replicas },
  };
  // As the kinds count that Karmada knows; the others keep what was captured of them.
  const counts = { replicas: work.replicas, readyReplicas: work.ready, availableReplicas: work.ready };
  const reported = countsReplicas(resource) ? counts : work.status;
  return {
    metadata: {
      name,
      namespace: executionNamespace(work.cluster),
      ...(work.deletingSince === undefined ? {} : { deletionTimestamp: rfc3339(work.deletingSince) }),
    },
    spec: { workload: { manifests: [manifest] }, ...(work.suspended ? { suspendDispatching: true } : {}) },
    status: {
      conditions: [{ type: 'Applied', status: work.applied ? 'True' : 'False' }],
      manifestStatuses:
        work.health === undefined
          ? []
          : [
              {
                health: work.health,
                status: reported,
              },
            ],
    },
  };
}
