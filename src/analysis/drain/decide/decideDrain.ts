import { drainSituation } from './drainSituation.ts';
import type { DrainMemory, Heard, Leaver, OpenCourse } from './drainMemory.ts';
import type { DrainStep } from './drainStep.ts';
import { cordon, somebodyInterferes } from './dueCordons.ts';
import { evictNext, reportWaiting } from './evictNext.ts';
import { decideCompanion } from './companions.ts';
import { decideDependent } from './dependentCopies.ts';
import { knownLeaver, lookAgain, report, type Drain, type DrainLook, type DrainRound } from './drainRound.ts';
import { pausedBySilence, SCHEDULER_SILENCE, silentSince } from './silentScheduler.ts';
import { decideBinding } from './decideBinding.ts';

/** What a round is for. */
export interface RoundAim {
  /** whether bindings may be evicted; else the round only lets go of what has been evicted */
  evicts: boolean;
  /** what the drain remembers, if all of it is to be reported: then the look sees all bindings */
  remembered?: ReadonlyMap<string, DrainMemory>;
  /** since when the scheduler has been silent, for a look that does not see all that waits for its answer */
  silentSince?: number | undefined;
}

/** A step, and what else a caller that follows a drain binding by binding has to know. */
export interface DecidedRound extends DrainStep {
  /** no binding of the look may be evicted, whatever the pace */
  nothingGoes: boolean;
  /** how many bindings of the look count for the limit of evictions in flight */
  inFlight: number;
  /** epoch milliseconds of the newest eviction, as far as the course and the tasks of the look tell */
  lastEvictionAt?: number;
  /** epoch milliseconds at which the pace lets the next binding go; absent: none goes by time alone */
  nextEvictionAt?: number;
  /** some of the writes must come before an eviction */
  prepares: boolean;
  /** the key of the binding that one of the writes evicts */
  evicts?: string;
  /** what the drain remembers of bindings if the writes are made, by key */
  leavers: ReadonlyMap<string, Leaver>;
}

/**
 * What a drain does now, and how each workload stands, if the look sees all bindings. It only looks; `course` and the
 * leavers of the result are what the drain remembers once the writes are made.
 *
 * It cordons all clusters before it evicts anything. Then each round releases the tasks whose replacement is seen
 * ready, and evicts at most one binding, if the pace allows it and the scheduler would find a place for it now. A
 * binding that was gone and is on a drained cluster again is not evicted a second time in the same run: somebody wants
 * it there, or it tolerates the cordon, and that would never end.
 */
export function decideRound(drain: Drain, look: DrainLook, aim: RoundAim): DecidedRound {
  const { options, configuration, cached } = drain;
  const { remembered } = aim;
  const situation = (cached.situation = drainSituation(look.view, options, configuration, cached.situation));
  const round: DrainRound = {
    ...drain,
    ...look,
    situation,
    leavers: new Map(),
    pace: situation.pace,
    list: remembered !== undefined,
    writes: [],
    prepares: false,
    workloads: [],
    waiting: [],
    dependents: [],
    companions: [],
    leftOut: [],
    stuckBindings: new Set(),
    next: undefined,
    evicts: undefined,
    inFlight: 0,
    present: new Set(),
    lastEvictionAt: look.course.lastEvictionAt,
    lookAgainAt: undefined,
    nextEvictionAt: undefined,
    open: false,
    nothingGoes: false,
  };
  const stopped = somebodyInterferes(round);
  if (!stopped) cordon(round);
  round.prepares = round.writes.length > 0;
  const cordons = round.prepares;
  const mayWrite = stopped === undefined && !cordons;
  for (const binding of look.bindings) decideBinding(round, binding, mayWrite);
  pauseWhileSilent(round, remembered ? silentSince(heard(round, remembered)) : aim.silentSince);
  if (mayWrite && aim.evicts && options.method === 'evict') evictNext(round);
  const next = remembered && new Set(round.next === undefined ? [] : [round.next]);
  for (const { binding, tasks } of round.dependents) decideDependent(round, binding, tasks, next, mayWrite);
  for (const { binding, keepers } of round.companions) decideCompanion(round, binding, keepers);
  if (remembered) {
    reportGone(round, remembered);
    for (const candidate of round.waiting) reportWaiting(round, candidate);
    for (const { binding, because } of round.leftOut) report(round, binding, 'skipped', because);
  }
  return {
    writes: round.writes,
    workloads: round.workloads,
    pace: round.pace,
    ...(round.lookAgainAt === undefined ? {} : { lookAgainAt: round.lookAgainAt }),
    finished: stopped !== undefined || (!cordons && round.writes.length === 0 && !round.open),
    ...(stopped ? { stopped } : {}),
    nothingGoes: round.nothingGoes,
    inFlight: round.inFlight,
    ...(round.lastEvictionAt === undefined ? {} : { lastEvictionAt: round.lastEvictionAt }),
    ...(round.nextEvictionAt === undefined ? {} : { nextEvictionAt: round.nextEvictionAt }),
    prepares: round.prepares,
    ...(round.evicts === undefined ? {} : { evicts: round.evicts }),
    leavers: round.leavers,
  };
}

/** Stops evictions while the scheduler does not answer: nobody would place the workloads. */
function pauseWhileSilent(round: DrainRound, since: number | undefined): void {
  if (since === undefined) return;
  // nobody waits for the pace
  if (!round.list && round.waiting.length === 0) return;
  if (round.now < since + SCHEDULER_SILENCE) return lookAgain(round, since + SCHEDULER_SILENCE);
  round.pace = pausedBySilence(round.pace, since, round.now);
}

/** What is known of the scheduler's answers besides those of the bindings under way. */
export function heardIn({ answered }: Pick<OpenCourse, 'answered'>): Heard {
  return answered === undefined ? {} : { answered };
}

/** What was heard of the scheduler; a binding that is gone waits for nothing. */
function* heard(round: DrainRound, remembered: ReadonlyMap<string, DrainMemory>): Iterable<Heard> {
  yield heardIn(round.course);
  for (const key of round.present) yield knownLeaver(round, key) ?? {};
  for (const { leaver } of remembered.values())
    if (leaver?.answered !== undefined) yield { answered: leaver.answered };
}

/** Reports bindings that were under way and have left the drained clusters. */
function reportGone(round: DrainRound, remembered: ReadonlyMap<string, DrainMemory>): void {
  for (const [key, { leaver }] of remembered) {
    if (!leaver || round.present.has(key)) continue;
    const { binding, workload, from } = leaver;
    round.workloads.push({ binding, workload, phase: 'gone', from, to: [], evidence: [] });
  }
}
