import { dividesReplicas } from '../objects/placement.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { PurgeMode } from '../../karmada/api/policy.ts';
import type { GracefulEvictionTask, ResourceBinding, ResourceHealth, Work } from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import {
  evictionDeadline,
  evictionEvidence,
  evictionRule,
  isScheduled,
  replacementOf,
  type EvictionClock,
  type EvictionRule,
} from '../eviction/evictionRule.ts';
import { countedTasks } from '../eviction/countedTasks.ts';
import { purgesDirectly } from '../eviction/purgeMode.ts';
import { suspendsDispatching, targetClusters } from '../eviction/works.ts';
import { filterContext } from '../scheduling/filters/filters.ts';
import { mayReturn } from '../scheduling/mayReturn.ts';
import { missingKind, type World } from '../world.ts';
import { isDrainTask } from '../eviction/drainTask.ts';
import { bindingIdentity, workloadIdentity } from '../objects/identities.ts';
import { isReady, isStale, readyCondition } from '../objects/clusterReadiness.ts';
import { worksOfBinding } from '../objects/worksOfBinding.ts';

/**
 * Where a task stands:
 * - `new`: not yet seen by the graceful eviction controller, so its time has not begun
 * - `waiting`: ends when the new copy is healthy
 * - `stuck`: as things are, nothing but the deadline will end it
 * - `held`: suppressDeletion is true, so that a person has to end it
 * - `ends-now`: the next look of the controller ends it
 */
export type EvictionVerdict = 'new' | 'waiting' | 'stuck' | 'held' | 'ends-now';

/**
 * What is there instead of the old copy once the task ends:
 * - `moved`: as many replicas, or copies, as the binding asks for
 * - `partly-moved`: fewer
 * - `restarted`: nothing, but then the scheduler may choose the old cluster again
 * - `lost`: nothing
 */
export type EvictionOutcome = 'moved' | 'partly-moved' | 'restarted' | 'lost';

/** A cluster that the binding has now, which is where an evicted copy goes. */
export interface EvictionTarget {
  name: string;
  replicas?: number;
  /** as reported; null where nothing was */
  health: ResourceHealth | null;
  /** the cluster is not Ready, so that its health is the last one known */
  stale: boolean;
}

/** A gracefulEvictionTask with what it means. Times are RFC 3339, null where there is none. */
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
  /** null where it waits for nothing */
  waitingFor: string | null;
  /** null where no deadline is set */
  atDeadline: EvictionOutcome | null;
  /** the same in a sentence */
  consequence: string;
  verdict: EvictionVerdict;
  /** as reported for the old copy; null where nothing was */
  fromHealth: ResourceHealth | null;
  /** the clusters, old and new, that are not Ready: health from there is the last one known */
  staleHealth: string[];
  evidence: Evidence[];
}

export interface EvictionContext extends EvictionClock {
  rules: Rules;
  /** where the flag graceful-eviction-timeout is known from, if it is only assumed */
  timeoutAssumed?: string;
}

/**
 * Explains every eviction task of the bindings, in the order of the bindings. What a task waits for and
 * whether its time is up is decided by the graceful eviction controller's own rule.
 */
export function explainEvictionTasks(
  world: Pick<World, 'clusters' | 'works' | 'unread'>,
  bindings: ResourceBinding[],
  context: EvictionContext,
): EvictionTaskExplanation[] {
  const evicting = bindings.filter(({ spec }) => spec.gracefulEvictionTasks?.length);
  if (evicting.length === 0) return [];
  const clusters = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const works = worksOfBinding(world.works, evicting);
  const unreadWorks = missingKind(world, 'Work');
  return evicting.flatMap((binding) => {
    const facts = { binding, clusters, works: works(binding), unreadWorks, context };
    return binding.spec.gracefulEvictionTasks!.map((task, index) => explainTask(task, index, facts));
  });
}

interface Facts {
  binding: ResourceBinding;
  clusters: Map<string, Cluster>;
  /** of this binding, by cluster */
  works: Map<string, Work>;
  /** what it takes to read Works, where they could not be read */
  unreadWorks: string | undefined;
  context: EvictionContext;
}

function explainTask(task: GracefulEvictionTask, index: number, facts: Facts): EvictionTaskExplanation {
  const { binding, clusters, context } = facts;
  const counted = countedTasks(binding.spec.gracefulEvictionTasks!, context.rules)[index]!;
  const rule = evictionRule(counted, replacementOf(binding, context.rules), context);
  const created = rule === 'new' ? undefined : instant(task.creationTimestamp!);
  const deadline = evictionDeadline(counted, context);
  const reported = new Map(binding.status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  const toClusters = (binding.spec.clusters ?? []).map(({ name, replicas }): EvictionTarget => ({
    name,
    ...(replicas === undefined ? {} : { replicas }),
    health: reported.get(name)?.health ?? null,
    stale: isStale(clusters.get(name)),
  }));
  const involved = [task.fromCluster, ...toClusters.map(({ name }) => name)];
  const staleHealth = involved.filter((name) => reported.has(name) && isStale(clusters.get(name)));
  const obstacles = rule === 'waiting' ? whatItWaitsFor(task, toClusters, facts) : [];
  const outcome = outcomeOf(task, facts);
  const deleting = Boolean(binding.metadata.deletionTimestamp);
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
    // the stamp is of another clock, and in whole seconds
    ageSeconds: created === undefined ? null : Math.max(0, Math.floor((context.now - created) / 1000)),
    deadline: deadline === undefined ? null : rfc3339(deadline),
    waitingFor: deleting ? null : waitingText(rule, task, obstacles),
    atDeadline: deleting ? 'lost' : rule === 'suppressed' ? null : outcome.kind,
    consequence: deleting
      ? 'the binding is being deleted, and all copies with it'
      : consequence(task, rule, outcome, facts),
    verdict: deleting ? 'ends-now' : verdictOf(rule, obstacles),
    fromHealth: reported.get(task.fromCluster)?.health ?? null,
    staleHealth,
    evidence: [
      ...ruleEvidence(index, rule, facts),
      ...(rule === 'healthy' || rule === 'waiting' ? staleEvidence(toClusters, facts) : []),
      ...obstacles.flatMap(({ evidence }) => evidence ?? []),
      ...unreadEvidence(task, facts),
    ],
  };
}

/** Something that has to happen before the controller ends the task by itself. */
interface Obstacle {
  what: string;
  /** nothing in sight makes it happen */
  stuck: boolean;
  evidence?: Evidence;
}

function whatItWaitsFor(task: GracefulEvictionTask, targets: EvictionTarget[], facts: Facts): Obstacle[] {
  const scheduling = schedulingObstacle(facts.binding);
  const purge = purgeObstacle(task, facts);
  if (scheduling) return purge ? [scheduling, purge] : [scheduling];
  // while the old Work is there nothing can be reported for a new copy
  const unhealthy = targets
    .filter(({ health }) => health !== 'Healthy' && !(purge && health === null))
    .map((target) => healthObstacle(target, facts));
  return purge ? [purge, ...unhealthy] : unhealthy;
}

/** What stands between the binding and a scheduling result for its present spec, if it has none. */
function schedulingObstacle(binding: ResourceBinding): Obstacle | undefined {
  if (isScheduled(binding)) return undefined;
  if (binding.spec.suspension?.scheduling)
    return { what: 'the scheduler, which spec.suspension.scheduling stops', stuck: true };
  const conditions = binding.status?.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === 'Scheduled');
  const condition = conditions[index];
  if (condition?.status !== 'False')
    return { what: `the scheduler to see generation ${binding.metadata.generation ?? 0}`, stuck: false };
  return {
    what: `a cluster to move to: ${condition.reason}`,
    stuck: true,
    evidence: {
      rule: `the scheduler refuses: ${condition.message ?? condition.reason}`,
      object: bindingIdentity(binding),
      field: `status.conditions[${index}].reason`,
      value: condition.reason,
    },
  };
}

/** Whether nothing new is written while the copy that the task purges directly has its Work. */
function waitsForOldWork({ purgeMode }: Pick<GracefulEvictionTask, 'purgeMode'>, { rules }: EvictionContext) {
  return rules.eviction.directPurge === 'waitsForOldWork' && purgesDirectly(purgeMode, rules);
}

/** Directly: no new Work is written anywhere while the old one exists, and who deletes it is the old cluster. */
function purgeObstacle(
  task: GracefulEvictionTask,
  { works, clusters, context }: Facts,
): Obstacle | undefined {
  const old = works.get(task.fromCluster);
  if (!old || !waitsForOldWork(task, context)) return undefined;
  const unreachable = isStale(clusters.get(task.fromCluster));
  return {
    what: `the old Work on ${task.fromCluster} to be deleted${unreachable ? ' (not Ready)' : ''}`,
    stuck: unreachable,
    evidence: {
      rule: 'purge mode Directly: no Work is written while one exists in the cluster that is left',
      object: { kind: 'Work', namespace: old.metadata.namespace ?? '', name: old.metadata.name },
      field: 'metadata.deletionTimestamp',
      value: old.metadata.deletionTimestamp ?? null,
    },
  };
}

function healthObstacle(target: EvictionTarget, { binding, clusters }: Facts): Obstacle {
  const { name, health, stale } = target;
  const seen = health === null ? 'nothing reported yet' : health;
  if (suspendsDispatching(binding.spec, name))
    return { what: `${name} to be Healthy, where dispatching is suspended`, stuck: true };
  if (stale) {
    const ready = readyCondition(clusters.get(name));
    const why = ready ? `Ready=${ready.status}` : 'no Ready condition';
    return { what: `${name} to be Healthy (${seen}; ${why}, so that nothing reports)`, stuck: true };
  }
  return { what: `${name} to be Healthy (${seen})`, stuck: false };
}

function waitingText(rule: EvictionRule, task: GracefulEvictionTask, obstacles: Obstacle[]): string | null {
  switch (rule) {
    case 'new':
      return 'the graceful eviction controller to see it';
    case 'suppressed':
      return isDrainTask(task)
        ? `the drain of ${task.fromCluster}, to be run again where it does not run`
        : 'a person to release or complete it';
    case 'waiting':
      return obstacles.map(({ what }) => what).join(' and ');
    default:
      return null;
  }
}

function verdictOf(rule: EvictionRule, obstacles: Obstacle[]): EvictionVerdict {
  switch (rule) {
    case 'new':
      return 'new';
    case 'suppressed':
      return 'held';
    case 'waiting':
      return obstacles.some(({ stuck }) => stuck) ? 'stuck' : 'waiting';
    default:
      return 'ends-now';
  }
}

interface Outcome {
  kind: EvictionOutcome;
  /** names of the clusters that carry the workload then */
  clusters: string[];
  /** replicas, or copies of a Duplicated workload, that are missing then */
  missing: number;
}

/** What the binding has besides the clusters that it is being evicted from. */
function outcomeOf({ fromCluster }: GracefulEvictionTask, { binding, clusters, context }: Facts): Outcome {
  const { spec } = binding;
  const targets = targetClusters(spec).map(({ name }) => name);
  if (targets.length === 0) {
    const kind = canReturn(binding, clusters.get(fromCluster), context.rules) ? 'restarted' : 'lost';
    return { kind, clusters: targets, missing: spec.replicas ?? 0 };
  }
  const divided = dividesReplicas(spec);
  if (divided && spec.replicas) {
    const assigned = (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
    const missing = Math.max(0, spec.replicas - assigned);
    return { kind: missing > 0 ? 'partly-moved' : 'moved', clusters: targets, missing };
  }
  // a copy on every cluster: one is missing as long as the scheduler finds none for it
  const kind = schedulingObstacle(binding)?.evidence ? 'partly-moved' : 'moved';
  return { kind, clusters: targets, missing: 0 };
}

/** Whether the scheduler may choose the old cluster again once the task no longer stands in its way. */
function canReturn(binding: ResourceBinding, cluster: Cluster | undefined, rules: Rules): boolean {
  // One that is not Ready carries a NoSchedule taint, if not yet then in a moment.
  return isReady(cluster) && mayReturn(binding, [], cluster!, filterContext(rules.scheduling));
}

function consequence(task: GracefulEvictionTask, rule: EvictionRule, outcome: Outcome, facts: Facts): string {
  const { fromCluster } = task;
  const { kind, missing } = outcome;
  const elsewhere = outcome.clusters.join(', ');
  const carries = outcome.clusters.length === 1 ? 'carries on' : 'carry on';
  if (rule === 'suppressed')
    return outcome.clusters.length === 0
      ? `the copy on ${fromCluster} stays and is the only one`
      : `both copies stay, on ${fromCluster} and ${elsewhere}`;
  const old = facts.works.get(fromCluster);
  if (waitsForOldWork(task, facts.context) && old && outcome.clusters.length > 0)
    return `${elsewhere} gets its copy only then${task.preservedLabelState ? ', without the preserved state' : ''}`;
  const later = isStale(facts.clusters.get(fromCluster)) ? ` once ${fromCluster} is Ready again` : '';
  const gone =
    purgesDirectly(task.purgeMode, facts.context.rules) && !old
      ? `the copy on ${fromCluster} is gone already`
      : `the copy on ${fromCluster} is deleted${later}`;
  switch (kind) {
    case 'lost':
      return `${gone}; nothing replaces it`;
    case 'restarted':
      return `${gone}; after that the scheduler may choose ${fromCluster} again, where it starts anew`;
    case 'partly-moved':
      return missing > 0
        ? `${gone}; ${elsewhere} ${carries} with ${missing} ${missing === 1 ? 'replica' : 'replicas'} fewer than wanted`
        : `${gone}; it is not replaced, ${elsewhere} ${carries}`;
    case 'moved':
      return `${gone}; ${elsewhere} ${carries}`;
  }
}

/** What the controller's rule rests on; a time that follows from an assumed flag is an estimate. */
function ruleEvidence(index: number, rule: EvictionRule, { binding, context }: Facts): Evidence[] {
  const object = bindingIdentity(binding);
  const own = binding.spec.gracefulEvictionTasks![index]!.gracePeriodSeconds != null;
  const timed = rule === 'waiting' || rule === 'timeout';
  return evictionEvidence(binding, index, rule, context).map((evidence, position) => ({
    ...evidence,
    object,
    ...(position === 0 && timed && !own && context.timeoutAssumed
      ? { certainty: 'estimate', missing: context.timeoutAssumed }
      : {}),
  }));
}

/** Directly: whether the old Work still stands in the way is not known where Works cannot be read. */
function unreadEvidence({ fromCluster, purgeMode }: GracefulEvictionTask, facts: Facts): Evidence[] {
  const { unreadWorks: missing } = facts;
  if (missing === undefined || !waitsForOldWork({ purgeMode }, facts.context)) return [];
  const rule = `whether the old Work on ${fromCluster} still exists could not be read; it is taken to be gone`;
  return [{ rule, certainty: 'unknown', missing }];
}

/** Karmada keeps the last status of a cluster that nothing reports of any more, and goes by it. */
function staleEvidence(targets: EvictionTarget[], { clusters }: Facts): Evidence[] {
  return targets
    .filter(({ stale, health }) => stale && health !== null)
    .map(({ name, health }) => {
      const ready = readyCondition(clusters.get(name));
      return {
        rule: `${health} is the last that ${name} reported; it is not Ready now`,
        object: { kind: 'Cluster', name },
        field: 'status.conditions',
        value: ready ? `Ready=${ready.status}` : null,
        certainty: 'unknown',
        missing: `the health on ${name} itself`,
      };
    });
}
