import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import type { Evidence } from '../../evidence.ts';
import { dividesReplicas, placedOn } from '../../objects/placement.ts';
import { strategyOf } from '../../scheduling/strategy.ts';
import type { WorkloadOutcome } from '../../verdicts/outcome.ts';
import { roomDoubts } from '../../verdicts/roomDoubts.ts';
import { clustersToLeave } from '../decide/drainSituation.ts';
import type { DrainedWorkload } from '../decide/drainStep.ts';
import type { DrainView } from '../decide/drainView.ts';
import { evictionCheck } from '../decide/evictionCheck.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { FateWithEnd } from './drainPlan.ts';
import type { SimulatedDrain } from './simulatedDrain.ts';

/** What a drain makes of a workload, and why. */
export type WorkloadFate = FateWithEnd & {
  reason?: string | undefined;
  /** if less than that of the outcome: what the estimate rests on besides */
  dependsOn?: string[];
  evidence?: Evidence[];
};

export interface EndedDrain {
  ended: ReturnType<SimulatedDrain['result']>;
  /** epoch milliseconds */
  end: number;
  options: DrainOptions;
  configuration: Configuration;
  templateOf: DrainView['templateOf'];
}

/** A workload at the end of a drain. */
export interface DrainedTo {
  binding: ResourceBinding;
  /** as it is at the end */
  current: ResourceBinding;
  outcome: WorkloadOutcome | undefined;
  /** where the drain says it is on its way; undefined if it has nothing to do with it */
  phase: DrainedWorkload | undefined;
}

/** Refusals that are explained cluster by cluster; the rest say how many clusters each reason concerns. */
const MOST_EXPLAINED = 50;

/** Says of one workload after the other what the drain makes of it. */
export function workloadFates(drain: EndedDrain): (workload: DrainedTo) => WorkloadFate {
  let explained = 0;
  return (workload) => {
    const { current, outcome, phase } = workload;
    const after = outcome?.after ?? placedOn(current.spec);
    switch (phase?.phase) {
      case 'stays':
        return { fate: 'stays', after, reason: phase.waitingFor, evidence: phase.evidence };
      case 'skipped':
        return skippedFate(drain, phase, workload, ++explained <= MOST_EXPLAINED);
      case 'queued':
        return {
          fate: 'blocked',
          after,
          reason: phase.waitingFor ?? `its turn does not come: ${drain.ended.step.pace.reason}`,
        };
      case 'stuck':
        // Where it stands at the end, if it never comes to rest, is a matter of the moment.
        if (outcome?.outcome === 'flaps') return evictedFate(drain, outcome, workload);
        return {
          fate: 'blocked',
          after,
          reason: `evicted and held, its replacement does not get ready: ${phase.waitingFor}`,
          evidence: phase.evidence,
        };
      default:
        if (!outcome) return { fate: 'leaves', after, reason: 'the binding is deleted' };
        return evictedFate(drain, outcome, workload);
    }
  };
}

function evictedFate({ options }: EndedDrain, outcome: WorkloadOutcome, workload: DrainedTo): WorkloadFate {
  const { phase } = workload;
  const fate = fateOfOutcome(outcome, workload, options.clusters);
  // That copies on other clusters stay is what leaving means.
  if (fate.fate === 'leaves') return fate;
  return { ...fate, reason: outcome.reason ?? phase?.waitingFor, evidence: phase?.evidence ?? [] };
}

/** What an outcome is to a drain of these clusters. */
function fateOfOutcome(
  judged: WorkloadOutcome,
  { binding, current }: Pick<DrainedTo, 'binding' | 'current'>,
  drained: readonly string[],
): FateWithEnd {
  const places = [...placedOn(current.spec).map(({ name }) => name), ...judged.evicting];
  const isThere = places.some((name) => drained.includes(name));
  switch (judged.outcome) {
    case 'moves':
    case 'starts':
      return { fate: 'moves', after: judged.after };
    case 'partly-moves': {
      const joined = judged.after.some(
        ({ name }) => !binding.spec.clusters?.some((one) => one.name === name),
      );
      if (dividesReplicas(binding.spec) || joined) return { fate: 'partly-moves', after: judged.after };
      return { fate: 'leaves', after: judged.after };
    }
    case 'restarted':
      return isThere ? { fate: 'blocked', after: judged.after } : { fate: 'moves', after: judged.after };
    case 'blocked': {
      const [first, ...others] = judged.after;
      // Its old copy has gone all the same.
      return first && !isThere
        ? { fate: 'partly-moves', after: [first, ...others] }
        : { fate: 'blocked', after: judged.after };
    }
    case 'lost':
    case 'flaps':
      return { fate: judged.outcome, after: judged.after };
    case 'stays':
    case 'tolerates':
      return { fate: isThere ? 'stays' : 'leaves', after: judged.after };
  }
}

/** Why it was never evicted, as of the end. */
function skippedFate(
  { ended: { situation }, end, options, configuration, templateOf }: EndedDrain,
  phase: DrainedWorkload,
  { current, outcome }: DrainedTo,
  explain: boolean,
): WorkloadFate {
  const leave = clustersToLeave(situation, current, { templateOf });
  const after = outcome?.after ?? placedOn(current.spec);
  const known = { after, reason: phase.waitingFor, evidence: phase.evidence };
  if (options.method === 'taint' || leave.length === 0) return { ...known, fate: 'stays' };
  const check = evictionCheck(
    { binding: current, leave, situation, options, configuration, now: end },
    explain,
  );
  if (check.verdict === 'evict') return { ...known, fate: 'blocked' };
  const strategy = strategyOf(current.spec.placement);
  const byRoom = check.verdict === 'blocked' && (strategy === 'Aggregated' || strategy === 'DynamicWeight');
  return {
    fate: check.verdict,
    after,
    reason: check.reason,
    evidence: check.evidence,
    ...(byRoom ? { dependsOn: roomDoubts(configuration, situation.snapshot.clusters) } : {}),
  };
}
