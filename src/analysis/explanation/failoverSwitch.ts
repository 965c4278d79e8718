import { startsController } from '../../karmada/dialects/controllerList.ts';
import { plainNames, type InputNames } from '../../karmada/configuration/inputNames.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ConditionStatus, Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { CLUSTER_CONDITION_READY } from '../../karmada/api/names.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../../karmada/evidence.ts';
import { windowSeconds } from '../../karmada/taints/policyFields.ts';
import { policyPass } from '../../karmada/taints/policyPass.ts';
import { failureTaints } from '../../karmada/detection/conditionTaints.ts';
import { evictingEffects, evictingTaints } from '../../karmada/taints/evictingTaints.ts';
import { PACE_FLAGS } from '../../karmada/taints/evictionPace.ts';
import { taintEvictionSwitches } from '../../karmada/configuration/taintEviction.ts';

/** The gates and flags that decide whether, when and how workloads leave a failing cluster. */
export const FAILOVER_SWITCHES: ReadonlySet<string> = new Set([
  'Failover',
  'StatefulFailoverInjection',
  'enable-taint-manager',
  'enable-no-execute-taint-eviction',
  'no-execute-taint-eviction-purge-mode',
  ...PACE_FLAGS,
  'failover-eviction-timeout',
  'graceful-eviction-timeout',
  'evict-plugins',
  'cluster-failure-threshold',
  'cluster-monitor-grace-period',
  'allow-no-execute-taint-policy',
  'controllers',
]);

/**
 * Whether the workloads of a failing cluster move to others:
 * - `on`: each of the clusters would be evicted
 * - `partly`: some of them
 * - `by-hand`: only NoExecute taints that a person sets evict
 * - `off`: nothing is evicted because of taints
 */
export type FailoverState = 'on' | 'partly' | 'by-hand' | 'off';

export interface FailoverSwitch {
  state: FailoverState;
  /** unknown if the state rests on unconfirmed flags */
  certainty: 'certain' | 'unknown';
  /** what would settle it, and how to give it */
  missing?: string;
  /** why it is not `on`: one sentence for each missing link of the chain */
  reasons: string[];
  /** clusters that no ClusterTaintPolicy would evict if they fail */
  uncovered: string[];
}

/**
 * Cluster failover needs all of: the gate Failover, the taint manager, its permission to evict, and NoExecute taints on
 * clusters that are not Ready: up to v1.13 from Karmada itself, with the gate Failover, since then from
 * ClusterTaintPolicies.
 *
 * @param unconfirmed gates and flags whose values are unconfirmed defaults
 * @param unreadPolicies what it takes to read ClusterTaintPolicies, if they could not be read
 */
export function failoverSwitch(
  clusters: Cluster[],
  policies: ClusterTaintPolicy[],
  configuration: Configuration,
  unconfirmed: ReadonlySet<string> = new Set(),
  unreadPolicies?: string,
  names: InputNames = plainNames,
): FailoverSwitch {
  const { rules } = configuration;
  const switches = taintEvictionSwitches(configuration);
  const automatic = rules.taints.failureTaints === 'automatic';
  const deciding = new Set([...switches.map(({ name }) => name), ...(automatic ? ['Failover'] : [])]);
  const guessed = [...deciding].filter((name) => unconfirmed.has(name));
  const missing = [
    ...(guessed.length > 0
      ? [
          `the state does not show ${guessed.join(', ')}; add the Deployment of karmada-controller-manager to it, name the cluster that runs it with ${names.host}, or give ${names.assume} NAME=VALUE`,
        ]
      : []),
    ...(unreadPolicies === undefined ? [] : [`ClusterTaintPolicies could not be read: ${unreadPolicies}`]),
  ];
  const certainty: Pick<FailoverSwitch, 'certainty' | 'missing'> =
    missing.length === 0 ? { certainty: 'certain' } : { certainty: 'unknown', missing: missing.join('; ') };
  const reasons: string[] = [];
  const isFalse = (name: string) =>
    unconfirmed.has(name) ? `${name} is assumed to be false` : `${name} is false`;
  for (const { name } of switches.filter(({ on }) => !on))
    reasons.push(
      name === 'the controller cluster'
        ? `${name} is not started, and with it the taint manager: NoExecute taints evict nothing`
        : name === 'Failover'
          ? `the feature gate ${isFalse(name)}: neither taint policies nor the taint manager run`
          : `${isFalse(name)}: NoExecute taints evict nothing`,
    );
  const off = reasons.length > 0;
  const uncovered = clusters
    .filter((cluster) => taintsOnFailure(cluster, policies, 0, configuration).taints.length === 0)
    .map(({ metadata }) => metadata.name);
  if (automatic) {
    if (!configuration.featureGates.Failover)
      reasons.push(`the feature gate ${isFalse('Failover')}: clusters that fail get no NoExecute taint`);
  } else if (unreadPolicies !== undefined)
    reasons.push('whether a ClusterTaintPolicy evicts from a cluster that fails could not be read');
  else if (policies.length === 0)
    reasons.push(
      `no ClusterTaintPolicy puts a ${evictingEffects(rules)} taint on a cluster that is not Ready`,
    );
  else if (!startsController(configuration.controllerManager.controllers, 'clustertaintpolicy'))
    reasons.push('the controller clustertaintpolicy is not started: ClusterTaintPolicies do nothing');
  else if (uncovered.length > 0)
    reasons.push(`no ClusterTaintPolicy would evict ${uncovered.join(', ')} on failing`);
  if (off) return { state: 'off', ...certainty, reasons, uncovered };
  if (uncovered.length === 0 && clusters.length > 0) return { state: 'on', ...certainty, reasons, uncovered };
  const state = uncovered.length === clusters.length ? 'by-hand' : 'partly';
  return { state, ...certainty, reasons, uncovered };
}

/**
 * The taints that evict which a cluster would get if it failed at `now` (epoch milliseconds): from policies or, in
 * versions that taint failed clusters themselves, from Karmada after its timeout. A Push cluster becomes Ready=False, a
 * Pull cluster whose agent is silent Unknown.
 */
export function taintsOnFailure(
  cluster: Cluster,
  policies: ClusterTaintPolicy[],
  now: number,
  { rules, featureGates, controllerManager }: Configuration,
): { taints: Taint[]; evidence: Evidence[] } {
  const failed = cluster.spec?.syncMode === 'Pull' ? 'Unknown' : 'False';
  // So long ago that every window of a policy is over.
  const since = rfc3339(now - longestWindow(policies));
  const after = withReady({ ...cluster, spec: { ...cluster.spec, taints: [] } }, failed, since);
  const timeout = controllerManager['failover-eviction-timeout'];
  const { taints, evidence } =
    rules.taints.failureTaints === 'automatic'
      ? failureTaints(after, failed, longAgo, { timeout, failover: featureGates.Failover }, now)
      : startsController(controllerManager.controllers, 'clustertaintpolicy')
        ? policyPass({ cluster: after, policies, now, rules })
        : { taints: [], evidence: [] };
  return { taints: evictingTaints(taints, rules), evidence };
}

const longAgo = { heardAt: -Infinity, readyChangedAt: -Infinity };

/** Milliseconds that the conditions of each policy must have matched before it adds its taints; 0 without windows. */
function longestWindow(policies: readonly ClusterTaintPolicy[]): number {
  const seconds = policies.flatMap(({ spec }) =>
    (spec.taintsToAdd ?? []).map((taint) => windowSeconds(taint).add),
  );
  return seconds.reduce((most, one) => Math.max(most, one), 0) * 1000;
}

function withReady(cluster: Cluster, status: ConditionStatus, lastTransitionTime: string): Cluster {
  const others = cluster.status?.conditions?.filter(({ type }) => type !== CLUSTER_CONDITION_READY) ?? [];
  return {
    ...cluster,
    status: {
      ...cluster.status,
      conditions: [...others, { type: CLUSTER_CONDITION_READY, status, lastTransitionTime }],
    },
  };
}
