import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { DrainPacer } from './drainPacer.ts';
import { drainSituation } from './drainSituation.ts';
import type { DrainStep } from './drainStep.ts';
import type { DrainView } from './drainView.ts';
import { dueCordons, isCordonUnseen, somebodyInterferes } from './dueCordons.ts';
import { evictNext, reportWaiting } from './evictNext.ts';
import { decideCompanion } from './companions.ts';
import { decideDependent } from './dependentCopies.ts';
import { lookAgain, type DrainRound } from './drainRound.ts';
import { pausedBySilence, SCHEDULER_SILENCE, silentSince } from './silentScheduler.ts';
import { decideBinding } from './decideBinding.ts';

/**
 * What a drain does now. It only looks: the caller makes the writes, calls `noteWritten` for each that the server
 * accepted, and asks again when anything changes or `lookAgainAt` has come. The pacer only notes what is under way, to
 * report it gone later.
 *
 * It cordons all clusters before it evicts anything. Then each round releases the tasks whose replacement is seen
 * ready, and evicts at most one binding, if the pace allows it and the scheduler would find a place for it now. A
 * binding that was gone and is on a drained cluster again is not evicted a second time in the same run: somebody wants
 * it there, or it tolerates the cordon, and that would never end.
 *
 * @param now epoch milliseconds of the server's clock
 */
export function decideDrain(
  view: DrainView,
  options: DrainOptions,
  configuration: Configuration,
  pacer: DrainPacer,
  now: number,
): DrainStep {
  return decideRound(view, options, configuration, pacer, now, 'all');
}

/** Which workloads a round reports: all of the drain, those in the view, or none. */
export type Reported = 'all' | 'shown' | 'none';

/** A step, and what else a caller that follows a drain binding by binding has to know. */
export interface DecidedRound extends DrainStep {
  /** no binding of the view may be evicted, whatever the pace */
  nothingGoes: boolean;
  /** how many bindings of the view count for the limit of evictions in flight */
  inFlight: number;
  /** epoch milliseconds at which the pace lets the next binding go; absent: none goes by time alone */
  nextEvictionAt?: number;
}

/**
 * `decideDrain` for a caller that follows a drain binding by binding: the view may have only some of them. The order of
 * evictions, and the limit of evictions in flight, apply to those.
 */
export function decideRound(
  view: DrainView,
  options: DrainOptions,
  configuration: Configuration,
  pacer: DrainPacer,
  now: number,
  reported: Reported,
): DecidedRound {
  const situation = (pacer.situation = drainSituation(view, options, configuration, pacer.situation));
  const round: DrainRound = {
    view,
    options,
    configuration,
    pacer,
    now,
    situation,
    pace: situation.pace,
    list: reported !== 'none',
    writes: [],
    workloads: [],
    waiting: [],
    dependents: [],
    companions: [],
    stuckBindings: new Set(),
    next: undefined,
    inFlight: 0,
    present: new Set(),
    lastEvictionAt: pacer.lastEvictionAt,
    lookAgainAt: undefined,
    nextEvictionAt: undefined,
    open: false,
    nothingGoes: false,
  };
  const stopped = somebodyInterferes(round);
  if (!stopped) round.writes.push(...dueCordons(round));
  const cordonsUnderWay = round.writes.length > 0 || isCordonUnseen(round);
  const mayWrite = stopped === undefined && !cordonsUnderWay;
  for (const binding of view.bindings) decideBinding(round, binding, mayWrite);
  pauseWhileSilent(round);
  if (mayWrite && options.method === 'evict') evictNext(round);
  const next = reported === 'all' ? new Set(round.next === undefined ? [] : [round.next]) : undefined;
  for (const { binding, tasks } of round.dependents) decideDependent(round, binding, tasks, next, mayWrite);
  for (const { binding, keepers } of round.companions) decideCompanion(round, binding, keepers);
  if (reported === 'all') reportGone(round);
  if (round.list) for (const candidate of round.waiting) reportWaiting(round, candidate);
  return {
    writes: round.writes,
    workloads: round.workloads,
    pace: round.pace,
    ...(round.lookAgainAt === undefined ? {} : { lookAgainAt: round.lookAgainAt }),
    finished: stopped !== undefined || (!cordonsUnderWay && round.writes.length === 0 && !round.open),
    ...(stopped ? { stopped } : {}),
    nothingGoes: round.nothingGoes,
    inFlight: round.inFlight,
    ...(round.nextEvictionAt === undefined ? {} : { nextEvictionAt: round.nextEvictionAt }),
  };
}

/** Stops evictions while the scheduler does not answer: nobody would place the workloads. */
function pauseWhileSilent(round: DrainRound): void {
  const since = silentSince(round.pacer, round.present);
  if (since === undefined) return;
  if (round.now < since + SCHEDULER_SILENCE) return lookAgain(round, since + SCHEDULER_SILENCE);
  round.pace = pausedBySilence(round.pace, since, round.now);
}

/** Reports bindings that were under way and have left the drained clusters. */
function reportGone(round: DrainRound): void {
  for (const [key, { binding, workload, from }] of round.pacer.evicted)
    if (!round.present.has(key))
      round.workloads.push({ binding, workload, phase: 'gone', from, to: [], evidence: [] });
}
