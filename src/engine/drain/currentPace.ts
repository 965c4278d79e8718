import type { Cluster } from '../../karmada/api/cluster.ts';
import type { DrainPace } from './drainOptions.ts';
import type { CurrentPace } from './drainStep.ts';

/** The pace of evictions by the health of the clusters now, as the proposal Optimize Cluster Failover has it. */
export function currentPace(_clusters: readonly Cluster[], _pace: DrainPace): CurrentPace {
  throw new Error('not built yet');
}
