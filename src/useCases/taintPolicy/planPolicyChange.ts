import { effectOf, type PolicyEffect } from '../../analysis/taintPolicy/effect.ts';
import type { PolicyChange } from '../../analysis/taintPolicy/policyChange.ts';
import { risksOf } from '../../analysis/findings/policies/changeChecks.ts';
import { policyRisks } from '../../analysis/findings/policies/policyChecks.ts';
import type { PolicyRisk } from '../../analysis/findings/policies/policyRisk.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import type { AnsweredAssumption } from '../../karmada/configuration/answeredAssumption.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import { memberAssumptions } from '../scenario/runScenario.ts';

/** A change of ClusterTaintPolicies before it is made: what it does, what it risks, what it leaves behind. */
export interface PlannedChange {
  effect: PolicyEffect;
  risks: PolicyRisk[];
  /** the assumptions behind the effect on workloads */
  assumptions: AnsweredAssumption[];
}

export interface PlanChangeOptions {
  /** also remove the taints that the change leaves behind; absent: they stay */
  withTaints?: boolean;
  /** gates and flags whose values are defaults that nobody has confirmed */
  unconfirmed?: ReadonlySet<string>;
}

/**
 * What a change of policies would do. Reports no risk that a policy had before the change, or that an unchanged policy
 * has.
 *
 * @param now epoch milliseconds
 */
export function planPolicyChange(
  world: ResumableWorld,
  change: PolicyChange,
  configuration: Configuration,
  now: number,
  { withTaints = false, unconfirmed }: PlanChangeOptions = {},
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
  const ofPolicy = policyRisks(effect.before, world.clusters, configuration, unconfirmed);
  const old = new Map(
    effect.policies.map(({ name, before }) => [name, before && !unchanged.has(name) ? ofPolicy(before) : []]),
  );
  const risks = risksOf(effect, world, configuration, unconfirmed).filter((risk) => {
    if (!('field' in risk)) return true;
    return !unchanged.has(risk.policy) && !old.get(risk.policy)!.some((one) => deepEqual(one, risk));
  });
  return {
    effect,
    risks,
    assumptions: memberAssumptions({ members }, false, world),
  };
}
