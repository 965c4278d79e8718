import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import type { Evidence } from '../../evidence.ts';
import { bindingIdentity, bindingKey, workloadIdentity } from '../../objects/identities.ts';
import type { DrainOptions } from '../drainOptions.ts';
import { type DrainPacer } from './drainPacer.ts';
import type { DrainSituation } from './drainSituation.ts';
import type { CurrentPace, DrainedWorkload, DrainPhase, DrainWrite } from './drainStep.ts';
import type { DrainView } from './drainView.ts';
import type { EvictionCheck } from './evictionCheck.ts';

/** One round of a drain's decisions, as it goes on. */
export interface DrainRound {
  readonly view: DrainView;
  readonly options: DrainOptions;
  readonly configuration: Configuration;
  readonly pacer: DrainPacer;
  readonly now: number;
  readonly situation: DrainSituation;
  /** that of the clusters' health, or none while the scheduler is silent */
  pace: CurrentPace;
  readonly list: boolean;
  readonly writes: DrainWrite[];
  readonly workloads: DrainedWorkload[];
  /** what may be evicted, as far as the binding itself goes */
  readonly waiting: Candidate[];
  /** held for workloads that need them */
  readonly dependents: { binding: ResourceBinding; tasks: GracefulEvictionTask[] }[];
  /** without replicas, ready elsewhere, and held for workloads of their namespace that have not gone */
  readonly companions: { binding: ResourceBinding; keepers: ResourceBinding[] }[];
  /** the key of the binding whose turn it is, evicted now or later */
  next: string | undefined;
  /** evicted and not yet gone */
  inFlight: number;
  /** those of them that nothing in sight makes ready */
  stuck: number;
  /** keys of what is evicted, held and past its time */
  readonly stuckBindings: Set<string>;
  /** keys of the bindings that have something on the drained clusters */
  readonly present: Set<string>;
  /** epoch milliseconds */
  lastEvictionAt: number | undefined;
  lookAgainAt: number | undefined;
  /** something is still to be done or waited for */
  open: boolean;
  /** none of `waiting` has a place to go to */
  nothingGoes: boolean;
}

/** What may be evicted, and what a check has said of it. */
export interface Candidate {
  binding: ResourceBinding;
  on: TargetCluster[];
  /** its task is there, but somebody has written its clusters as they were before */
  again: boolean;
  check?: EvictionCheck;
}

/** Puts a workload on the list, as it stands. */
export function report(
  round: DrainRound,
  binding: ResourceBinding,
  phase: DrainPhase,
  waitingFor?: string,
  evidence: Evidence[] = [],
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
    to: targets.filter(({ name }) => !own.has(name)),
    evidence,
  });
}

/** Wants another look at an instant, epoch milliseconds, at the latest. */
export function lookAgain(round: DrainRound, at: number): void {
  if (round.lookAgainAt === undefined || at < round.lookAgainAt) round.lookAgainAt = at;
}
