import type { Scenario } from '../../engine/scenario.ts';
import type { SimulateOptions } from '../../engine/simulation/simulate.ts';
import type { PolicyChange } from '../../engine/taintPolicy/policyChange.ts';
import type { RemovalPlan } from '../../engine/taintPolicy/removalPlan.ts';
import type { World } from '../../engine/world.ts';
import { unconfirmed } from '../../karmada/answeredAssumption.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { usualMembers } from '../../state/scenarioFile.ts';
import type { Ports } from '../ports.ts';
import { runScenario } from '../scenario/runScenario.ts';
import { savedState } from '../snapshot/savedState.ts';
import type { OpenedState } from '../state/openState.ts';

/**
 * The state after a change of policies, without the taints of `removal` if one is given: simulated to its end, as the
 * text of a snapshot that can be opened as a state.
 */
export function stateAfterChange(
  state: OpenedState,
  change: PolicyChange,
  removal: RemovalPlan | undefined,
  ports: Ports,
): Iterable<string> {
  let end: World | undefined;
  const options: SimulateOptions = {
    unconfirmed: unconfirmed(state.assumptions),
    save: (saved) => void (end = saved),
  };
  const scenario = scenarioOf(state, change, removal);
  const simulation = runScenario(state.world, scenario, state.configuration, options, ports);
  return savedState(state, end!, simulation.end);
}

/** As on a live control plane: apply policies, remove the taints that they leave behind, delete policies. */
function scenarioOf(
  { world, now }: OpenedState,
  { applied = [], deleted = [] }: PolicyChange,
  removal: RemovalPlan | undefined,
): Scenario {
  const start = world.simulation?.queues.now ?? now;
  const at = (action: Scenario['events'][number]['action']) => ({ at: start, action });
  const objects = applied.map((policy) => ({
    ...policy,
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
  })) as unknown as KubernetesObject[];
  const untaints = (removal?.steps ?? []).flatMap(({ cluster, taints }) =>
    taints.map(({ key, effect }) => at({ type: 'untaint', cluster, key, effect })),
  );
  return {
    start,
    members: usualMembers(world),
    events: [
      ...(objects.length > 0 ? [at({ type: 'apply', objects })] : []),
      ...untaints,
      ...deleted.map((name) => at({ type: 'delete', target: { kind: 'ClusterTaintPolicy', name } })),
    ],
  };
}
