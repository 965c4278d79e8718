import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { rfc3339 } from '../../../kubernetes/time.ts';
import { clusterOfWork } from '../../objects/worksOfBinding.ts';
import type { Change, ChangeOf } from '../../controllers/write.ts';
import { latencies } from '../../latencies.ts';
import { bindingKey } from '../../objects/identities.ts';
import type { Actor, Stage } from '../../simulation/simulate.ts';
import { replacementReady } from '../../status/replacementReady.ts';
import { bindingState } from '../decide/bindingState.ts';
import { decideRound } from '../decide/decideDrain.ts';
import { createDrainPacer, noteWritten } from '../decide/drainPacer.ts';
import { drainSituation, type DrainSituation } from '../decide/drainSituation.ts';
import type { DrainStep, DrainWrite } from '../decide/drainStep.ts';
import type { DrainView } from '../decide/drainView.ts';
import type { DrainOptions } from '../drainOptions.ts';
import { createDrainQueue } from './drainQueue.ts';
import { drainViews } from './drainViews.ts';
import { createLooks } from './looks.ts';

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
type Occasion = string;
const ALL = '';

/** A drain that acts in virtual time beside Karmada's controllers. */
export function simulatedDrain(options: DrainOptions, configuration: Configuration): SimulatedDrain {
  const own = new Set(options.clusters);
  const pacer = createDrainPacer();
  const times = new Map<string, DrainTimes>();
  let evictions = 0;
  let stage: Stage | undefined;
  let viewOf: (keys: Iterable<string>) => DrainView;
  /** everything that is, or has something, on the drained clusters */
  const concerned = new Set<string>();

  function actor(given: Stage): void {
    stage = given;
    const { time } = given;
    const { view } = time;
    viewOf = drainViews(given, configuration);
    /** evicted and not yet gone */
    const underWay = new Set<string>();
    const queue = createDrainQueue(own, (key) => {
      const binding = view.get('Binding', key);
      return binding && isThere(binding) ? binding : undefined;
    });
    /** the last look at everything found nothing that time alone would bring on */
    let idle = false;

    const isThere = ({ spec }: ResourceBinding) => spec.clusters?.some(({ name }) => own.has(name)) ?? false;
    const isBeingEvicted = ({ spec }: ResourceBinding) =>
      spec.gracefulEvictionTasks?.some(({ fromCluster }) => own.has(fromCluster)) ?? false;

    const looks = createLooks(time, (occasion) => {
      if (occasion === ALL) lookAtAll();
      else lookAtOne(occasion);
    });
    const soon = (occasion: Occasion) => looks.add(occasion, time.now() + latencies.drain);

    function lookAtAll(): void {
      const now = time.now();
      const look = (records: readonly string[]) =>
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
      if (cordoning) soon(ALL);
      idle = !cordoning && step.lookAgainAt === undefined;
      if (step.lookAgainAt !== undefined) looks.add(ALL, step.lookAgainAt);
    }

    function lookAtOne(record: string): void {
      if (!underWay.has(record)) return;
      const now = time.now();
      const seen = viewOf([record]);
      const binding = view.get('Binding', record);
      const situation = situationNow(seen);
      if (binding) noteReady(record, binding, situation);
      if (!binding || !bindingState(binding, situation, seen, configuration.rules)) {
        underWay.delete(record);
        concerned.delete(record);
        timesOf(record).goneAt = now;
        if (idle) soon(ALL);
        return;
      }
      const step = decideRound(seen, options, configuration, pacer, now, 'shown');
      for (const write of step.writes) if (write.type === 'release') carryOut(write);
      if (step.lookAgainAt !== undefined) looks.add(record, step.lookAgainAt);
    }

    const noteReady = (record: string, binding: ResourceBinding, { clusters }: DrainSituation) => {
      const known = timesOf(record);
      if (known.readyAt !== undefined) return;
      const rules = configuration.rules.scheduling;
      if (replacementReady(binding, view.worksOf(binding), clusters, view.hooks, rules).ready)
        known.readyAt = time.now();
    };

    const situationNow = (seen: DrainView) => drainSituation(seen, options, configuration, pacer.situation);

    function carryOut(write: DrainWrite): void {
      const now = time.now();
      switch (write.type) {
        case 'cordon':
        case 'taint': {
          const before = write.cluster.spec?.taints ?? [];
          // The aggregated API server stamps NoExecute taints alone.
          const taints = (write.after.spec?.taints ?? []).map((taint) =>
            taint.effect === 'NoExecute' && !taint.timeAdded ? { ...taint, timeAdded: rfc3339(now) } : taint,
          );
          const sameTaints = deepEqual(before, taints);
          // Versions stand still here, so that a write of the mark alone would never be seen to have arrived.
          if (!sameTaints) noteWritten(pacer, write, now);
          const object = sameTaints ? write.after : { ...write.after, spec: { ...write.after.spec, taints } };
          const key = write.cluster.metadata.name;
          time.write('drain', [
            { verb: 'update', kind: 'Cluster', key, part: 'object', lock: true, base: write.cluster, object },
          ]);
          return;
        }
        case 'evict':
        case 'release': {
          const key = bindingKey(write.binding);
          noteWritten(pacer, write, now);
          if (write.type === 'evict') {
            underWay.add(key);
            noteEviction(key);
          }
          const object = { ...write.binding, spec: write.after };
          time.write('drain', [
            { verb: 'update', kind: 'Binding', key, part: 'object', lock: true, base: write.binding, object },
          ]);
        }
      }
    }

    function noticed(key: string, binding: ResourceBinding | undefined): void {
      if (binding && isBeingEvicted(binding)) {
        concerned.add(key);
        if (!underWay.has(key)) noteEviction(key);
        underWay.add(key);
      }
      if (underWay.has(key)) soon(key);
      else if (binding && isThere(binding)) {
        concerned.add(key);
        queue.add(key);
        if (idle) soon(ALL);
      } else if (concerned.has(key)) {
        // It left without a task.
        underWay.add(key);
        soon(key);
      }
    }

    function clusterChanged({ before, after }: ChangeOf<'Cluster'>): void {
      const judged =
        before?.spec?.taints !== after?.spec?.taints ||
        before?.status?.conditions !== after?.status?.conditions ||
        before?.metadata !== after?.metadata;
      if (idle || judged) soon(ALL);
      if (before?.status?.conditions !== after?.status?.conditions) underWay.forEach(soon);
    }

    function changed(change: Change): void {
      if (change.kind === 'Cluster') clusterChanged(change);
      else if (change.kind === 'Binding') noticed(change.key, change.after);
      else if (change.kind === 'Work') {
        const work = (change.after ?? change.before)!;
        const binding = clusterOfWork(work) === undefined ? undefined : view.bindingOf(work);
        if (!binding || !underWay.has(bindingKey(binding))) return;
        // Karmada may end its task before the drain looks.
        noteReady(bindingKey(binding), binding, situationNow(viewOf([bindingKey(binding)])));
        soon(bindingKey(binding));
      }
    }

    const there = options.clusters.flatMap((name) => [
      ...view.bindingsOn(name),
      ...view.bindingsLeaving(name),
    ]);
    for (const binding of there) concerned.add(bindingKey(binding));
    for (const key of concerned) {
      const binding = view.get('Binding', key)!;
      // It may have left one cluster and be still on another, by an earlier drain of fewer clusters.
      if (isThere(binding)) queue.add(key);
      if (!isBeingEvicted(binding)) continue;
      underWay.add(key);
      soon(key);
    }
    time.follow(({ changes }) => changes.forEach(changed));
    looks.add(ALL, time.now());
  }

  function noteEviction(record: string): void {
    const noted = timesOf(record);
    noted.order ??= ++evictions;
    noted.evictedAt ??= stage!.time.now();
  }

  function timesOf(record: string): DrainTimes {
    let known = times.get(record);
    if (!known) times.set(record, (known = {}));
    return known;
  }

  return {
    actor,
    result() {
      const view = viewOf(concerned);
      const now = stage!.time.now();
      return {
        find(binding) {
          const key = bindingKey(binding);
          const current = stage!.time.view.get('Binding', key);
          return current && { current, times: times.get(key) ?? {} };
        },
        step: decideRound(view, options, configuration, pacer, now, 'all'),
        situation: drainSituation(view, options, configuration, pacer.situation),
        clusters: view.clusters,
      };
    },
  };
}
