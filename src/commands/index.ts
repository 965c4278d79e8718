import type { Commands } from '../cli/oclif/plugin.ts';

/** The commands by oclif id. Each is loaded only when it runs. */
export const commands: Commands = {
  'controller:manifests': () => import('./controller/manifests.ts'),
  'controller:run': () => import('./controller/run.ts'),
  cordon: () => import('./cordon.ts'),
  dashboard: () => import('./dashboard.ts'),
  drain: () => import('./drain.ts'),
  'eviction:cancel': () => import('./eviction/cancel.ts'),
  'eviction:complete': () => import('./eviction/complete.ts'),
  'eviction:hold': () => import('./eviction/hold.ts'),
  'eviction:inspect': () => import('./eviction/inspect.ts'),
  'eviction:release': () => import('./eviction/release.ts'),
  'failover:diff': () => import('./failover/diff.ts'),
  'failover:explain': () => import('./failover/explain.ts'),
  'failover:simulate': () => import('./failover/simulate.ts'),
  'failover:status': () => import('./failover/status.ts'),
  record: () => import('./record.ts'),
  'snapshot:save': () => import('./snapshot/save.ts'),
  'taint-policy:apply': () => import('./taint-policy/apply.ts'),
  'taint-policy:convert': () => import('./taint-policy/convert.ts'),
  'taint-policy:delete': () => import('./taint-policy/delete.ts'),
  'taint-policy:explain': () => import('./taint-policy/explain.ts'),
  'taint-policy:list': () => import('./taint-policy/list.ts'),
  'taint-policy:validate': () => import('./taint-policy/validate.ts'),
  uncordon: () => import('./uncordon.ts'),
  version: () => import('./version.ts'),
};
