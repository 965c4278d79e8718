import { instant } from '../../kubernetes/time.ts';
import type { GracefulEvictionTask } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { startsController } from '../dialects/controllerList.ts';
import { enabledPlugins } from '../dialects/flags.ts';
import type { Rules } from '../dialects/rules.ts';
import type { EvictPluginName } from '../dialects/switches/eviction.ts';
import type { Replacement } from './replacement.ts';

/** Inputs of the graceful eviction controller besides the binding. */
export interface EvictionClock {
  /** epoch milliseconds */
  now: number;
  /** the flag graceful-eviction-timeout, in milliseconds; a task's gracePeriodSeconds overrides it */
  gracefulEvictionTimeout: number;
  /** the checks that can end a task before its timeout */
  plugins: readonly EvictPluginName[];
  /** karmada-controller-manager does not start the controller, so no rule applies to tasks */
  unattended?: true;
  rules: Rules;
}

/** The EvictionClock of a configuration at `now`. */
export function evictionClock(now: number, configuration: Configuration): EvictionClock {
  const { controllerManager, rules } = configuration;
  return {
    now,
    gracefulEvictionTimeout: controllerManager['graceful-eviction-timeout'],
    plugins: evictPluginsOf(configuration),
    ...(!startsController(controllerManager.controllers, 'gracefulEviction') && { unattended: true }),
    rules,
  };
}

/**
 * The rule that decides about a task, the first that applies:
 * - `unattended`: the controller is not started; the task does not change
 * - `unscheduled`: the version reconciles only bindings with a scheduled current spec, unlike this one; the task does
 *   not change
 * - `new`: it has no creationTimestamp; it gets one and stays
 * - `suppressed`: suppressDeletion is true; it stays, without a timeout
 * - `released`: suppressDeletion is false; it ends
 * - `timeout`: its deadline has passed; it ends
 * - `returned`: the cluster is in spec.clusters again; it ends (InBoth)
 * - `healthy`: scheduled, and healthy on every cluster of spec.clusters; it ends (ResourceHealth)
 * - `waiting`: none of these; it stays
 */
export type EvictionRule =
  | 'unattended'
  | 'unscheduled'
  | 'new'
  | 'suppressed'
  | 'released'
  | 'timeout'
  | 'returned'
  | 'healthy'
  | 'waiting';

const KEEPING: ReadonlySet<EvictionRule> = new Set([
  'unattended',
  'unscheduled',
  'new',
  'suppressed',
  'waiting',
]);

/** Whether the rule ends a task, so that only spec.clusters keeps a copy in its cluster. */
export function endsTask(rule: EvictionRule): boolean {
  return !KEEPING.has(rule);
}

/**
 * The rule that applies to a task now (graceful eviction controllers). The purgeMode and the health of fromCluster do
 * not matter.
 *
 * @param task as the controller counts it, see `countedTasks`
 */
export function evictionRule(
  task: GracefulEvictionTask,
  replaced: Replacement,
  clock: EvictionClock,
): EvictionRule {
  if (clock.unattended) return 'unattended';
  if (creationOf(task) === undefined) return 'new';
  if (task.suppressDeletion === true) return 'suppressed';
  if (task.suppressDeletion === false) return 'released';
  const deadline = evictionDeadline(task, clock);
  if (deadline !== undefined && clock.now > deadline) return 'timeout';
  return passedPlugin(task, replaced, clock.plugins) ?? 'waiting';
}

/**
 * When a task times out, in epoch milliseconds: right after that instant. Undefined if the task is new, if
 * suppressDeletion decides, if tasks do not time out, or if no controller handles them.
 */
export function evictionDeadline(task: GracefulEvictionTask, clock: EvictionClock): number | undefined {
  if (typeof task.suppressDeletion === 'boolean' || !timesOut(task, clock.rules)) return undefined;
  if (clock.unattended) return undefined;
  return graceEnd(task, clock);
}

/** Whether a task's deadline is set by the flag graceful-eviction-timeout, not by its own gracePeriodSeconds. */
export function isTimedByFlag({ gracePeriodSeconds }: GracefulEvictionTask): boolean {
  return gracePeriodSeconds == null;
}

/** Whether a task that is not held times out. */
export function timesOut(
  { gracePeriodSeconds }: { gracePeriodSeconds?: number | null | undefined },
  { eviction }: Rules,
): boolean {
  return gracePeriodSeconds == null ? eviction.taskTimeout : eviction.taskGrace;
}

/**
 * When a task's grace period ends (epoch milliseconds), even if it does not time out then: a copy held longer than that
 * is overdue.
 */
export function graceEnd(
  task: GracefulEvictionTask,
  clock: Pick<EvictionClock, 'gracefulEvictionTimeout'>,
): number | undefined {
  const created = creationOf(task);
  return created === undefined ? undefined : created + graceOf(task, clock);
}

/** A task's grace period after its creationTimestamp, in milliseconds. */
export function graceOf(
  { gracePeriodSeconds }: GracefulEvictionTask,
  { gracefulEvictionTimeout }: Pick<EvictionClock, 'gracefulEvictionTimeout'>,
): number {
  return gracePeriodSeconds == null ? gracefulEvictionTimeout : gracePeriodSeconds * 1000;
}

const ZERO_TIME = '0001-01-01T00:00:00Z';

/** A task's creationTimestamp, in epoch milliseconds; undefined until the controller has set it. */
export function creationOf({ creationTimestamp }: GracefulEvictionTask): number | undefined {
  return creationTimestamp && creationTimestamp !== ZERO_TIME ? instant(creationTimestamp) : undefined;
}

/** A check of the graceful eviction controllers: a task may end before its timeout if any of them passes. */
interface EvictPlugin {
  /** the EvictionRule that applies to a task if the check passes */
  rule: 'healthy' | 'returned';
  passes(task: GracefulEvictionTask, replaced: Replacement): boolean;
}

const plugins: Record<EvictPluginName, EvictPlugin> = {
  InBoth: { rule: 'returned', passes: ({ fromCluster }, replaced) => replaced.has(fromCluster) },
  ResourceHealth: { rule: 'healthy', passes: (_task, replaced) => replaced.scheduled && replaced.healthy() },
};

/** The enabled checks: those of the version that the flag evict-plugins enables. */
export function evictPluginsOf({ rules, controllerManager }: Configuration): readonly EvictPluginName[] {
  return enabledPlugins(controllerManager['evict-plugins'], rules.eviction.evictPlugins);
}

/** The rule of the first plugin that lets a task end; undefined if none does. */
export function passedPlugin(
  task: GracefulEvictionTask,
  replaced: Replacement,
  names: readonly EvictPluginName[],
): EvictPlugin['rule'] | undefined {
  for (const name of names) if (plugins[name].passes(task, replaced)) return plugins[name].rule;
  return undefined;
}

/** Cached by list, since it is needed for each task. */
const leakedIntoTimeouts = new WeakMap<GracefulEvictionTask[], GracefulEvictionTask[]>();

/**
 * The tasks of a list as the graceful eviction controller checks them for timeouts: each with its own
 * gracePeriodSeconds or, in versions with that bug, an earlier task's.
 */
export function countedTasks(tasks: GracefulEvictionTask[], { eviction }: Rules): GracefulEvictionTask[] {
  if (eviction.gracePeriods !== 'leakIntoTimeouts') return tasks;
  let counted = leakedIntoTimeouts.get(tasks);
  if (!counted) {
    counted = leaking(tasks, ({ creationTimestamp }) => Boolean(creationTimestamp));
    leakedIntoTimeouts.set(tasks, counted);
  }
  return counted;
}

/** The same for the next reconcile of the remaining tasks. */
export function countedForRetry(tasks: GracefulEvictionTask[], { eviction }: Rules): GracefulEvictionTask[] {
  if (eviction.gracePeriods !== 'leakIntoRetries') return tasks;
  return leaking(tasks, ({ suppressDeletion }) => typeof suppressDeletion !== 'boolean');
}

function leaking(
  tasks: GracefulEvictionTask[],
  counts: (task: GracefulEvictionTask) => boolean,
): GracefulEvictionTask[] {
  let leaked: number | null | undefined;
  return tasks.map((task) => {
    if (!counts(task)) return task;
    leaked = task.gracePeriodSeconds ?? leaked;
    return leaked == null || task.gracePeriodSeconds != null ? task : { ...task, gracePeriodSeconds: leaked };
  });
}
