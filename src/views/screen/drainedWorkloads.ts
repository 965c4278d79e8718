import type { DrainPhase, DrainedWorkload } from '../../analysis/drain/decide/drainStep.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, asStrong, asWarning } from '../../presentation/words.ts';
import { PHASES, type PhaseTimes } from '../drain/phases.ts';
import { duration } from '../words/duration.ts';
import { evidenceWords } from '../words/evidence.ts';
import { objectText, placementText, workloadName } from '../words/names.ts';
import { barLegend, deadlineWords, timeLeftWords, UNVERIFIED } from './timeWords.ts';
import { type ScreenList, type TimeContext, workloadColumn } from './screenList.ts';

/** The input for lines about a drain's workloads. */
export interface DrainContext extends TimeContext {
  times: PhaseTimes;
  /** the flag graceful-eviction-timeout is an unverified default */
  timeoutAssumed?: boolean;
}

/** Workloads of a drain: the target, start, deadline and pending condition of each. */
export const drainedWorkloads: ScreenList<DrainedWorkload, DrainContext> = {
  one: 'workload',
  key: ({ binding }) => objectKey(binding),
  text: (one) =>
    [
      workloadName(one.workload),
      one.phase,
      placementText(one.from),
      placementText(one.to),
      one.waitingFor,
    ].join(' '),
  columns: [
    workloadColumn(({ workload }) => workload),
    { name: 'PHASE', words: ({ phase }) => phaseWords(phase), order: ({ phase }) => PHASES.indexOf(phase) },
    {
      name: 'FOR',
      words: (one, context) => duration(context.now - sinceOf(one, context)),
      order: (one, context) => sinceOf(one, context),
      leaves: 4,
    },
    {
      name: 'FROM',
      words: ({ from }) => placementText(from),
      order: ({ from }) => placementText(from),
      least: 10,
      leaves: 5,
    },
    {
      name: 'TO',
      words: ({ to }) => placementText(to),
      order: ({ to }) => placementText(to),
      least: 10,
      leaves: 2,
    },
    {
      name: 'DEADLINE',
      words: (one, context) => (one.deadline === undefined ? '' : untilWords(one, context)),
      short: (one, context) =>
        one.deadline === undefined ? '' : [timeLeftWords(one.deadline, context.now), doubtMark(one, context)],
      legend: barLegend,
      order: ({ deadline }) => deadline ?? Infinity,
      leaves: 3,
    },
    {
      name: 'WAITS FOR',
      words: ({ waitingFor, phase }) => waitingFor ?? (phase === 'queued' ? asFaint('its turn') : ''),
      order: ({ waitingFor }) => waitingFor ?? '',
      least: 12,
      leaves: 1,
    },
  ],
};

/** Phases of workloads that are moving, or that are stuck. */
const ON_THE_WAY: ReadonlySet<DrainPhase> = new Set(['scheduling', 'starting', 'ready', 'leaving', 'stuck']);
const FAILED: ReadonlySet<DrainPhase> = new Set(['stuck', 'skipped', 'stays']);

/** Those that the drain waits for: stuck ones first, then the longest. */
export function inFlightFirst(
  workloads: readonly DrainedWorkload[],
  context: DrainContext,
): DrainedWorkload[] {
  const rank = ({ phase }: DrainedWorkload) => (phase === 'stuck' ? 0 : 1);
  return workloads
    .filter(({ phase }) => ON_THE_WAY.has(phase))
    .sort((a, b) => rank(a) - rank(b) || sinceOf(a, context) - sinceOf(b, context));
}

/** Those that will not leave without a change: stuck ones first, then skipped ones. */
export function notLeaving(workloads: readonly DrainedWorkload[]): DrainedWorkload[] {
  const order = [...FAILED];
  return workloads
    .filter(({ phase }) => FAILED.has(phase))
    .sort((a, b) => order.indexOf(a.phase) - order.indexOf(b.phase));
}

/** Everything known about a workload of a drain. */
export function drainedWorkloadBlocks(one: DrainedWorkload, context: DrainContext): Block[] {
  const { phase, from, to, waitingFor, evidence, workload, binding } = one;
  return [
    { type: 'heading', parts: [asStrong(objectText(workload)), objectText(binding)] },
    {
      type: 'keyValues',
      entries: [
        ['phase', [phaseWords(phase), ` for ${duration(context.now - sinceOf(one, context))}`]],
        ['from', placementText(from)],
        ['to', to.length === 0 ? asFaint('nowhere yet') : placementText(to)],
        ['deadline', untilWords(one, context)],
        ...(waitingFor === undefined ? [] : [[WHY[phase] ?? 'waits for', waitingFor] as const]),
        ...evidence.map(
          (fact, index) => [index === 0 ? 'evidence' : '', evidenceWords(fact, binding)] as const,
        ),
      ],
    },
  ];
}

const WHY: Partial<Record<DrainPhase, string>> = { skipped: 'because', stays: 'because' };

function sinceOf({ binding }: DrainedWorkload, { times, now }: DrainContext): number {
  return Math.min(now, times.get(objectKey(binding))?.since ?? now);
}

function untilWords(one: DrainedWorkload, context: DrainContext): Words {
  const { binding, deadline, phase } = one;
  if (deadline === undefined) return asFaint('none');
  const from = context.times.get(objectKey(binding))?.evictedAt ?? context.now;
  return [deadlineWords(from, deadline, phase === 'stuck', context), doubtMark(one, context)];
}

/** Follows a deadline that depends on an unverified flag. */
function doubtMark({ timedByFlag }: DrainedWorkload, { timeoutAssumed }: DrainContext): Words {
  return timedByFlag && timeoutAssumed ? asWarning(UNVERIFIED) : '';
}

function phaseWords(phase: DrainPhase): Words {
  if (phase === 'stuck') return asBad(phase);
  if (phase === 'gone') return asGood(phase);
  return phase === 'skipped' ? asWarning(phase) : phase;
}
