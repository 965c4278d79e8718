import type { EvictionTaskExplanation } from '../../analysis/explanation/tasks/evictionTask.ts';
import type { EvictionTaskChange } from '../../analysis/explanation/tasks/evictionTaskChanges.ts';
import type { QueueStatus } from '../../analysis/explanation/waitingEvictions.ts';
import { bySeverity, evictionTasks } from '../../views/screen/evictionTasks.ts';
import type { ObservedChange } from '../../views/screen/evictionChanges.ts';

export interface WatchedTasks {
  /** absent before the first list; the most important come first */
  tasks?: readonly EvictionTaskExplanation[] | undefined;
  /** newest first */
  changes: readonly ObservedChange[];
  /** the state of the eviction queue, in versions with one */
  queue?: QueueStatus | undefined;
  /** since when the server has been silent: epoch milliseconds of its clock */
  staleSince?: number | undefined;
  /** newest first */
  warnings: readonly Warning[];
}

/** A warning, and its number. */
export interface Warning {
  id: number;
  text: string;
}

export const NOTHING_WATCHED: WatchedTasks = { changes: [], warnings: [] };

/** The most changes and warnings kept; the oldest are dropped. */
const MAX_CHANGES = 2000;
const MAX_WARNINGS = 100;

/** The state after changes at one instant (epoch milliseconds); the first changes are the initial list. */
export function withChanges(
  known: WatchedTasks,
  news: readonly EvictionTaskChange[],
  time: number,
): WatchedTasks {
  const tasks = new Map((known.tasks ?? []).map((task) => [evictionTasks.key(task), task]));
  for (const { task, ended } of news)
    if (ended === undefined) tasks.set(evictionTasks.key(task), task);
    else tasks.delete(evictionTasks.key(task));
  const first = known.changes[0]?.id ?? 0;
  const seen = known.tasks
    ? news.map((change, index): ObservedChange => ({ id: first + index + 1, time, change })).toReversed()
    : [];
  return {
    ...known,
    tasks: bySeverity([...tasks.values()]),
    changes: [...seen, ...known.changes].slice(0, MAX_CHANGES),
  };
}

/** The state after a warning; a repeated warning changes nothing. */
export function withWarning(known: WatchedTasks, text: string): WatchedTasks {
  const { warnings } = known;
  if (warnings.some((one) => one.text === text)) return known;
  return {
    ...known,
    warnings: [{ id: (warnings[0]?.id ?? 0) + 1, text }, ...warnings].slice(0, MAX_WARNINGS),
  };
}

/** The task with this key as it is now or, if it has ended, its last change. */
export function taskWith({ tasks = [], changes }: WatchedTasks, key: string): EvictionTaskChange | undefined {
  const task = tasks.find((one) => evictionTasks.key(one) === key);
  if (task) return { type: 'MODIFIED', task };
  return changes.find(({ change }) => evictionTasks.key(change.task) === key)?.change;
}
