// Differences between Karmada versions in the Go API that the oracle calls: a file of `adapters` for each point.

const SINCE_1_14 = ['deletion_skips', 'taints_switch', 'policies_taint', 'taint_policy'];
const UNTIL_1_13 = [
  'deletion_taints',
  'taints_automatic',
  'policies_tolerations',
  'purge_at_once',
  'state_controller',
  'index_fields',
];
const SINCE_1_16 = [
  ...SINCE_1_14,
  'dispenser_webster',
  'purge_waits',
  'state_helper',
  'index_registry',
  'graceful_tasks',
];

/** The adapters of each version that the oracle supports, oldest first. */
export const adapters: Readonly<Record<string, readonly string[]>> = {
  'v1.12.1': [...UNTIL_1_13, 'validation_spec', 'dispenser_random', 'cache_clusters', 'graceful_spec'],
  'v1.13.1': [...UNTIL_1_13, 'validation_spec', 'dispenser_random', 'cache_clusters', 'graceful_tasks'],
  'v1.16.0': [...SINCE_1_16, 'validation_spec', 'cache_clusters'],
  'v1.17.1': [...SINCE_1_16, 'validation_namespace', 'cache_bindings'],
  'v1.18.0': [...SINCE_1_16, 'validation_namespace', 'cache_assumptions'],
  'v1.18.2': [...SINCE_1_16, 'validation_namespace', 'cache_assumptions'],
};

export const versions: readonly string[] = Object.keys(adapters);
