import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { PurgeMode } from '../../../karmada/api/policy.ts';
import type {
  GracefulEvictionTask,
  ResourceBinding,
  ResourceHealth,
  TargetCluster,
} from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { rfc3339, rfc3339Milliseconds } from '../../../kubernetes/time.ts';
import type { Certainty, Evidence } from '../../../karmada/evidence.ts';
import {
  type EvictionRule,
  countedTasks,
  creationOf,
  evictionClock,
  evictionDeadline,
  isTimedByFlag,
  timesOut,
} from '../../../karmada/eviction/evictionRule.ts';
import { isOverdue, presentEvictionRule } from '../../../karmada/eviction/evictionAssessment.ts';
import { replacementOf } from '../../../karmada/eviction/replacement.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { bindingIdentity, workloadIdentity } from '../../../karmada/objects/identities.ts';
import {
  evictingFrom,
  leavingClusters,
  dividesReplicas,
  targetClusters,
} from '../../../karmada/objects/placement.ts';
import { worksOfBinding } from '../../../karmada/objects/worksOfBinding.ts';
import { type ClusterSnapshot, schedulerSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import { doubtsOfNotRunning } from '../../../simulator/verdicts/doubt.ts';
import { predictedEnd, type PredictedEnd } from '../../../simulator/verdicts/predictedEnd.ts';
import type { Outcome, OutcomeOfWorkload } from '../../../simulator/verdicts/outcome.ts';
import { missingKind, type World } from '../../../karmada/world.ts';
import {
  type BindingEnd,
  type EvictionTarget,
  predictedEvidence,
  type GivenFacts,
  ruleEvidence,
  staleEvidence,
  type TaskFacts,
  type TaskOfBinding,
  unreadEvidence,
  waitsForOldWork,
} from './taskFacts.ts';
import type { SimulatedTasks } from './simulatedTasks.ts';
import { verdictOf, waitingText, waitReason, type EvictionVerdict } from './taskWait.ts';
import type { Rules } from '../../../karmada/dialects/rules.ts';
import { purgesDirectly } from '../../../karmada/eviction/evictionTasks.ts';
import { nameList } from '../nameList.ts';
import { zip } from '../../../kubernetes/nonEmpty.ts';

/** A gracefulEvictionTask with its meaning. Times are RFC 3339, null if there is none. */
export interface EvictionTaskExplanation {
  binding: ObjectIdentity;
  workload: ObjectIdentity & { apiVersion: string };
  fromCluster: string;
  toClusters: EvictionTarget[];
  replicas: number | null;
  purgeMode: PurgeMode | null;
  producer: string;
  reason: string;
  createdAt: string | null;
  /** negative: its creation time is in the future */
  ageSeconds: number | null;
  deadline: string | null;
  /** the deadline depends on an unverified timeout */
  deadlineAssumed?: true;
  /** null if nothing blocks it */
  waitingFor: string | null;
  /** when it ends in the simulation; null if it does not end, or was not simulated */
  endsAt: string | null;
  /** the workload's outcome and final placement, by the judge; other fields are derived from it */
  outcome: Outcome;
  after: TargetCluster[];
  certainty: Certainty;
  /** what an estimate or unknown depends on */
  dependsOn: string[];
  /** the possible final placements, if the processing order, which Karmada does not guarantee, leads to several */
  possibleEnds?: TargetCluster[][];
  /** if the workload never settles: milliseconds from one eviction to the next, and the reason */
  flapping?: OutcomeOfWorkload['flapping'];
  /** no replica of the workload is ready after its evictions, as simulated */
  down?: true;
  /** copies that are deleted while ready, though fewer are left than desired; times are epoch milliseconds */
  deletedReady?: OutcomeOfWorkload['deletedReady'];
  /** the effect on the copy of this task; null if no deadline is set */
  atDeadline: EvictionOutcome | null;
  /** the same in a sentence */
  consequence: string;
  verdict: EvictionVerdict;
  /** the reported health of the old copy; null without a report */
  fromHealth: ResourceHealth | null;
  /** the clusters, old and new, that are not Ready: their health is from the last report */
  staleHealth: string[];
  evidence: Evidence[];
}

export interface EvictionContext {
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  /** the clusters as the scheduler sees them, if already computed */
  snapshot?: ClusterSnapshot;
  /** the simulated ends of evictions; absent: they are judged by the present clusters */
  played?: (binding: ResourceBinding) => SimulatedTasks | undefined;
  /** how to provide the flag graceful-eviction-timeout, if it is only assumed */
  timeoutAssumed?: string;
}

/**
 * Explains every eviction task of the bindings, in the order of the bindings. The graceful eviction controller's own
 * rule decides what a task waits for and whether its time is up; the judge decides the outcome of the workload.
 */
export function explainEvictionTasks(
  world: Pick<World, 'clusters' | 'works' | 'unread' | 'readAt'> &
    Partial<Pick<World, 'bindings' | 'others'>>,
  bindings: ResourceBinding[],
  context: EvictionContext,
): EvictionTaskExplanation[] {
  const evicting = bindings.filter(({ spec }) => spec.gracefulEvictionTasks?.length);
  if (evicting.length === 0) return [];
  const clusters = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const works = worksOfBinding(world.works, evicting);
  const unreadWorks = missingKind(world, 'Work');
  const { now, configuration, timeoutAssumed } = context;
  const clock = evictionClock(now, configuration);
  const { others = [] } = world;
  const off = doubtsOfNotRunning({ ...world, others }, configuration, now).map(({ what }) => what);
  const snapshot =
    context.snapshot ?? schedulerSnapshot(world.clusters, world.bindings ?? bindings, configuration);
  return evicting.flatMap((binding) => {
    const foreseen = predictedEnd(binding, { snapshot, configuration, now });
    const played = context.played?.(binding);
    const end = played ? endAsPlayed(binding, foreseen, played) : doubted(endAsForeseen(foreseen), off);
    const given = { binding, clusters, works: works(binding), unreadWorks, clock, timeoutAssumed, end };
    const facts = { ...given, ...knownOfAllTasks(given) };
    const tasks = binding.spec.gracefulEvictionTasks ?? [];
    return zip(tasks, countedTasks(tasks, clock.rules)).map(([task, counted], index) =>
      explainTask({ task, counted, index }, facts),
    );
  });
}

/** The end if nothing else changes, which is certain only for a settled binding. */
function endAsForeseen(foreseen: PredictedEnd): BindingEnd {
  const { calm } = foreseen;
  const kept = new Set(evictingFrom(foreseen.binding.spec));
  return {
    ...foreseen,
    sureness: calm ? { certainty: 'certain' } : { certainty: 'estimate', dependsOn: [UNPLAYED] },
    endOf: () => undefined,
    keepsTask: (cluster) => kept.has(cluster),
  };
}

/** Adds the doubts about controllers that do not run; a simulation includes them already. */
function doubted(end: BindingEnd, off: readonly string[]): BindingEnd {
  if (off.length === 0) return end;
  const { dependsOn = [] } = end.sureness;
  return { ...end, sureness: { ...end.sureness, certainty: 'unknown', dependsOn: [...dependsOn, ...off] } };
}

const CERTAIN: BindingEnd['sureness'] = { certainty: 'certain' };

const UNPLAYED = 'other events, which were not simulated: clusters are assumed to stay as they are';

function endAsPlayed(
  binding: ResourceBinding,
  foreseen: PredictedEnd,
  { outcome, endOf: endOfTask }: SimulatedTasks,
): BindingEnd {
  const { certainty, dependsOn, possibleEnds, flapping, down, deletedReady } = outcome;
  return {
    ...foreseen,
    judgement: outcome,
    binding: { ...binding, spec: { ...binding.spec, clusters: outcome.after, gracefulEvictionTasks: [] } },
    sureness: {
      certainty,
      ...(dependsOn && { dependsOn }),
      ...(possibleEnds && { possibleEnds }),
      ...(flapping && { flapping }),
      ...(down && { down }),
      ...(deletedReady && { deletedReady }),
    },
    endOf: endOfTask,
    keepsTask: (cluster) => endOfTask(cluster) === undefined,
  };
}

/** The facts shared by all tasks of a binding, which may have thousands. */
function knownOfAllTasks({ binding, clusters, clock, end }: GivenFacts): Omit<TaskFacts, keyof GivenFacts> {
  const reported = new Map(binding.status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  return {
    reported,
    targets: (binding.spec.clusters ?? []).map(({ name, replicas }) => ({
      name,
      ...(replicas === undefined ? {} : { replicas }),
      health: reported.get(name)?.health ?? null,
      stale: isStale(clusters.get(name)),
    })),
    replacement: replacementOf(binding, clock.rules),
    leaving: new Set(leavingClusters(binding.spec).map(({ name }) => name)),
    ...endOfAll(binding, end, clock.rules),
  };
}

function explainTask(one: TaskOfBinding, facts: TaskFacts): EvictionTaskExplanation {
  const { task, counted } = one;
  const { binding, clusters, clock, end, reported, replacement, targets: toClusters } = facts;
  const rule = presentEvictionRule(binding, counted, replacement, clock);
  const created = creationOf(task);
  const deadline = evictionDeadline(counted, clock);
  const involved = [task.fromCluster, ...toClusters.map(({ name }) => name)];
  const staleHealth = involved.filter((name) => reported.has(name) && isStale(clusters.get(name)));
  const waits = rule === 'waiting' || rule === 'unscheduled';
  const obstacles = waits ? waitReason(task, toClusters, facts) : [];
  const atEnd = endOf(task, rule, facts);
  const deleting = Boolean(binding.metadata.deletionTimestamp);
  const endsAt = end.endOf(task.fromCluster);
  const verdict = verdictOf(rule, obstacles);
  const overdue = rule === 'timeout' && isOverdue(counted, clock);
  // The simulation expects something other than the current obstacle to end it.
  const endsBefore = endsAt !== undefined && (deadline === undefined || endsAt < deadline);
  const { dependsOn = [], ...sureness } = deleting ? CERTAIN : end.sureness;
  return {
    binding: bindingIdentity(binding),
    workload: workloadIdentity(binding),
    fromCluster: task.fromCluster,
    toClusters,
    replicas: task.replicas ?? null,
    purgeMode: task.purgeMode ?? null,
    producer: task.producer,
    reason: task.reason,
    createdAt: created === undefined ? null : (task.creationTimestamp ?? null),
    // creationTimestamp comes from another clock, in whole seconds.
    ageSeconds: created === undefined ? null : Math.floor((clock.now - created) / 1000),
    deadline: deadline === undefined ? null : rfc3339(deadline),
    ...(deadline !== undefined &&
      facts.timeoutAssumed !== undefined &&
      isTimedByFlag(task) && { deadlineAssumed: true as const }),
    waitingFor: deleting ? null : waitingText(rule, task, obstacles, clock),
    atDeadline: deleting ? 'lost' : isLeftAlone(rule) ? null : atEnd.kind,
    endsAt: endsAt === undefined ? null : rfc3339Milliseconds(endsAt),
    outcome: deleting ? 'lost' : end.judgement.outcome,
    after: deleting ? [] : end.judgement.after,
    ...sureness,
    dependsOn,
    consequence: deleting
      ? 'the binding is being deleted, and all copies with it'
      : consequence(task, rule, atEnd, facts),
    verdict: deleting
      ? 'ends-now'
      : overdue
        ? 'overdue'
        : verdict === 'stuck' && endsBefore
          ? 'waiting'
          : verdict,
    fromHealth: reported.get(task.fromCluster)?.health ?? null,
    staleHealth,
    evidence: [
      ...ruleEvidence(one, rule, facts),
      ...(rule === 'healthy' || rule === 'waiting' ? staleEvidence(toClusters, facts) : []),
      ...obstacles.flatMap(({ evidence }) => evidence ?? []),
      ...predictedEvidence(facts),
      ...unreadEvidence(task, facts),
    ],
  };
}

/** Whether a task stays until a user or another component acts, even past its deadline. */
function isLeftAlone(rule: EvictionRule): boolean {
  return rule === 'suppressed' || rule === 'unattended' || rule === 'unscheduled';
}

/** The most clusters named in a sentence: there may be thousands of tasks, each with a sentence. */
const MAX_NAMED = 100;

/**
 * What replaces the old copy once the task ends, by the judge's outcome of the workload:
 * - `moved`: as many replicas, or copies, as the binding requests
 * - `partly-moved`: fewer
 * - `restarted`: a new copy, since the scheduler then chooses the old cluster again
 * - `returned`: no replacement is needed: the cluster is chosen again, and its copy stays
 * - `kept`: likewise: the task has no timeout, and nothing expected ends it, or its controller is not started
 * - `lost`: nothing
 * - `flaps`: a copy that is evicted again, and so on
 */
type EvictionOutcome = 'moved' | 'partly-moved' | 'restarted' | 'returned' | 'kept' | 'lost' | 'flaps';

/** The situation after a task. */
interface TaskEnd {
  kind: EvictionOutcome;
  /** names of the clusters with a copy at that time, without fromCluster */
  clusters: readonly string[];
  /** replicas of a Divided workload that are missing at that time */
  missing: number;
}

/** The part of a binding's final state that all of its tasks share. */
function endOfAll(
  binding: ResourceBinding,
  { binding: { spec } }: BindingEnd,
  rules: Rules,
): Pick<TaskFacts, 'placedInTheEnd' | 'besideHeld'> {
  const targets = targetClusters(spec).map(({ name }) => name);
  const assigned = (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  const held = (binding.spec.gracefulEvictionTasks ?? []).filter(
    (task) => task.suppressDeletion === true && !purgesDirectly(task.purgeMode, rules),
  );
  return {
    placedInTheEnd: {
      targets,
      targeted: new Set(targets),
      targetedNow: new Set(targetClusters(binding.spec).map(({ name }) => name)),
      missing: dividesReplicas(spec) ? Math.max(0, (spec.replicas ?? 0) - assigned) : 0,
    },
    besideHeld: new Set([...targets, ...held.map(({ fromCluster }) => fromCluster)]),
  };
}

/** What the workload's outcome means for the copy of one task. */
function endOf(
  task: GracefulEvictionTask,
  rule: EvictionRule,
  { end, clock, placedInTheEnd }: TaskFacts,
): TaskEnd {
  const { fromCluster } = task;
  const { spec } = end.binding;
  const { targets, targeted, targetedNow, missing } = placedInTheEnd;
  const clusters = targeted.has(fromCluster) ? targets.filter((name) => name !== fromCluster) : targets;
  if (end.judgement.outcome === 'flaps') return { kind: 'flaps', clusters, missing };
  const { rules } = clock;
  // A copy that is not purged yet stays if the cluster recovers during the task.
  const returns =
    targetedNow.has(fromCluster) ||
    (rules.scheduling.evictedClusters === 'asTainted' && !purgesDirectly(task.purgeMode, rules));
  if (targeted.has(fromCluster)) return { kind: returns ? 'returned' : 'restarted', clusters, missing };
  const endless = rule === 'unscheduled' || !timesOut(task, rules);
  if (rule === 'unattended' || (end.keepsTask(fromCluster) && endless))
    return { kind: 'kept', clusters, missing };
  // A dependent follows its parents.
  if (targets.length > 0 && (spec.clusters ?? []).length === 0) return { kind: 'moved', clusters, missing };
  switch (end.judgement.outcome) {
    case 'lost':
      return { kind: 'lost', clusters, missing };
    case 'blocked':
    case 'partly-moves':
      return { kind: targets.length > 0 ? 'partly-moved' : 'lost', clusters, missing };
    default:
      return { kind: 'moved', clusters, missing };
  }
}

function consequence(task: GracefulEvictionTask, rule: EvictionRule, end: TaskEnd, facts: TaskFacts): string {
  const { fromCluster } = task;
  const { kind, missing, clusters } = end;
  if (rule === 'suppressed') return heldText(task, clusters, facts);
  const elsewhere = nameList(clusters, MAX_NAMED);
  const back = clusters.filter((name) => facts.leaving.has(name));
  const carrying = clusters.filter((name) => !facts.leaving.has(name));
  const old = facts.works.get(fromCluster);
  if (kind !== 'flaps' && waitsForOldWork(task, facts) && old && clusters.length > 0)
    return [
      `${elsewhere} ${clusters.length === 1 ? 'gets its copy' : 'get their copies'} only then${task.preservedLabelState ? ', without the preserved state' : ''}`,
      ...(kind === 'restarted' ? restarts([fromCluster]) : []),
    ].join('; ');
  if (kind === 'returned') return `${fromCluster} keeps its copy: the scheduling result contains it again`;
  if (kind === 'kept')
    return [`until then the copy on ${fromCluster} stays`, ...carryOn(carrying)].join('; ');
  const gone = goneText(task, facts);
  switch (kind) {
    case 'flaps':
      return `${gone}; ${facts.end.judgement.reason ?? 'it never settles'}`;
    case 'lost':
      return clusters.length > 0
        ? `${gone}; its replacement on ${elsewhere} does not become ready`
        : `${gone}; nothing replaces it`;
    case 'restarted':
      return [gone, ...restarts([fromCluster, ...back]), ...carryOn(carrying)].join('; ');
    case 'partly-moved':
      return missing > 0
        ? `${[gone, ...restarts(back), ...carryOn(carrying)].join('; ')} with ${missing} ${missing === 1 ? 'replica' : 'replicas'} fewer than wanted`
        : `${gone}; it is not replaced, ${[...carryOn(carrying), ...restarts(back)].join('; ')}`;
    case 'moved':
      return [gone, ...carryOn(carrying), ...restarts(back)].join('; ');
  }
}

function carryOn(clusters: readonly string[]): string[] {
  return clusters.length === 0
    ? []
    : [`${nameList(clusters, MAX_NAMED)} ${clusters.length === 1 ? 'keeps running' : 'keep running'}`];
}

/** Only clusters that the workload is evicted from and that the scheduler chooses again. */
function restarts(clusters: readonly string[]): string[] {
  return clusters.length === 0
    ? []
    : [`the scheduler then places it on ${nameList(clusters, MAX_NAMED)} again, where it restarts`];
}

/** What stays while a task is held: its copy, the replacement, and the copies kept by other held tasks. */
function heldText(
  { fromCluster, purgeMode }: GracefulEvictionTask,
  replacements: readonly string[],
  { besideHeld, works, unreadWorks, clock: { rules } }: TaskFacts,
): string {
  if (purgesDirectly(purgeMode, rules)) {
    const goes = works.has(fromCluster) || unreadWorks !== undefined;
    const old = goes ? 'is deleted at once, held or not' : 'is already deleted';
    return [`the copy on ${fromCluster} ${old}`, ...carryOn(replacements)].join('; ');
  }
  const others = besideHeld.size - (besideHeld.has(fromCluster) ? 1 : 0);
  if (others === 0) return `the copy on ${fromCluster} stays and is the only one`;
  const named = [fromCluster];
  for (const name of besideHeld) {
    if (named.length > MAX_NAMED) break;
    if (name !== fromCluster) named.push(name);
  }
  if (others === 1) return `both copies stay, on ${named.join(' and ')}`;
  const more = others + 1 - named.length;
  return `all copies stay, on ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The outcome of the old copy: it is deleted even if its cluster has recovered and the copy is ready by then. */
function goneText({ fromCluster, purgeMode }: GracefulEvictionTask, facts: TaskFacts): string {
  const { works, clusters, clock, end } = facts;
  if (purgesDirectly(purgeMode, clock.rules) && !works.get(fromCluster))
    return `the copy on ${fromCluster} is already deleted`;
  const readyAgain = end.sureness.deletedReady?.find(({ cluster }) => cluster === fromCluster);
  if (readyAgain)
    return `the copy on ${fromCluster} is deleted with ${readyAgain.replicas} ready ${readyAgain.replicas === 1 ? 'replica' : 'replicas'}`;
  const later = isStale(clusters.get(fromCluster)) ? ` once ${fromCluster} is Ready again` : '';
  return `the copy on ${fromCluster} is deleted${later}`;
}
