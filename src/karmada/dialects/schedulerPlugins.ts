/** The plugins of karmada-scheduler that --plugins can leave out, in any release (NewInTreeRegistry). */
export const SCHEDULER_PLUGINS = [
  ...(['APIEnablement', 'ClusterAffinity', 'ClusterEviction', 'ClusterLocality'] as const),
  ...(['SpreadConstraint', 'TaintToleration', 'WorkloadAffinity', 'WorkloadAntiAffinity'] as const),
] as const;

/**
 * Whether a list such as "*,-TaintToleration" starts a plugin: "*" starts all, then the last entry that names it
 * decides (Registry.Filter).
 */
export function startsPlugin(list: string, name: string): boolean {
  if (list === '*') return true;
  const entries = list.split(',');
  const decisive = entries.findLast((one) => one === name || one === `-${name}`);
  return decisive === undefined ? entries.includes('*') : decisive === name;
}
