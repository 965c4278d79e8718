import { drainSituation } from './drainSituation.ts';
import type { DrainMemory, SchedulerResponse, OpenRun } from './drainMemory.ts';
import type { DrainStep } from './drainStep.ts';
import { evictNext, reportWaiting } from './evictNext.ts';
import { reportKeptDependent, decideDependent } from './dependentCopies.ts';
import {
  knownLeavingBinding,
  requeue,
  report,
  type Drain,
  type RoundInput,
  type DrainRound,
  type RoundGoal,
} from './drainRound.ts';
import { pausedByScheduler, SCHEDULER_TIMEOUT, unresponsiveSince } from './silentScheduler.ts';
import { decideBinding } from './decideBinding.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import { cordoned, drainMarkOf, drainTainted, hasDrainTaint, isCordoned, isMarkOf } from '../cordon.ts';
import { markFor } from '../drainsUnderWay.ts';
import { bindingsConcernedBy } from './bindingState.ts';

/** A step of a drain, with the data to follow it binding by binding. */
export type DecidedRound = DrainStep &
  Pick<
    DrainRound,
    'nothingGoes' | 'inFlight' | 'lastEvictionAt' | 'nextEvictionAt' | 'prepares' | 'evicts' | 'leavers'
  >;

/**
 * The next step of a drain, and the state of each workload if the round sees all bindings. It writes nothing; the
 * result's `course` and leavers are the drain's memory after the writes.
 *
 * It cordons all clusters before any eviction. Then each round releases the tasks whose replacement is ready, and
 * evicts at most one binding, if the pace allows it and the scheduler would find a place for it now. A binding that had
 * left and is on a drained cluster again is not evicted twice in one run: it was put back or tolerates the cordon, so
 * the eviction would repeat endlessly.
 */
export function decideRound(drain: Drain, input: RoundInput, aim: RoundGoal): DecidedRound {
  const round = begunRound(drain, input, aim);
  const { options, remembered, writes, workloads, leavers } = round;
  const stopped = interference(round);
  if (!stopped) cordon(round);
  const cordons = (round.prepares = writes.length > 0);
  round.mayWrite = stopped === undefined && !cordons;
  for (const binding of input.bindings) decideBinding(round, binding);
  pauseWhileSilent(round, remembered ? unresponsiveSince(heard(round, remembered)) : aim.silentSince);
  if (round.mayWrite && aim.evicts && options.method === 'evict') evictNext(round);
  for (const { binding, tasks } of round.dependents) decideDependent(round, binding, tasks);
  for (const { binding, keepers } of round.companions) reportKeptDependent(round, binding, keepers);
  if (remembered) {
    reportGone(round, remembered);
    for (const candidate of round.waiting) reportWaiting(round, candidate);
    for (const { binding, because } of round.leftOut) report(round, binding, 'skipped', because);
  }
  const { pace, requeueAt, nothingGoes, inFlight, lastEvictionAt, nextEvictionAt, prepares, evicts } = round;
  return {
    writes,
    workloads,
    pace,
    requeueAt,
    stopped,
    leavers,
    nothingGoes,
    inFlight,
    lastEvictionAt,
    nextEvictionAt,
    prepares,
    evicts,
    finished: stopped !== undefined || (!cordons && writes.length === 0 && !round.open),
  };
}

/** A round before any decision. */
function begunRound(drain: Drain, input: RoundInput, { remembered }: RoundGoal): DrainRound {
  const { options, configuration, cached } = drain;
  const situation = (cached.situation = drainSituation(input.view, options, configuration, cached.situation));
  return {
    ...drain,
    ...input,
    situation,
    remembered,
    pace: situation.pace,
    lastEvictionAt: input.course.lastEvictionAt,
    leavers: new Map(),
    writes: [],
    workloads: [],
    waiting: [],
    dependents: [],
    companions: [],
    leftOut: [],
    stuckBindings: new Set(),
    present: new Set(),
    inFlight: 0,
    mayWrite: false,
    prepares: false,
    open: false,
    nothingGoes: false,
  };
}

/** Stops evictions while the scheduler does not respond: evicted workloads would not be placed. */
function pauseWhileSilent(round: DrainRound, since: number | undefined): void {
  if (since === undefined) return;
  // No binding waits for an eviction, so the pace does not matter.
  if (!round.remembered && round.waiting.length === 0) return;
  if (round.now < since + SCHEDULER_TIMEOUT) return requeue(round, since + SCHEDULER_TIMEOUT);
  round.pace = pausedByScheduler(round.pace, since, round.now);
}

/** The scheduler's responses besides those for bindings in progress. */
export function responsesIn({ answered }: Pick<OpenRun, 'answered'>): SchedulerResponse {
  return answered === undefined ? {} : { answered };
}

/** Records the scheduler's responses; a deleted binding waits for no response. */
function* heard(
  round: DrainRound,
  remembered: ReadonlyMap<string, DrainMemory>,
): Iterable<SchedulerResponse> {
  yield responsesIn(round.course);
  for (const key of round.present) yield knownLeavingBinding(round, key) ?? {};
  for (const { leaver } of remembered.values())
    if (leaver?.answered !== undefined) yield { answered: leaver.answered };
}

/** Reports bindings that were in progress and have left the drained clusters. */
function reportGone(round: DrainRound, remembered: ReadonlyMap<string, DrainMemory>): void {
  for (const [key, { leaver }] of remembered) {
    if (!leaver || round.present.has(key)) continue;
    const { binding, workload, from } = leaver;
    round.workloads.push({ binding, workload, phase: 'gone', from, to: [], evidence: [] });
  }
}

/** Why the drain must stop: its clusters were changed. */
function interference({ situation, options, course }: DrainRound): string | undefined {
  for (const name of options.clusters) {
    const cluster = situation.clusters.get(name);
    if (!cluster) return `Cluster ${name} was deleted`;
    if (cluster.metadata.deletionTimestamp) return `Cluster ${name} is being deleted`;
    const mark = isCordoned(cluster) ? drainMarkOf(cluster) : undefined;
    if (isMarkOf(mark, options)) course.cordoned.add(name);
    // Another drain of the same clusters has ended and left them cordoned: this one will end shortly.
    else if (isCordoned(cluster) && !mark) course.cordoned.delete(name);
    else if (!mark && course.cordoned.has(name)) return `a user has uncordoned Cluster ${name}`;
    if (options.method !== 'taint') continue;
    if (hasDrainTaint(cluster)) course.tainted.add(name);
    else if (course.tainted.has(name)) return `a user has removed the drain's taint from Cluster ${name}`;
  }
  return undefined;
}

/**
 * Plans the due cordons and, for a drain by taint, then the taints. Overwrites a mark with other options: if that mark
 * has replaced this run's own, another drain competes.
 */
function cordon(round: DrainRound): void {
  const { view, situation, options, course, runner, now } = round;
  const clusters = options.clusters.flatMap((name) => situation.clusters.get(name) ?? []);
  const isDue = (base: Cluster, object: Cluster) => {
    if (object !== base)
      round.writes.push({
        verb: 'update',
        kind: 'Cluster',
        key: base.metadata.name,
        part: 'object',
        lock: true,
        base,
        object,
      });
    return object !== base;
  };
  for (const cluster of clusters) {
    const { name } = cluster.metadata;
    const known = drainMarkOf(cluster);
    const isOurs = runner === undefined || known?.by === runner || course.named.has(name);
    if (isCordoned(cluster) && isMarkOf(known, options) && isOurs) continue;
    const bindings = bindingsConcernedBy(view, situation.own);
    if (!isDue(cluster, cordoned(cluster, markFor(cluster, options, { bindings, now }, runner)))) continue;
    course.cordoned.add(name);
    course.named.add(name);
  }
  if (round.writes.length > 0 || options.method !== 'taint') return;
  for (const cluster of clusters)
    if (isDue(cluster, drainTainted(cluster))) course.tainted.add(cluster.metadata.name);
}
