import { effectOf, type PolicyEffect } from '../../analysis/taintPolicy/effect.ts';
import type { PolicyChange } from '../../analysis/taintPolicy/policyChange.ts';
import type { PolicyRisk } from '../../analysis/taintPolicy/risks/policyRisk.ts';
import { policyRisks } from '../../analysis/taintPolicy/risks/policyRisks.ts';
import { risksOf } from '../../analysis/taintPolicy/risks/risksOf.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import type { WorkloadDifference } from '../../simulator/comparison/differences.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import type { AnsweredAssumption } from '../../karmada/configuration/answeredAssumption.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { usualMembers } from '../../state/scenario/scenarioFile.ts';
import { memberAssumptions } from '../scenario/runScenario.ts';

/** A risk of a change: for its policies and clusters, or for what runs there. */
export type ChangeRisk =
  PolicyRisk | { code: 'workloads-lost' | 'workloads-blocked'; workloads: ObjectIdentity[] };

/** A change of ClusterTaintPolicies before it is made: what it does, what it risks, what it leaves behind. */
export interface PlannedChange {
  effect: PolicyEffect;
  risks: ChangeRisk[];
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
    risks: [...risks, ...workloadRisks(effect.workloads)],
    assumptions: memberAssumptions({ members }, false, world),
  };
}

function workloadRisks(workloads: readonly WorkloadDifference[]): ChangeRisk[] {
  const turned = (outcome: 'lost' | 'blocked') =>
    workloads
      .filter(({ from, to }) => to?.outcome === outcome && from?.outcome !== outcome)
      .map(({ workload }) => workload);
  const [lost, blocked] = [turned('lost'), turned('blocked')];
  return [
    ...(lost.length > 0 ? [{ code: 'workloads-lost' as const, workloads: lost }] : []),
    ...(blocked.length > 0 ? [{ code: 'workloads-blocked' as const, workloads: blocked }] : []),
  ];
}
