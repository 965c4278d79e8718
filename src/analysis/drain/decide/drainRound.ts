import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { isScheduled } from '../../../karmada/eviction/replacement.ts';
import { bindingIdentity, bindingKey, workloadIdentity } from '../../../karmada/objects/identities.ts';
import { evictingFrom } from '../../../karmada/objects/placement.ts';
import type { DrainOptions } from '../drainOptions.ts';
import { type DrainPacer } from './drainPacer.ts';
import type { DrainSituation } from './drainSituation.ts';
import type { CurrentPace, DrainedWorkload, DrainPhase, DrainWrite } from './drainStep.ts';
import type { DrainView } from './drainView.ts';
import type { EvictionCheck } from './evictionCheck.ts';

/** One round of a drain's decisions, in progress. */
export interface DrainRound {
  readonly view: DrainView;
  readonly options: DrainOptions;
  readonly configuration: Configuration;
  readonly pacer: DrainPacer;
  readonly now: number;
  readonly situation: DrainSituation;
  /** the pace by the clusters' health; paused while the scheduler is silent */
  pace: CurrentPace;
  readonly list: boolean;
  readonly writes: DrainWrite[];
  readonly workloads: DrainedWorkload[];
  /** bindings that may be evicted if the pace and the scheduler allow it */
  readonly waiting: Candidate[];
  /** held for workloads that need them */
  readonly dependents: { binding: ResourceBinding; tasks: GracefulEvictionTask[] }[];
  /** objects without replicas, ready elsewhere, and held for workloads of their namespace that have not gone */
  readonly companions: { binding: ResourceBinding; keepers: ResourceBinding[] }[];
  /** the key of the binding whose turn it is, evicted now or later */
  next: string | undefined;
  /** evicted and not yet gone, without those that are only kept for others */
  inFlight: number;
  /** keys of bindings that are evicted, held and past their deadline */
  readonly stuckBindings: Set<string>;
  /** keys of the bindings that have something on the drained clusters */
  readonly present: Set<string>;
  /** epoch milliseconds */
  lastEvictionAt: number | undefined;
  lookAgainAt: number | undefined;
  /** when the pace lets the next binding go; undefined while none may go by time alone. Epoch milliseconds */
  nextEvictionAt: number | undefined;
  /** there is something left to do or to wait for */
  open: boolean;
  /** none of `waiting` has a place to go to */
  nothingGoes: boolean;
}

/** A binding that may be evicted, and the result of its check. */
export interface Candidate {
  binding: ResourceBinding;
  on: TargetCluster[];
  /** it has a task, but somebody has restored its earlier spec.clusters */
  again: boolean;
  check?: EvictionCheck;
}

/** Adds the state of a workload to the report. */
export function report(
  round: DrainRound,
  binding: ResourceBinding,
  phase: DrainPhase,
  waitingFor?: string,
  evidence: Evidence[] = [],
  deadline?: number,
): void {
  if (!round.list) return;
  const { own } = round.situation;
  const targets = binding.spec.clusters ?? [];
  const known = round.pacer.evicted.get(bindingKey(binding));
  const { apiVersion: _version, ...workload } = workloadIdentity(binding);
  round.workloads.push({
    binding: bindingIdentity(binding),
    workload,
    phase,
    ...(waitingFor ? { waitingFor } : {}),
    from: known?.from ?? targets.filter(({ name }) => own.has(name)),
    to: awaitsScheduler(binding, phase) ? [] : targets.filter(({ name }) => !own.has(name)),
    ...(deadline === undefined ? {} : { deadline }),
    evidence,
  });
}

/** Whether Karmada evicts it, and the scheduler has not placed it since: what it still has elsewhere replaces nothing. */
function awaitsScheduler(binding: ResourceBinding, phase: DrainPhase): boolean {
  return phase === 'leaving' && evictingFrom(binding.spec).length > 0 && !isScheduled(binding);
}

/** Asks for another look at an instant (epoch milliseconds) at the latest. */
export function lookAgain(round: DrainRound, at: number): void {
  if (round.lookAgainAt === undefined || at < round.lookAgainAt) round.lookAgainAt = at;
}
