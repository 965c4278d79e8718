import type { Suite } from './suite.ts';

/**
 * Loads the module for a suite; several suites ask the same question with different inputs. All imports are literal, so that a bundler
 * finds them.
 */
export const suiteModules: Record<string, () => Promise<{ default: Suite }>> = {
  'app-failover-task': () => import('./suites/app-failover-task.ts'),
  'application-failover': () => import('./suites/application-failover.ts'),
  'cluster-affinity': () => import('./suites/cluster-affinity.ts'),
  'cluster-health': () => import('./suites/cluster-health.ts'),
  'cluster-taints': () => import('./suites/cluster-taints.ts'),
  dispenser: () => import('./suites/dispenser.ts'),
  'graceful-evict-cluster': () => import('./suites/graceful-evict-cluster.ts'),
  'graceful-eviction': () => import('./suites/graceful-eviction.ts'),
  jsonpath: () => import('./suites/jsonpath.ts'),
  'schedule-binding': () => import('./suites/schedule-binding.ts'),
  'schedule-capacity': () => import('./suites/schedule.ts'),
  'schedule-components-off': () => import('./suites/schedule-components-off.ts'),
  'schedule-components': () => import('./suites/schedule-components.ts'),
  'schedule-estimator': () => import('./suites/schedule.ts'),
  'schedule-failover': () => import('./suites/schedule-failover.ts'),
  'schedule-large': () => import('./suites/schedule.ts'),
  'schedule-spread': () => import('./suites/schedule.ts'),
  schedule: () => import('./suites/schedule.ts'),
  'taint-manager': () => import('./suites/taint-manager.ts'),
  'taint-policy': () => import('./suites/taint-policy.ts'),
  tolerations: () => import('./suites/tolerations.ts'),
  'webhook-mutate': () => import('./suites/webhook-mutate.ts'),
  'webhook-validate': () => import('./suites/webhook-validate.ts'),
  'work-eviction': () => import('./suites/work-eviction.ts'),
};

/** Loads the module of a suite; throws for an unknown suite. */
export async function loadSuite(name: string): Promise<Suite> {
  const load = suiteModules[name];
  if (!load) throw new Error(`no module serves the suite "${name}"`);
  return (await load()).default;
}
