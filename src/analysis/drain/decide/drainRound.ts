import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { ClusterSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { isScheduled } from '../../../karmada/eviction/replacement.ts';
import { bindingIdentity, bindingKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { evictingFrom } from '../../../karmada/objects/placement.ts';
import type { DrainOptions } from '../drainOptions.ts';
import {
  leavingBindingOf,
  type DrainMemory,
  type LeavingBinding,
  type OpenRun,
  type ReadMemory,
} from './drainMemory.ts';
import { isTimedByFlag } from '../../../karmada/eviction/evictionRule.ts';
import type { DrainSituation, KnownSituation } from './drainSituation.ts';
import type { CurrentPace, DrainedWorkload, DrainPhase, DrainWrite } from './drainStep.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import { templateIn, type Template } from './selects.ts';
import type { EvictionCheck } from './evictionCheck.ts';

/** A check of a binding; valid until the binding or a deciding cluster field changes. */
interface KnownCheck {
  snapshot: ClusterSnapshot;
  check: EvictionCheck;
}

/**
 * A binding's place in a plan: planned, not planned, or changed so that the plan no longer applies; `changed` says how,
 * in words.
 */
export type PlanVerdict = 'planned' | 'unplanned' | { changed: string };

/** A drain, with its cached results. */
export interface Drain {
  readonly options: DrainOptions;
  readonly configuration: Configuration;
  /** who runs it, for the marks; absent: marks without a name */
  readonly runner?: string | undefined;
  /** the verdict of an executed plan on a binding that is not evicted yet; absent: no plan */
  readonly plan?: ((binding: ResourceBinding) => PlanVerdict) | undefined;
  /** the resource template of a binding that the view lacks */
  readonly templateOf?: ((binding: ResourceBinding) => Template | undefined) | undefined;
  /** caches, which can be lost without harm */
  readonly cached: { situation?: KnownSituation; readonly checks: WeakMap<ResourceBinding, KnownCheck> };
}

/** The part of a control plane that a drain reads; every controller's view has it. */
type DrainView = Pick<
  View,
  'get' | 'bindingsOn' | 'bindingsLeaving' | 'worksOf' | 'attachedTo' | 'fleet' | 'hooks'
>;

/** The input of a drain's round. */
export interface RoundInput {
  readonly view: DrainView;
  /** the bindings that it decides on */
  readonly bindings: Iterable<ResourceBinding>;
  readonly recall: ReadMemory;
  readonly course: OpenRun;
  /** epoch milliseconds */
  readonly now: number;
}

/** The scope of a round. */
export interface RoundGoal {
  /** whether it may evict bindings; otherwise it only releases evicted copies */
  evicts: boolean;
  /** the drain's memory, if the round is to report everything: it then sees all bindings */
  remembered?: ReadonlyMap<string, DrainMemory> | undefined;
  /** since when the scheduler has been silent, for a round that does not see every binding that waits for it */
  silentSince?: number | undefined;
}

/** One round of a drain's decisions, in progress. */
export interface DrainRound extends RoundInput, Drain {
  readonly situation: DrainSituation;
  readonly remembered: RoundGoal['remembered'];
  /** what this round has learned about bindings, by key */
  readonly leavers: Map<string, LeavingBinding>;
  /** the pace by the clusters' health; paused while the scheduler is silent */
  pace: CurrentPace;
  /** nothing interferes, and no cordon or taint has to be written first */
  mayWrite: boolean;
  readonly writes: DrainWrite[];
  /** some of the writes must precede an eviction */
  prepares: boolean;
  readonly workloads: DrainedWorkload[];
  /** bindings that may be evicted if the pace and the scheduler allow it */
  readonly waiting: Candidate[];
  /** dependents held for the workloads that need them */
  readonly dependents: { binding: ResourceBinding; tasks: GracefulEvictionTask[] }[];
  /** objects without replicas, ready elsewhere, and held for workloads of their namespace that have not left */
  readonly companions: { binding: ResourceBinding; keepers: readonly ResourceBinding[] }[];
  /** bindings that the plan does not evict as they are now, and why */
  readonly leftOut: { binding: ResourceBinding; because: string }[];
  /** the key of the binding that is evicted next, now or later */
  next?: string;
  /** the same key, if one of the writes evicts it now */
  evicts?: string;
  /** how many bindings are evicted and not gone, except those held only for others */
  inFlight: number;
  /** keys of bindings that are evicted, held and past their deadline */
  readonly stuckBindings: Set<string>;
  /** keys of the bindings that still have a copy on the drained clusters */
  readonly present: Set<string>;
  /** epoch milliseconds of the newest eviction, by the course and the tasks in this round */
  lastEvictionAt: number | undefined;
  /** epoch milliseconds of the next round if nothing changes; absent: only on changes */
  requeueAt?: number;
  /** epoch milliseconds when the pace allows the next eviction; absent: none by time */
  nextEvictionAt?: number;
  /** the drain is not finished */
  open: boolean;
  /** no binding in `waiting` may be evicted, at any pace */
  nothingGoes: boolean;
  /** the workloads under eviction, by namespace, computed on demand */
  leavingIn?: ReadonlyMap<string, readonly ResourceBinding[]>;
}

/** A binding that may be evicted, and the result of its check. */
export interface Candidate {
  binding: ResourceBinding;
  on: TargetCluster[];
  /** it has a task, but another client has restored its earlier spec.clusters */
  again: boolean;
  check?: EvictionCheck;
}

/** Plans a write of the spec of a binding; it is refused if the binding has changed. */
export function writeSpec(round: DrainRound, base: ResourceBinding, spec: ResourceBinding['spec']): void {
  round.writes.push({
    verb: 'update',
    kind: 'Binding',
    key: bindingKey(base),
    part: 'object',
    lock: true,
    base,
    object: { ...base, spec },
  });
}

/** The resource template of a binding, for its labels. */
export function templateFor(
  { view, templateOf }: DrainRound,
  binding: ResourceBinding,
): Template | undefined {
  return templateOf ? templateOf(binding) : templateIn(view, binding);
}

/** The memory of a binding that is leaving or has left. */
export function knownLeavingBinding(
  { leavers, recall }: DrainRound,
  key: string,
): LeavingBinding | undefined {
  return leavers.get(key) ?? recall(key)?.leaver;
}

/** Remembers a binding under eviction, to report it gone later. */
export function recordEvicted(
  round: DrainRound,
  binding: ResourceBinding,
  from: TargetCluster[],
  certain: boolean,
): void {
  const key = bindingKey(binding);
  round.leavers.set(key, leavingBindingOf(knownLeavingBinding(round, key), binding, from, certain));
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
  if (!round.remembered) return;
  const { own } = round.situation;
  const { clusters: targets = [], gracefulEvictionTasks: tasks = [] } = binding.spec;
  const known = knownLeavingBinding(round, bindingKey(binding));
  round.workloads.push({
    binding: bindingIdentity(binding),
    workload: workloadOf(binding),
    phase,
    ...(waitingFor ? { waitingFor } : {}),
    from: known?.from ?? targets.filter(({ name }) => own.has(name)),
    to: awaitsScheduler(binding, phase) ? [] : targets.filter(({ name }) => !own.has(name)),
    ...(deadline !== undefined && { deadline, ...(tasks.some(isTimedByFlag) && { timedByFlag: true }) }),
    evidence,
  });
}

/** Whether Karmada has evicted it and the scheduler has not placed it since: its other copies are no replacement. */
function awaitsScheduler(binding: ResourceBinding, phase: DrainPhase): boolean {
  return phase === 'leaving' && evictingFrom(binding.spec).length > 0 && !isScheduled(binding);
}

/** Requests the next round at an instant (epoch milliseconds) at the latest. */
export function requeue(round: DrainRound, at: number): void {
  if (round.requeueAt === undefined || at < round.requeueAt) round.requeueAt = at;
}
