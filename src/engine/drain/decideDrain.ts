import type { Configuration } from '../../karmada/configuration.ts';
import type { DrainOptions } from './drainOptions.ts';
import type { DrainPacer } from './drainPacer.ts';
import { drainSituation } from './drainSituation.ts';
import type { DrainStep } from './drainStep.ts';
import type { DrainView } from './drainView.ts';
import { dueCordons, isCordonUnseen, somebodyInterferes } from './dueCordons.ts';
import { evictNext, reportWaiting } from './evictNext.ts';
import type { Look } from './look.ts';
import { lookAtBinding } from './lookAtBinding.ts';

/**
 * What a drain does now. Looks alone: the writes are the caller's, who calls `noteWritten` for each that was taken, and
 * asks again when anything changes or `lookAgainAt` has come. The pacer is only told what is found under way, to
 * report it gone later.
 *
 * All clusters are cordoned before anything is evicted. Then at each look: tasks whose replacement is seen ready are
 * released, and one binding at most is evicted, if the pace allows it and the scheduler would find a place for it
 * now. A binding that was seen gone and is on a drained cluster again is not evicted a second time in the same run:
 * somebody wants it there, or it tolerates the cordon, and the two would never end.
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
  return lookAtDrain(view, options, configuration, pacer, now, 'all');
}

/** Which workloads a look is to report: all of the drain, those that the view shows, or none. */
export type Reported = 'all' | 'shown' | 'none';

/** A step, and whether it has found no place for any binding of the view although an eviction was due. */
export interface DrainLook extends DrainStep {
  nothingFits: boolean;
}

/**
 * `decideDrain` for who follows a drain binding by binding: the view may show a part of them. Evictions are in order
 * among those, and the limit of evictions in flight counts those.
 */
export function lookAtDrain(
  view: DrainView,
  options: DrainOptions,
  configuration: Configuration,
  pacer: DrainPacer,
  now: number,
  reported: Reported,
): DrainLook {
  const situation = drainSituation(view, options, configuration);
  const look: Look = {
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
    inFlight: 0,
    stuck: 0,
    present: new Set(),
    lastEvictionAt: pacer.lastEvictionAt,
    lookAgainAt: undefined,
    open: false,
    nothingFits: false,
  };
  const stopped = somebodyInterferes(look);
  if (!stopped) look.writes.push(...dueCordons(look));
  const cordonsUnderWay = look.writes.length > 0 || isCordonUnseen(look);
  for (const binding of view.bindings)
    lookAtBinding(look, binding, stopped === undefined && !cordonsUnderWay);
  if (reported === 'all') reportGone(look);
  if (!stopped && !cordonsUnderWay && options.method === 'evict') evictNext(look);
  if (look.list) for (const candidate of look.waiting) reportWaiting(look, candidate);
  return {
    writes: stopped ? [] : look.writes,
    workloads: look.workloads,
    pace: look.pace,
    ...(look.lookAgainAt === undefined ? {} : { lookAgainAt: look.lookAgainAt }),
    finished: stopped !== undefined || (!cordonsUnderWay && look.writes.length === 0 && !look.open),
    ...(stopped ? { stopped } : {}),
    nothingFits: look.nothingFits,
  };
}

/** What was under way and is nowhere to be seen any more. */
function reportGone(look: Look): void {
  for (const [key, { binding, workload, from }] of look.pacer.evicted)
    if (!look.present.has(key))
      look.workloads.push({ binding, workload, phase: 'gone', from, to: [], evidence: [] });
}
