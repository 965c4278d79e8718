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
} from '../../../karmada/eviction/evictionRule.ts';
import { isOverdue, presentEvictionRule } from '../../../karmada/eviction/evictionAssessment.ts';
import { replacementOf } from '../../../karmada/eviction/replacement.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { bindingIdentity, workloadIdentity } from '../../../karmada/objects/identities.ts';
import { evictingFrom, leavingClusters } from '../../../karmada/objects/placement.ts';
import { worksOfBinding } from '../../../karmada/objects/worksOfBinding.ts';
import { type ClusterSnapshot, schedulerSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import { doubtsOfControllersOff } from '../../../simulator/verdicts/doubt.ts';
import { foreseenEnd, type ForeseenEnd } from '../../../simulator/verdicts/foreseen.ts';
import type { Outcome, OutcomeOfWorkload } from '../../../simulator/verdicts/outcome.ts';
import { missingKind, type World } from '../../../karmada/world.ts';
import { consequence, endOf, endOfAll, type EvictionOutcome } from './taskEnd.ts';
import {
  type BindingEnd,
  type EvictionTarget,
  foreseenEvidence,
  type GivenFacts,
  ruleEvidence,
  staleEvidence,
  type TaskFacts,
  unreadEvidence,
} from './taskFacts.ts';
import type { PlayedTasks } from './playedTasks.ts';
import { verdictOf, waitingText, whatItWaitsFor, type EvictionVerdict } from './taskWait.ts';

/** A gracefulEvictionTask with what it means. Times are RFC 3339, null if there is none. */
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
  ageSeconds: number | null;
  deadline: string | null;
  /** null if it waits for nothing */
  waitingFor: string | null;
  /** when it ends, as far as that was simulated and it does */
  endsAt: string | null;
  /** the workload's outcome and final placement, by the judge; all else follows from it */
  outcome: Outcome;
  after: TargetCluster[];
  certainty: Certainty;
  /** what an estimate or unknown depends on */
  dependsOn: string[];
  /** the possible final placements, if orders that Karmada leaves open give several */
  possibleEnds?: TargetCluster[][];
  /** if the workload never comes to rest: milliseconds from one eviction to the next, and the reason */
  flapping?: OutcomeOfWorkload['flapping'];
  /** copies that are ready when they are deleted, though fewer are left than it wants; times are epoch milliseconds */
  deletedReady?: OutcomeOfWorkload['deletedReady'];
  /** what that means for the copy of this task; null if no deadline is set */
  atDeadline: EvictionOutcome | null;
  /** the same in a sentence */
  consequence: string;
  verdict: EvictionVerdict;
  /** as reported for the old copy; null if nothing was */
  fromHealth: ResourceHealth | null;
  /** the clusters, old and new, that are not Ready: health from there is the last one known */
  staleHealth: string[];
  evidence: Evidence[];
}

export interface EvictionContext {
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  /** the clusters as the scheduler sees them, if they have been read for that already */
  snapshot?: ClusterSnapshot;
  /** what a simulation says of them; absent: they are judged by the clusters as they are now */
  played?: (binding: ResourceBinding) => PlayedTasks | undefined;
  /** where the flag graceful-eviction-timeout is known from, if it is only assumed */
  timeoutAssumed?: string;
}

/**
 * Explains every eviction task of the bindings, in the order of the bindings. What a task waits for and whether its
 * time is up is decided by the graceful eviction controller's own rule, what becomes of the workload by the judge.
 */
export function explainEvictionTasks(
  world: Pick<World, 'clusters' | 'works' | 'unread'> & Partial<Pick<World, 'bindings'>>,
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
  const off = doubtsOfControllersOff(configuration).map(({ what }) => what);
  const snapshot =
    context.snapshot ?? schedulerSnapshot(world.clusters, world.bindings ?? bindings, configuration);
  return evicting.flatMap((binding) => {
    const foreseen = foreseenEnd(binding, { snapshot, configuration, now });
    const played = context.played?.(binding);
    const end = played ? endAsPlayed(binding, foreseen, played) : doubted(endAsForeseen(foreseen), off);
    const given = { binding, clusters, works: works(binding), unreadWorks, clock, timeoutAssumed, end };
    const facts = { ...given, ...knownOfAllTasks(given) };
    return binding.spec.gracefulEvictionTasks!.map((task, index) => explainTask(task, index, facts));
  });
}

/** The end if everything goes on as it is now, which is certain only for a calm binding. */
function endAsForeseen(foreseen: ForeseenEnd): BindingEnd {
  const { calm } = foreseen;
  const kept = new Set(evictingFrom(foreseen.binding.spec));
  return {
    ...foreseen,
    sureness: calm ? { certainty: 'certain' } : { certainty: 'estimate', dependsOn: [UNPLAYED] },
    endOf: () => undefined,
    keepsTask: (cluster) => kept.has(cluster),
  };
}

/** With what karmada-controller-manager does not start; a simulation has that doubt itself. */
function doubted(end: BindingEnd, off: readonly string[]): BindingEnd {
  if (off.length === 0) return end;
  const { dependsOn = [] } = end.sureness;
  return { ...end, sureness: { ...end.sureness, certainty: 'unknown', dependsOn: [...dependsOn, ...off] } };
}

const CERTAIN: BindingEnd['sureness'] = { certainty: 'certain' };

const UNPLAYED =
  'what else happens meanwhile, which was not simulated: clusters are taken to stay as they are';

function endAsPlayed(
  binding: ResourceBinding,
  foreseen: ForeseenEnd,
  { outcome, endOf: endOfTask }: PlayedTasks,
): BindingEnd {
  const { certainty, dependsOn, possibleEnds, flapping, deletedReady } = outcome;
  return {
    ...foreseen,
    judgement: outcome,
    binding: { ...binding, spec: { ...binding.spec, clusters: outcome.after, gracefulEvictionTasks: [] } },
    sureness: {
      certainty,
      ...(dependsOn && { dependsOn }),
      ...(possibleEnds && { possibleEnds }),
      ...(flapping && { flapping }),
      ...(deletedReady && { deletedReady }),
    },
    endOf: endOfTask,
    keepsTask: (cluster) => endOfTask(cluster) === undefined,
  };
}

/** What is the same for all tasks of a binding, which may have thousands. */
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

function explainTask(task: GracefulEvictionTask, index: number, facts: TaskFacts): EvictionTaskExplanation {
  const { binding, clusters, clock, end, reported, replacement, targets: toClusters } = facts;
  const counted = countedTasks(binding.spec.gracefulEvictionTasks!, clock.rules)[index]!;
  const rule = presentEvictionRule(binding, counted, replacement, clock);
  const created = creationOf(task);
  const deadline = evictionDeadline(counted, clock);
  const involved = [task.fromCluster, ...toClusters.map(({ name }) => name)];
  const staleHealth = involved.filter((name) => reported.has(name) && isStale(clusters.get(name)));
  const waits = rule === 'waiting' || rule === 'unscheduled';
  const obstacles = waits ? whatItWaitsFor(task, toClusters, facts) : [];
  const atEnd = endOf(task, rule, facts);
  const deleting = Boolean(binding.metadata.deletionTimestamp);
  const endsAt = end.endOf(task.fromCluster);
  const verdict = verdictOf(rule, obstacles);
  const overdue = rule === 'timeout' && isOverdue(counted, clock);
  // The simulation foresees an end by something else than what the task waits for now.
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
    createdAt: created === undefined ? null : task.creationTimestamp!,
    // creationTimestamp comes from another clock, in whole seconds
    ageSeconds: created === undefined ? null : Math.max(0, Math.floor((clock.now - created) / 1000)),
    deadline: deadline === undefined ? null : rfc3339(deadline),
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
      ...ruleEvidence(index, rule, facts),
      ...(rule === 'healthy' || rule === 'waiting' ? staleEvidence(toClusters, facts) : []),
      ...obstacles.flatMap(({ evidence }) => evidence ?? []),
      ...foreseenEvidence(facts),
      ...unreadEvidence(task, facts),
    ],
  };
}

/** Whether a task stays until a person or another component acts, whatever its deadline. */
function isLeftAlone(rule: EvictionRule): boolean {
  return rule === 'suppressed' || rule === 'unattended' || rule === 'unscheduled';
}
