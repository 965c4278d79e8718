import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { dividesReplicas, placedOn } from '../../../karmada/objects/placement.ts';
import { strategyOf } from '../../../karmada/scheduling/strategy.ts';
import type { WorkloadOutcome } from '../../../simulator/verdicts/outcome.ts';
import { roomDoubts } from '../../../simulator/verdicts/doubt.ts';
import { clustersToLeave } from '../decide/drainSituation.ts';
import type { DrainedWorkload } from '../decide/drainStep.ts';
import type { templatesOf } from '../decide/drainView.ts';
import { evictionCheck } from '../decide/evictionCheck.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { FateWithEnd } from './drainPlan.ts';
import type { SimulatedDrain } from './simulatedDrain.ts';

/** What becomes of a workload by a drain, and why. */
export type WorkloadFate = FateWithEnd & {
  reason?: string | undefined;
  /** what the estimate rests on besides the outcome, if it is less certain than that */
  dependsOn?: string[];
  evidence?: Evidence[];
};

export interface EndedDrain {
  ended: ReturnType<SimulatedDrain['result']>;
  /** epoch milliseconds */
  end: number;
  options: DrainOptions;
  configuration: Configuration;
  templateOf: ReturnType<typeof templatesOf>;
}

/** A workload at the end of a drain. */
export interface DrainedTo {
  binding: ResourceBinding;
  /** the binding at the end */
  current: ResourceBinding;
  outcome: WorkloadOutcome | undefined;
  /** the drain's last report of it; undefined if the drain has nothing to do with it */
  phase: DrainedWorkload | undefined;
}

/** How many refusals are explained cluster by cluster; the others only count clusters by reason. */
const MOST_EXPLAINED = 50;

/** A function that says what becomes of a workload by the drain. */
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
        // A workload that never comes to rest is somewhere at the end only by chance.
        if (outcome?.outcome === 'flaps') return evictedFate(drain, outcome, workload);
        return {
          fate: 'blocked',
          after,
          reason: `evicted and held, its replacement does not become ready: ${phase.waitingFor}`,
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
  // A workload that leaves keeps its copies on other clusters.
  if (fate.fate === 'leaves') return fate;
  return { ...fate, reason: outcome.reason ?? phase?.waitingFor, evidence: phase?.evidence ?? [] };
}

/** What an outcome means for a drain of these clusters. */
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
    case 'deleted':
      return { fate: 'leaves', after: judged.after };
    case 'lost':
    case 'flaps':
      return { fate: judged.outcome, after: judged.after };
    case 'stays':
    case 'tolerates':
      return { fate: isThere ? 'stays' : 'leaves', after: judged.after };
  }
}

/** Why it was never evicted, by the end of the drain. */
function skippedFate(
  { ended: { situation }, end, options, configuration, templateOf }: EndedDrain,
  phase: DrainedWorkload,
  { current, outcome }: DrainedTo,
  explain: boolean,
): WorkloadFate {
  const leave = clustersToLeave(situation, current, templateOf(current));
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
