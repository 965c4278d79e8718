import { risksOf } from '../../analysis/findings/policies/changeChecks.ts';
import { policyRisks } from '../../analysis/findings/policies/policyChecks.ts';
import type { PolicyRisk } from '../../analysis/findings/policies/policyRisk.ts';
import { type PolicyEffect, effectOf } from '../../analysis/taintPolicy/effect.ts';
import { changeEvents, type PolicyChange } from '../../analysis/taintPolicy/policyChange.ts';
import type { RemovalPlan } from '../../analysis/taintPolicy/removalPlan.ts';
import { type AnsweredAssumption, unverified } from '../../karmada/configuration/assumptions.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { World } from '../../karmada/world.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import type { SimulateOptions } from '../../simulator/simulation/simulate.ts';
import { type ResumableWorld, usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Ports } from '../ports.ts';
import { memberAssumptions, runScenario } from '../scenario/runScenario.ts';
import { savedState } from '../snapshot/savedState.ts';
import type { OpenedState } from '../state/openState.ts';

/** A planned change of ClusterTaintPolicies: its effect, its risks, and the taints left behind. */
interface PlannedChange {
  effect: PolicyEffect;
  risks: PolicyRisk[];
  /** the assumptions behind the effect on workloads */
  assumptions: AnsweredAssumption[];
}

interface PlanChangeOptions {
  /** also remove the taints that the change leaves behind; absent: they stay */
  withTaints?: boolean;
  /** gates and flags whose values are unverified defaults */
  unverified?: ReadonlySet<string>;
}

/**
 * The effect of a change of policies. Omits risks that a policy already had, or that an unchanged policy has.
 *
 * @param now epoch milliseconds
 */
export function planPolicyChange(
  world: ResumableWorld,
  change: PolicyChange,
  configuration: Configuration,
  now: number,
  { withTaints = false, unverified }: PlanChangeOptions = {},
): PlannedChange {
  const members = usualMembers(world);
  const effect = effectOf(world, change, configuration, now, {
    members,
    otherOrders: OTHER_ORDERS,
    withTaints,
  });
  const unchanged = new Set(
    effect.policies.flatMap(({ name, verb }) => (verb === 'unchanged' ? [name] : [])),
  );
  const ofPolicy = policyRisks(effect.before, world.clusters, configuration, unverified);
  const old = new Map(
    effect.policies.map(({ name, before }) => [name, before && !unchanged.has(name) ? ofPolicy(before) : []]),
  );
  const risks = risksOf(effect, world, configuration, unverified).filter((risk) => {
    if (!('field' in risk)) return true;
    return !unchanged.has(risk.policy) && !old.get(risk.policy)!.some((one) => deepEqual(one, risk));
  });
  return {
    effect,
    risks,
    assumptions: memberAssumptions({ members }, false, world),
  };
}

/**
 * The state after a change of policies, without the taints of `removal` if given: simulated to its end, as the
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
    unverified: unverified(state.assumptions),
    save: (saved) => void (end = saved),
  };
  const start = state.world.simulation?.queues.now ?? state.now;
  const events = changeEvents(change, removal?.steps ?? [], start);
  const scenario = { start, members: usualMembers(state.world), events };
  const simulation = runScenario(state.world, scenario, state.configuration, options, ports);
  return savedState(state, end!, simulation.end);
}
