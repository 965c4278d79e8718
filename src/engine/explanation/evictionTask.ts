import { dividesReplicas } from '../objects/placement.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { PurgeMode } from '../../karmada/api/policy.ts';
import type {
  GracefulEvictionTask,
  ResourceBinding,
  ResourceHealth,
  TargetCluster,
  Work,
} from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
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
import type { ClusterSnapshot } from '../scheduling/clusterSnapshot.ts';
import { schedulerSnapshot } from '../scheduling/schedulerSnapshot.ts';
import { samePlacement } from './schedulingDecision.ts';
import { foreseenEnd, type ForeseenEnd } from '../verdicts/foreseen.ts';
import type { Outcome } from '../verdicts/outcome.ts';
import { missingKind, type World } from '../world.ts';
import { isDrainTask } from '../eviction/drainTask.ts';
import { bindingIdentity, workloadIdentity } from '../objects/identities.ts';
import { isStale, readyCondition } from '../objects/clusterReadiness.ts';
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
 * What is there instead of the old copy once the task ends, with the clusters as they are now. It follows from what the judge says of the
 * workload:
 * - `moved`: as many replicas, or copies, as the binding asks for
 * - `partly-moved`: fewer
 * - `restarted`: a new copy, since the scheduler then chooses the old cluster again
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
  /** what becomes of the workload, and where it is once its evictions are over */
  outcome: Outcome;
  after: TargetCluster[];
  /** the same in a sentence */
  consequence: string;
  verdict: EvictionVerdict;
  /** as reported for the old copy; null where nothing was */
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
  /** where the flag graceful-eviction-timeout is known from, if it is only assumed */
  timeoutAssumed?: string;
}

/** What the graceful eviction controller goes by in this configuration. */
export function evictionClock({ now, configuration }: EvictionContext): EvictionClock {
  const { controllerManager, rules } = configuration;
  return { now, gracefulEvictionTimeout: controllerManager['graceful-eviction-timeout'], rules };
}

/**
 * Explains every eviction task of the bindings, in the order of the bindings. What a task waits for and
 * whether its time is up is decided by the graceful eviction controller's own rule, what becomes of the workload by the judge.
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
  const { now, configuration } = context;
  const snapshot =
    context.snapshot ?? schedulerSnapshot(world.clusters, world.bindings ?? bindings, configuration);
  return evicting.flatMap((binding) => {
    const end = foreseenEnd(binding, { snapshot, configuration, now });
    const { rules } = configuration;
    const clock = evictionClock(context);
    const facts: Facts = {
      binding,
      clusters,
      works: works(binding),
      unreadWorks,
      context,
      rules,
      clock,
      end,
    };
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
  rules: Rules;
  clock: EvictionClock;
  /** what its evictions come to */
  end: ForeseenEnd;
}

function explainTask(task: GracefulEvictionTask, index: number, facts: Facts): EvictionTaskExplanation {
  const { binding, clusters, rules, clock, end } = facts;
  const counted = countedTasks(binding.spec.gracefulEvictionTasks!, rules)[index]!;
  const rule = evictionRule(counted, replacementOf(binding, rules), clock);
  const created = rule === 'new' ? undefined : instant(task.creationTimestamp!);
  const deadline = evictionDeadline(counted, clock);
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
  const atEnd = endOf(task, facts);
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
    ageSeconds: created === undefined ? null : Math.max(0, Math.floor((clock.now - created) / 1000)),
    deadline: deadline === undefined ? null : rfc3339(deadline),
    waitingFor: deleting ? null : waitingText(rule, task, obstacles),
    atDeadline: deleting ? 'lost' : rule === 'suppressed' ? null : atEnd.kind,
    outcome: deleting ? 'lost' : end.judgement.outcome,
    after: deleting ? [] : end.judgement.after,
    consequence: deleting
      ? 'the binding is being deleted, and all copies with it'
      : consequence(task, rule, atEnd, facts),
    verdict: deleting ? 'ends-now' : verdictOf(rule, obstacles),
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
function waitsForOldWork({ purgeMode }: Pick<GracefulEvictionTask, 'purgeMode'>, { rules }: Facts) {
  return rules.eviction.directPurge === 'waitsForOldWork' && purgesDirectly(purgeMode, rules);
}

/** Directly: no new Work is written anywhere while the old one exists, and who deletes it is the old cluster. */
function purgeObstacle(task: GracefulEvictionTask, facts: Facts): Obstacle | undefined {
  const { works, clusters } = facts;
  const old = works.get(task.fromCluster);
  if (!old || !waitsForOldWork(task, facts)) return undefined;
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

interface TaskEnd {
  kind: EvictionOutcome;
  /** names of the clusters that carry the workload then, but for the one that it left */
  clusters: string[];
  /** replicas of a Divided workload that are missing then */
  missing: number;
}

/** What the judge's word for the workload means for the copy of one task. */
function endOf({ fromCluster }: GracefulEvictionTask, { binding, end }: Facts): TaskEnd {
  const { spec } = end.binding;
  const targets = targetClusters(spec).map(({ name }) => name);
  const clusters = targets.filter((name) => name !== fromCluster);
  const assigned = (spec.clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  const missing = dividesReplicas(spec) ? Math.max(0, (spec.replicas ?? 0) - assigned) : 0;
  const wasThere = targetClusters(binding.spec).some(({ name }) => name === fromCluster);
  if (targets.includes(fromCluster) && !wasThere) return { kind: 'restarted', clusters, missing };
  // What has no placement of its own is where others need it.
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

function consequence(task: GracefulEvictionTask, rule: EvictionRule, end: TaskEnd, facts: Facts): string {
  const { fromCluster } = task;
  const { kind, missing, clusters } = end;
  const elsewhere = clusters.join(', ');
  const carries = clusters.length === 1 ? 'carries on' : 'carry on';
  if (rule === 'suppressed')
    return clusters.length === 0
      ? `the copy on ${fromCluster} stays and is the only one`
      : `both copies stay, on ${fromCluster} and ${elsewhere}`;
  const old = facts.works.get(fromCluster);
  const again = `the scheduler then puts it on ${fromCluster} again, where it starts anew`;
  if (waitsForOldWork(task, facts) && old && clusters.length > 0)
    return [
      `${elsewhere} ${clusters.length === 1 ? 'gets its copy' : 'get their copies'} only then${task.preservedLabelState ? ', without the preserved state' : ''}`,
      ...(kind === 'restarted' ? [again] : []),
    ].join('; ');
  const later = isStale(facts.clusters.get(fromCluster)) ? ` once ${fromCluster} is Ready again` : '';
  const gone =
    purgesDirectly(task.purgeMode, facts.rules) && !old
      ? `the copy on ${fromCluster} is gone already`
      : `the copy on ${fromCluster} is deleted${later}`;
  switch (kind) {
    case 'lost':
      return clusters.length > 0
        ? `${gone}; what replaces it on ${elsewhere} does not get ready`
        : `${gone}; nothing replaces it`;
    case 'restarted':
      return `${gone}; ${again}${clusters.length > 0 ? `; ${elsewhere} ${carries}` : ''}`;
    case 'partly-moved':
      return missing > 0
        ? `${gone}; ${elsewhere} ${carries} with ${missing} ${missing === 1 ? 'replica' : 'replicas'} fewer than wanted`
        : `${gone}; it is not replaced, ${elsewhere} ${carries}`;
    case 'moved':
      return `${gone}; ${elsewhere} ${carries}`;
  }
}

/** What the controller's rule rests on; a time that follows from an assumed flag is an estimate. */
function ruleEvidence(index: number, rule: EvictionRule, { binding, context, clock }: Facts): Evidence[] {
  const object = bindingIdentity(binding);
  const own = binding.spec.gracefulEvictionTasks![index]!.gracePeriodSeconds != null;
  const timed = rule === 'waiting' || rule === 'timeout';
  return evictionEvidence(binding, index, rule, clock).map((evidence, position) => ({
    ...evidence,
    object,
    ...(position === 0 && timed && !own && context.timeoutAssumed
      ? { certainty: 'estimate', missing: context.timeoutAssumed }
      : {}),
  }));
}

/** Where the scheduler would place what it has not looked at yet. */
function foreseenEvidence({ binding, end: { next } }: Facts): Evidence[] {
  if (!next || samePlacement(next.clusters, binding.spec.clusters ?? [])) return [];
  const on = next.clusters.map(({ name }) => name).join(', ') || 'no cluster';
  return [
    {
      rule: `the scheduler would place it on ${on} now`,
      field: 'spec.placement',
      ...(next.byRoom
        ? { certainty: 'estimate', missing: 'the room on clusters when the scheduler looks' }
        : {}),
    },
  ];
}

/** Directly: whether the old Work still stands in the way is not known where Works cannot be read. */
function unreadEvidence({ fromCluster, purgeMode }: GracefulEvictionTask, facts: Facts): Evidence[] {
  const { unreadWorks: missing } = facts;
  if (missing === undefined || !waitsForOldWork({ purgeMode }, facts)) return [];
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
