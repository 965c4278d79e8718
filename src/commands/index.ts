import type { Commands } from '../cli/plugin.ts';

/** The commands by oclif id. Each is loaded when it runs, so that none pays for the others. */
export const commands: Commands = {
  'eviction:inspect': () => import('./eviction/inspect.ts'),
  'failover:explain': () => import('./failover/explain.ts'),
  'failover:simulate': () => import('./failover/simulate.ts'),
  'failover:status': () => import('./failover/status.ts'),
};
