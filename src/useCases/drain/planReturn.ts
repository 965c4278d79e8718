import { INTERPRETERS } from '../../karmada/status/healthInterpreter.ts';
import type { CancelPlan } from '../../analysis/drain/back/planCancel.ts';
import type { Ports } from '../ports.ts';
import { knownCluster } from '../selection/selection.ts';
import { openState, type LiveState, type OpenedState } from '../state/openState.ts';
import type { LiveRequest, StateRequest } from '../state/stateRequest.ts';

/** The kinds that show the evictions, and the state of the old copies and the new ones. */
const KINDS = new Set(['Cluster', 'ResourceBinding', 'ClusterResourceBinding', 'Work', ...INTERPRETERS]);

/** The state in which to take drains back. The caller closes its server. */
export function openForReturn(state: LiveRequest, ports: Ports): Promise<LiveState>;
export function openForReturn(state: StateRequest, ports: Ports): Promise<OpenedState>;
export function openForReturn(state: StateRequest, ports: Ports): Promise<OpenedState> {
  return openState(state, ports, { kinds: KINDS });
}

/** The effect of cancelling the drains of clusters. Rejects with a Problem for a cluster without traces of a drain. */
export async function planReturn(
  { world, configuration, now }: OpenedState,
  clusters: readonly string[],
): Promise<{ plan: CancelPlan; /** everything is already as before the drain */ isDone: boolean }> {
  const [{ planCancel }, { clustersToRestore, cancelledDrain }] = await Promise.all([
    import('../../analysis/drain/back/planCancel.ts'),
    import('../../analysis/drain/back/planCancel.ts'),
  ]);
  // a drain may still hold copies of a cluster that was deleted
  for (const name of clusters)
    if (!world.bindings.some((binding) => clustersToRestore(binding, cancelledDrain([name], [])).length > 0))
      knownCluster('cancel', name, world);
  const plan = planCancel(world, [...clusters], configuration, now);
  const { restored, left } = plan;
  const isWhole = plan.clusters.every(({ change }) => change === 'as-it-is');
  // a workload that is not put back may already be released
  return { plan, isDone: isWhole && restored.length === 0 && left.length === 0 };
}
