import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { ClusterSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { isScheduled } from '../../../karmada/eviction/replacement.ts';
import { bindingIdentity, bindingKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { evictingFrom } from '../../../karmada/objects/placement.ts';
import type { DrainOptions } from '../drainOptions.ts';
import { leaverOf, type DrainMemory, type Leaver, type OpenCourse, type Recall } from './drainMemory.ts';
import { isTimedByFlag } from '../../../karmada/eviction/evictionRule.ts';
import type { DrainSituation, KnownSituation } from './drainSituation.ts';
import type { CurrentPace, DrainedWorkload, DrainPhase, DrainWrite } from './drainStep.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import { templateIn, type Template } from './selects.ts';
import type { EvictionCheck } from './evictionCheck.ts';

/** A check of a binding; it holds until the binding, or something decisive of a cluster, changes. */
interface KnownCheck {
  snapshot: ClusterSnapshot;
  check: EvictionCheck;
}

/**
 * What a plan says about a binding now: it is in the plan, not in it, or has changed so that the plan does not hold for
 * it; `changed` says how, in words.
 */
export type PlanVerdict = 'planned' | 'unplanned' | { changed: string };

/** A drain, with what it has worked out already. */
export interface Drain {
  readonly options: DrainOptions;
  readonly configuration: Configuration;
  /** who runs it, for the marks; absent: the marks name nobody */
  readonly runner?: string | undefined;
  /** what an executed plan says of a binding that the drain has not evicted yet; absent: there is none */
  readonly plan?: ((binding: ResourceBinding) => PlanVerdict) | undefined;
  /** the resource template of a binding, where the view has none */
  readonly templateOf?: ((binding: ResourceBinding) => Template | undefined) | undefined;
  /** caches: nothing is lost with them */
  readonly cached: { situation?: KnownSituation; readonly checks: WeakMap<ResourceBinding, KnownCheck> };
}

/** What a drain sees of a control plane: a part of what every controller sees. */
type DrainView = Pick<
  View,
  'get' | 'bindingsOn' | 'bindingsLeaving' | 'worksOf' | 'attachedTo' | 'fleet' | 'hooks'
>;

/** What a look of a drain sees. */
export interface DrainLook {
  readonly view: DrainView;
  /** the bindings that it decides on */
  readonly bindings: Iterable<ResourceBinding>;
  readonly recall: Recall;
  readonly course: OpenCourse;
  /** epoch milliseconds */
  readonly now: number;
}

/** What a round is for. */
export interface RoundAim {
  /** whether bindings may be evicted; else the round only releases evicted copies */
  evicts: boolean;
  /** what the drain remembers, if all of it is to be reported: then the look sees all bindings */
  remembered?: ReadonlyMap<string, DrainMemory> | undefined;
  /** since when the scheduler has been silent, for a look that does not see all that waits for its answer */
  silentSince?: number | undefined;
}

/** One round of a drain's decisions, in progress. */
export interface DrainRound extends DrainLook, Drain {
  readonly situation: DrainSituation;
  readonly remembered: RoundAim['remembered'];
  /** what this round has learnt of bindings, by key */
  readonly leavers: Map<string, Leaver>;
  /** the pace by the clusters' health; paused while the scheduler is silent */
  pace: CurrentPace;
  /** nobody interferes, and nothing has to come before what is decided on bindings */
  mayWrite: boolean;
  readonly writes: DrainWrite[];
  /** some of the writes must come before an eviction */
  prepares: boolean;
  readonly workloads: DrainedWorkload[];
  /** bindings that may be evicted if the pace and the scheduler allow it */
  readonly waiting: Candidate[];
  /** held for workloads that need them */
  readonly dependents: { binding: ResourceBinding; tasks: GracefulEvictionTask[] }[];
  /** objects without replicas, ready elsewhere, and held for workloads of their namespace that have not gone */
  readonly companions: { binding: ResourceBinding; keepers: readonly ResourceBinding[] }[];
  /** bindings that the plan does not evict as they are now, and why */
  readonly leftOut: { binding: ResourceBinding; because: string }[];
  /** the key of the binding whose turn it is, evicted now or later */
  next?: string;
  /** the same, if one of the writes evicts it now */
  evicts?: string;
  /** how many of the bindings are evicted and not yet gone, without those that are only kept for others */
  inFlight: number;
  /** keys of bindings that are evicted, held and past their deadline */
  readonly stuckBindings: Set<string>;
  /** keys of the bindings that have something on the drained clusters */
  readonly present: Set<string>;
  /** epoch milliseconds of the newest eviction, as far as the course and the tasks of the look show it */
  lastEvictionAt: number | undefined;
  /** epoch milliseconds at which to look again even if nothing changes; absent: on changes alone */
  lookAgainAt?: number;
  /** epoch milliseconds at which the pace lets the next binding go; absent while none may go by time alone */
  nextEvictionAt?: number;
  /** there is something left to do or to wait for */
  open: boolean;
  /** none of `waiting` may be evicted, whatever the pace */
  nothingGoes: boolean;
  /** the workloads on their way out, by namespace, once somebody asks */
  leavingIn?: ReadonlyMap<string, readonly ResourceBinding[]>;
}

/** A binding that may be evicted, and the result of its check. */
export interface Candidate {
  binding: ResourceBinding;
  on: TargetCluster[];
  /** it has a task, but somebody has restored its earlier spec.clusters */
  again: boolean;
  check?: EvictionCheck;
}

/** Plans a write of the spec of a binding; it is refused if the binding has changed. */
export function writeSpec(round: DrainRound, base: ResourceBinding, spec: ResourceBinding['spec']): void {
  round.writes.push({
    ...{ verb: 'update', kind: 'Binding', key: bindingKey(base), part: 'object', lock: true, base },
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

/** What is known of a binding that leaves or has left. */
export function knownLeaver({ leavers, recall }: DrainRound, key: string): Leaver | undefined {
  return leavers.get(key) ?? recall(key)?.leaver;
}

/** Remembers a binding that is being evicted, so that it can be reported gone. */
export function noteEvicted(
  round: DrainRound,
  binding: ResourceBinding,
  from: TargetCluster[],
  certain: boolean,
): void {
  const key = bindingKey(binding);
  round.leavers.set(key, leaverOf(knownLeaver(round, key), binding, from, certain));
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
  const known = knownLeaver(round, bindingKey(binding));
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

/** Whether Karmada evicts it, and the scheduler has not placed it since: what it still has elsewhere replaces nothing. */
function awaitsScheduler(binding: ResourceBinding, phase: DrainPhase): boolean {
  return phase === 'leaving' && evictingFrom(binding.spec).length > 0 && !isScheduled(binding);
}

/** Asks for another look at an instant (epoch milliseconds) at the latest. */
export function lookAgain(round: DrainRound, at: number): void {
  if (round.lookAgainAt === undefined || at < round.lookAgainAt) round.lookAgainAt = at;
}
