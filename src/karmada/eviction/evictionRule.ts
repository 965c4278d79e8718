import { instant } from '../../kubernetes/time.ts';
import type { GracefulEvictionTask } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { startsController } from '../dialects/controllerList.ts';
import { enabledPlugins } from '../dialects/flags.ts';
import type { Rules } from '../dialects/rules.ts';
import type { EvictPluginName } from '../dialects/switches/eviction.ts';
import type { Replacement } from './replacement.ts';

/** What the graceful eviction controller needs besides the binding. */
export interface EvictionClock {
  /** epoch milliseconds */
  now: number;
  /** the flag graceful-eviction-timeout, in milliseconds; a task's gracePeriodSeconds replaces it */
  gracefulEvictionTimeout: number;
  /** the checks that end a task before its time */
  plugins: readonly EvictPluginName[];
  /** karmada-controller-manager does not start the controller, so that no rule acts on a task */
  unattended?: true;
  rules: Rules;
}

/** The clock of a configuration. */
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
 * - `unattended`: the controller is not started; it stays as it is
 * - `unscheduled`: the version looks only at bindings whose current spec has been scheduled, and this one has not; it stays as it is
 * - `new`: it has no creationTimestamp; it gets one and stays
 * - `suppressed`: suppressDeletion is true; it stays, without a timeout
 * - `released`: suppressDeletion is false; it ends
 * - `timeout`: its time is up; it ends
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
 * The rule that applies to a task now (graceful eviction controllers). Neither the purgeMode nor the health of
 * fromCluster matters.
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
 * suppressDeletion decides, if tasks do not time out, or if nobody attends to them.
 */
export function evictionDeadline(task: GracefulEvictionTask, clock: EvictionClock): number | undefined {
  if (typeof task.suppressDeletion === 'boolean' || !timesOut(task, clock.rules)) return undefined;
  if (clock.unattended) return undefined;
  return timeIsUp(task, clock);
}

/** Whether the deadline of a task is by the flag graceful-eviction-timeout, and not by a time of its own. */
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
 * When a task's grace is over (epoch milliseconds), whether it then times out or not: whoever holds a copy has waited
 * long enough.
 */
export function timeIsUp(
  task: GracefulEvictionTask,
  clock: Pick<EvictionClock, 'gracefulEvictionTimeout'>,
): number | undefined {
  const created = creationOf(task);
  return created === undefined ? undefined : created + graceOf(task, clock);
}

/** The grace of a task from its creationTimestamp on, in milliseconds. */
export function graceOf(
  { gracePeriodSeconds }: GracefulEvictionTask,
  { gracefulEvictionTimeout }: Pick<EvictionClock, 'gracefulEvictionTimeout'>,
): number {
  return gracePeriodSeconds == null ? gracefulEvictionTimeout : gracePeriodSeconds * 1000;
}

const ZERO_TIME = '0001-01-01T00:00:00Z';

/** The creationTimestamp of a task, in epoch milliseconds; undefined until the controller has set it. */
export function creationOf({ creationTimestamp }: GracefulEvictionTask): number | undefined {
  return creationTimestamp && creationTimestamp !== ZERO_TIME ? instant(creationTimestamp) : undefined;
}

/** A check of the graceful eviction controllers: whether a task may end before its time, whatever other checks say. */
interface EvictPlugin {
  /** the EvictionRule that applies to a task if it passes */
  rule: 'healthy' | 'returned';
  passes(task: GracefulEvictionTask, replaced: Replacement): boolean;
}

const plugins: Record<EvictPluginName, EvictPlugin> = {
  InBoth: { rule: 'returned', passes: ({ fromCluster }, replaced) => replaced.has(fromCluster) },
  ResourceHealth: { rule: 'healthy', passes: (_task, replaced) => replaced.scheduled && replaced.healthy() },
};

/** The checks that are in use: those of the version which the flag evict-plugins enables. */
export function evictPluginsOf({ rules, controllerManager }: Configuration): readonly EvictPluginName[] {
  return enabledPlugins(controllerManager['evict-plugins'], rules.eviction.evictPlugins);
}

/** The rule of the first of the plugins that lets a task end; undefined if none does. */
export function passedPlugin(
  task: GracefulEvictionTask,
  replaced: Replacement,
  names: readonly EvictPluginName[],
): EvictPlugin['rule'] | undefined {
  for (const name of names) if (plugins[name].passes(task, replaced)) return plugins[name].rule;
  return undefined;
}

/** A cache by list: callers ask once for each task. */
const leakedIntoTimeouts = new WeakMap<GracefulEvictionTask[], GracefulEvictionTask[]>();

/**
 * The tasks of a list as the graceful eviction controller checks them for timeouts: each with its own
 * gracePeriodSeconds or, in versions with that bug, with that of an earlier task.
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

/** The same for the time of the controller's next look at the tasks that stay. */
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
