import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { ResourceBinding, ResourceBindingSpec, TargetCluster } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import { keptByTasks } from '../../karmada/eviction/works.ts';
import {
  requestedNow,
  dividesReplicas,
  evictingFrom,
  leavingClusters,
  placedOn,
  placementSelects,
  wantedCopies,
  type ClusterFacts,
} from '../../karmada/objects/placement.ts';
import type { Flapping } from '../store/savedSimulation.ts';
import type { Outcome, OutcomeWithEnd, PlacedOutcome, QueuedOutcome, WorkloadOutcome } from './outcome.ts';

/** A workload before and after, simulated or foreseen. */
export interface OutcomeFacts {
  before: ResourceBinding;
  after: ResourceBinding;
  /** rules of the version for the copies kept by eviction tasks */
  rules: Rules;
  /** evaluates affinities on the clusters at the start */
  facts: ClusterFacts;
  /** clusters that it was evicted from during the simulation */
  evictedFrom: ReadonlySet<string>;
  /** clusters whose copies were deleted during the simulation; absent: not followed */
  deletedFrom?: ReadonlySet<string>;
  /** clusters of `before` that failed or got a NoExecute taint */
  troubled?: ReadonlySet<string>;
  /** why a failed or tainted cluster was not evicted: undefined if the taint manager never decided */
  tolerated?: string | undefined;
  /** why no taint moves it, apart from tolerations and switches */
  notMoved?: string | undefined;
  /** evictions still in the eviction queue, in versions with one */
  evictionQueue?: readonly QueuedOutcome[] | undefined;
  /** why nothing is evicted at all */
  evictionOff?: string | undefined;
  /** failed clusters without a NoExecute taint */
  untainted?: readonly string[];
  /** the simulation ended before it settled: more may happen */
  cut?: boolean;
  /** it never settles */
  flapping?: Flapping | undefined;
  /** clusters whose ready copies were deleted, for example when an earlier eviction ended */
  deletedReady?: readonly string[] | undefined;
  /** clusters of `deletedReady` where it is placed without a Work at the end */
  unwritten?: readonly string[] | undefined;
  /** replicas that never become ready; undefined if there are none, or if it is still open */
  unready?: UnreadyReplicas | undefined;
  /** the workloads that it follows; undefined if a policy places it */
  followed?: readonly FollowedWorkload[] | undefined;
}

export interface FollowedWorkload {
  name: string;
  /** undefined if it is deleted */
  result: WorkloadOutcome | undefined;
}

/** Placed replicas that never become ready. */
export interface UnreadyReplicas {
  clusters: string[];
  replicas: number;
  /** no other replica of the workload is ready */
  all: boolean;
  /** some of them exist and are not ready, although their assumed time to become ready is over */
  overdue: boolean;
  /** they replace no others, and are all that is left */
  remains?: boolean;
}

/** The outcome of a workload; `reason` explains it in a sentence. */
export type Judgement = { reason?: string | undefined } & OutcomeWithEnd;

/** Judges the outcome of a workload: the only function that does so, for all commands. */
export function judge(facts: OutcomeFacts): Judgement {
  const { outcome, reason } = verdictOn(facts);
  const after = placedOn(facts.after.spec);
  if (!isPlaced(outcome)) return { outcome, reason, after };
  const [first, ...others] = after;
  // A workload without any copy has not moved.
  return first ? { outcome, reason, after: [first, ...others] } : { outcome: 'lost', reason, after: [] };
}

interface Verdict {
  outcome: Outcome;
  reason?: string | undefined;
}

function isPlaced(outcome: Outcome): outcome is PlacedOutcome {
  const placed: readonly Outcome[] = ['starts', 'moves', 'restarted', 'partly-moves'];
  return placed.includes(outcome);
}

function verdictOn(facts: OutcomeFacts): Verdict {
  const { flapping } = facts;
  if (flapping)
    return {
      outcome: 'flaps',
      reason: `evicted again every ${formatDuration(Math.round(flapping.period / 1000) * 1000)} (${flapping.cause})`,
    };
  const course = courseOf(facts);
  if (course.has.length === 0) return nowhere(facts, course);
  if (course.had.length === 0) return { outcome: 'starts' };
  return course.evicted.size > 0 || course.left.length > 0 ? moved(facts, course) : unmoved(facts, course);
}

/** A workload's move from one placement to another, in names of clusters. */
interface Course {
  /** where it was, including copies under eviction */
  had: string[];
  has: string[];
  left: string[];
  evicted: ReadonlySet<string>;
}

function courseOf({ before, after, evictedFrom }: OutcomeFacts): Course {
  // A copy that was held before, and still is, has not moved.
  const tasks = before.spec.gracefulEvictionTasks ?? [];
  const held = new Set(tasks.flatMap((task) => (task.suppressDeletion === true ? [task.fromCluster] : [])));
  const still = new Set(held.size > 0 ? evictingFrom(after.spec) : []);
  const leaving = leavingClusters(before.spec).filter(({ name }) => !held.has(name) || !still.has(name));
  const had = names([...placedOn(before.spec), ...leaving]);
  const has = names(placedOn(after.spec));
  const isThere = new Set(has);
  return {
    had,
    has,
    left: had.filter((name) => !isThere.has(name)),
    evicted: new Set([...evictedFrom, ...names(leaving)]),
  };
}

function nowhere({ before, after, rules, followed }: OutcomeFacts, { had, left }: Course): Verdict {
  if (followed?.every(isDeleted)) return { outcome: 'deleted', reason: `deleted with ${namesOf(followed)}` };
  const reason = followed ? 'nothing that requires it is placed' : scheduleFailure(after)?.message;
  if (keptByTasks(after.spec, rules).length > 0) return { outcome: 'blocked', reason };
  if (had.length > 0) return { outcome: 'lost', reason: preservedText(after, left) ?? reason };
  if (!scheduleFailure(after)) return { outcome: 'stays' };
  // A workload that ran once and has no copy now was lost before.
  return { outcome: before.status?.lastScheduledTime ? 'lost' : 'blocked', reason };
}

function moved(facts: OutcomeFacts, { had, has, left, evicted }: Course): Verdict {
  const { after, unready } = facts;
  const failure = scheduleFailure(after);
  const joined = has.filter((name) => !had.includes(name));
  const kept = keptByTasks(after.spec, facts.rules).some((cluster) => !has.includes(cluster));
  const held = keptForGood(facts, left);
  if (unready?.remains && left.length > 0)
    return {
      outcome: kept ? 'blocked' : 'lost',
      reason: `what remains on ${unready.clusters.join(', ')} is not ready`,
    };
  if (hasFewer(facts, had, has)) {
    if (failure) return { outcome: 'blocked', reason: refusalText(failure) };
    if (held.length === 0)
      return { outcome: 'partly-moves', reason: preservedText(after, left) ?? shortText(left, joined) };
  }
  if (unready && !unready.remains) {
    const where = unready.clusters.join(', ');
    if (kept || unready.all)
      return {
        outcome: kept ? 'blocked' : 'lost',
        reason: `its replacement on ${where} does not become ready`,
      };
    const count = unready.replicas === 1 ? '1 replica' : `${unready.replicas} replicas`;
    const ready = unready.replicas === 1 ? 'does not become ready' : 'do not become ready';
    return { outcome: 'partly-moves', reason: `${count} on ${where} ${ready}` };
  }
  if (held.length > 0)
    return {
      outcome: 'blocked',
      reason: `its old copy on ${held.join(', ')} ${isHeld(after, held) ? 'is held and not released' : 'stays: nothing ends its eviction'}`,
    };
  const back = [...evicted].filter((name) => has.includes(name));
  if (left.length === 0 && joined.length === 0 && back.length > 0) {
    const { deletedFrom } = facts;
    if (deletedFrom && !back.some((name) => deletedFrom.has(name)))
      return { outcome: 'stays', reason: `came back to ${back.join(', ')} before its copy was deleted` };
    return { outcome: 'restarted', reason: `came back to ${back.join(', ')}` };
  }
  if (
    !dividesReplicas(facts.before.spec) &&
    left.length > 0 &&
    joined.length === 0 &&
    !left.some((name) => placementSelects(after.spec.placement, name, facts.facts))
  )
    return { outcome: 'stays', reason: `its placement no longer selects ${left.join(', ')}` };
  const { followed } = facts;
  if (followed?.some(isDeleted) && joined.length === 0)
    return { outcome: 'stays', reason: `nothing on ${left.join(', ')} requires it now` };
  const follows = followed && `follows ${namesOf(followed)}`;
  return { outcome: 'moves', reason: preservedText(after, left) ?? follows };
}

/**
 * Clusters that it left, with old copies that remain after everything has settled: a drain holds them if no status
 * reports the replacement as ready, and some versions have no check that would end their tasks.
 */
function keptForGood({ after, rules, cut }: OutcomeFacts, left: readonly string[]): string[] {
  return cut ? [] : keptByTasks(after.spec, rules).filter((cluster) => left.includes(cluster));
}

function isHeld({ spec }: ResourceBinding, clusters: readonly string[]): boolean {
  return clusters.some((cluster) =>
    spec.gracefulEvictionTasks!.some(
      ({ fromCluster, suppressDeletion }) => fromCluster === cluster && suppressDeletion === true,
    ),
  );
}

function shortText(left: readonly string[], joined: readonly string[]): string {
  return joined.length === 0
    ? `nothing replaces the copy on ${left.join(', ')}`
    : `only ${joined.join(', ')} replaces the copies on ${left.join(', ')}`;
}

/** What happens to copies with preserveResourcesOnDeletion, in words. */
function preservedText({ spec }: ResourceBinding, left: readonly string[]): string | undefined {
  if (!spec.preserveResourcesOnDeletion || left.length === 0) return undefined;
  return `its resources on ${left.join(', ')} stay there, unmanaged (preserveResourcesOnDeletion)`;
}

function unmoved(facts: OutcomeFacts, { has }: Course): Verdict {
  const { after, troubled, tolerated, evictionOff, untainted = [], cut, deletedReady = [], followed } = facts;
  const { unwritten = [] } = facts;
  if (unwritten.length > 0)
    return {
      outcome: unwritten.length === has.length ? 'lost' : 'partly-moves',
      reason: `its Work on ${unwritten.join(', ')} is deleted, and not recreated until its spec changes`,
    };
  const remade = deletedReady.filter((name) => has.includes(name));
  if (remade.length > 0)
    return { outcome: 'restarted', reason: `its ready copy on ${remade.join(', ')} is deleted` };
  const [inQueue] = facts.evictionQueue ?? [];
  if (inQueue) return { outcome: 'stays', reason: queueText(inQueue) };
  if (troubled && troubled.size > 0) {
    if (tolerated) return { outcome: 'tolerates', reason: tolerated };
    const tolerating = followed?.find(({ result }) => result?.outcome === 'tolerates');
    if (tolerating)
      return {
        outcome: 'tolerates',
        reason: `follows ${tolerating.name}, which ${tolerating.result!.reason}`,
      };
    if (evictionOff) return { outcome: 'stays', reason: evictionOff };
    if (facts.notMoved) return { outcome: 'stays', reason: facts.notMoved };
    const effects = facts.rules.taints.activeMigration ? 'NoExecute or PreferNoExecute' : 'NoExecute';
    if (untainted.length > 0)
      return {
        outcome: 'stays',
        reason: cut
          ? `no ${effects} taint was added to ${untainted.join(', ')} so far`
          : `no ${effects} taint is added to ${untainted.join(', ')}`,
      };
  }
  const failure = scheduleFailure(after);
  const { spec } = after;
  const complete = dividesReplicas(spec) && total(spec.clusters) >= (spec.replicas ?? 0);
  if (failure && !complete) return { outcome: 'blocked', reason: refusalText(failure) };
  return { outcome: 'stays' };
}

/** Why an eviction is still in the eviction queue, in words. */
function queueText({ state, cluster, position, reason }: QueuedOutcome): string {
  switch (state) {
    case 'abandoned':
      return `its eviction from ${cluster} is abandoned: ${reason}`;
    case 'dropped':
      return `its eviction from ${cluster} is dropped from the queue: ${reason}`;
    case 'queued':
      return `waits in the eviction queue to leave ${cluster}, at position ${position}: ${reason}`;
  }
}

/** Whether it has fewer replicas than before if they are divided, otherwise fewer copies. */
function hasFewer(
  { before, after, followed, facts }: OutcomeFacts,
  had: readonly string[],
  has: readonly string[],
): boolean {
  // If all workloads that require it have moved, none of its copies is missing.
  if (followed)
    return has.length < had.length && followed.some(({ result }) => result && isLess(result.outcome));
  const { replicas = 0 } = before.spec;
  if (!dividesReplicas(before.spec) || replicas === 0)
    return has.length < Math.min(had.length, wantedCopies(requestedNow(before, after, facts), facts));
  const placed = total(before.spec.clusters) + total(leavingClusters(before.spec));
  return total(after.spec.clusters) < Math.min(placed, replicas, after.spec.replicas ?? 0);
}

/** Whether a workload that others follow was deleted. */
function isDeleted({ result }: FollowedWorkload): boolean {
  return !result || result.outcome === 'deleted';
}

function namesOf(followed: readonly FollowedWorkload[]): string {
  return followed.map(({ name }) => name).join(', ');
}

function isLess(outcome: Outcome): boolean {
  return outcome === 'partly-moves' || outcome === 'blocked' || outcome === 'lost';
}

interface SchedulingFailure {
  reason: string;
  message: string;
}

function refusalText({ reason, message }: SchedulingFailure): string {
  return `${reason}: ${message}`;
}

function scheduleFailure({ status }: ResourceBinding): SchedulingFailure | undefined {
  const condition = conditionOf(status?.conditions, 'Scheduled');
  if (!condition || condition.status === 'True') return undefined;
  return { reason: condition.reason ?? '', message: condition.message ?? '' };
}

function names(clusters: readonly TargetCluster[]): string[] {
  return clusters.map(({ name }) => name);
}

function total(clusters: ResourceBindingSpec['clusters']): number {
  return (clusters ?? []).reduce((sum, { replicas }) => sum + (replicas ?? 0), 0);
}
