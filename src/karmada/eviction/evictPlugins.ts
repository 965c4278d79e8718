import type { GracefulEvictionTask } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { EvictPluginName } from '../dialects/switches/eviction.ts';
import { enabledPlugins } from '../dialects/flags.ts';
import type { Replacement } from './replacement.ts';

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
