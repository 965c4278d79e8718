import { versionSwitch } from '../history.ts';

/** Directly and Gracefully have deprecated synonyms: Immediately and Graciously. */
export type PurgeMode = 'Directly' | 'Gracefully' | 'Never' | 'Immediately' | 'Graciously';

/** The checks that can end a task, by their names in the flag evict-plugins; see `karmada/eviction/evictionRule.ts`. */
export const EVICT_PLUGINS = ['InBoth', 'ResourceHealth'] as const;

export type EvictPluginName = (typeof EVICT_PLUGINS)[number];

/** gracefulEvictionTasks, and the Works that they keep. */
export const eviction = {
  directPurgeModes: versionSwitch<readonly PurgeMode[]>({
    decides:
      'the purge modes of tasks that delete the old copy before the new one starts; stored tasks with another mode behave as Gracefully',
    values: [
      { value: ['Immediately'] },
      { since: ['v1.15.0'], value: ['Directly', 'Immediately'] },
      { since: ['v1.19.0'], value: ['Directly'] },
    ],
  }),
  directPurge: versionSwitch({
    decides:
      'whether the Works of a binding that is purged directly are written at once, or only once the old Work is gone',
    values: [{ value: 'inParallel' }, { since: ['v1.15.0'], value: 'waitsForOldWork' }],
  }),
  taskControllers: versionSwitch({
    decides: 'whether the controllers that end tasks run only with gate GracefulEviction, or always',
    values: [{ value: 'gate' }, { since: ['v1.12.0'], value: 'always' }],
  }),
  taskAssessment: versionSwitch({
    decides:
      'whose tasks are checked: only bindings whose current spec has been scheduled (others keep their tasks forever), or all',
    values: [
      { value: 'scheduledBindings' },
      { since: ['v1.11.8', 'v1.12.5', 'v1.13.1', 'v1.14.0'], value: 'allBindings' },
    ],
  }),
  gracePeriods: versionSwitch({
    decides:
      'whether the gracePeriodSeconds of a task also applies to later tasks that have none: for the next check of the list; for their end; or never',
    values: [
      { value: 'leakIntoRetries' },
      { since: ['v1.11.8', 'v1.12.5', 'v1.13.1', 'v1.14.0'], value: 'leakIntoTimeouts' },
      { since: ['v1.14.10', 'v1.15.6', 'v1.16.3', 'v1.17.0'], value: 'own' },
    ],
  }),
  taskGrace: versionSwitch<boolean>({
    decides: 'whether a task ends once its own gracePeriodSeconds are over',
    values: [{ value: true }],
    designs: {
      'optimize-cluster-failover': false,
      'configurable-cluster-failover': true,
      'application-failover': true,
    },
  }),
  taskTimeout: versionSwitch<boolean>({
    decides: 'whether a task without gracePeriodSeconds ends after graceful-eviction-timeout',
    values: [{ value: true }],
    designs: { 'optimize-cluster-failover': false, 'configurable-cluster-failover': true },
  }),
  evictPlugins: versionSwitch<readonly EvictPluginName[]>({
    decides:
      'which checks can end a task (one is enough): the result is healthy (ResourceHealth), or it has the cluster again (InBoth); the flag evict-plugins selects them',
    values: [{ value: ['ResourceHealth'] }],
    designs: { 'optimize-cluster-failover': EVICT_PLUGINS },
  }),
  emptyResult: versionSwitch({
    decides:
      'whether a result without clusters counts as healthy, since nothing in it is unhealthy, or as not yet scheduled',
    values: [{ value: 'healthy' }],
    designs: { 'optimize-cluster-failover': 'unscheduled' },
  }),
  taskListPatch: versionSwitch({
    decides:
      'whether ending a task may overwrite tasks added by another client since, or the patch is then refused',
    values: [
      { value: 'overwrites' },
      { since: ['v1.15.7', 'v1.16.4', 'v1.17.1', 'v1.18.0'], value: 'locked' },
    ],
  }),
  brokenStatus: versionSwitch({
    decides:
      'how state preservation reads a collected status that is not a JSON object: as an empty one, or as it is, so that broken JSON fails',
    values: [{ value: 'empty' }, { since: ['v1.15.0'], value: 'asItIs' }],
  }),
  concurrentWrites: versionSwitch({
    decides: 'whether an eviction task may get lost if two controllers write a binding at once',
    values: [
      { value: 'mayDropTasks' },
      { since: ['v1.15.7', 'v1.16.4', 'v1.17.1', 'v1.18.0'], value: 'keepTasks' },
    ],
  }),
};
