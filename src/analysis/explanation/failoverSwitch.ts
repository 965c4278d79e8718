import { startsController } from '../../karmada/dialects/controllerList.ts';
import { plainNames, type InputNames } from '../../karmada/configuration/inputNames.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ConditionStatus, Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import {
  CLUSTER_CONDITION_READY,
  EVICTION_PRODUCER_TAINT_MANAGER,
  TAINT_CLUSTER_TERMINATING,
} from '../../karmada/api/names.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { ownershipOf } from '../../karmada/taints/taintOwnership.ts';
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
 * - `on`: those of each cluster would be evicted
 * - `partly`: those of some clusters
 * - `by-hand`: only NoExecute taints set by a user evict
 * - `off`: taints evict nothing
 * - `unknown`: by the assumptions nothing is evicted, but the objects disprove some of these
 */
export type FailoverState = 'on' | 'partly' | 'by-hand' | 'off' | 'unknown';

export interface FailoverSwitch {
  state: FailoverState;
  /** unknown if it depends on unverified flags */
  certainty: 'certain' | 'unknown';
  /** the missing input, and how to provide it */
  missing?: string;
  /** why it is not `on`: one sentence for each missing condition */
  reasons: string[];
  /** clusters that no ClusterTaintPolicy would evict if they failed */
  uncovered: string[];
  /** gates and flags assumed to be off that are on, with the proof: one sentence for each */
  inferred?: string[];
}

/**
 * Cluster failover needs all of: the gate Failover, the taint manager, its permission to evict, and NoExecute taints on
 * clusters that are not Ready: up to v1.13 from Karmada itself, with the gate Failover, since then from
 * ClusterTaintPolicies.
 *
 * @param unverified gates and flags whose values are unverified defaults
 * @param unknownPolicies why the ClusterTaintPolicies are unknown, if they are
 * @param bindings whose eviction tasks show whether the taint manager works
 * @param known what has been proven already, and is already in the configuration
 */
export function failoverSwitch(
  clusters: Cluster[],
  policies: ClusterTaintPolicy[],
  assumed: Configuration,
  unverified: ReadonlySet<string> = new Set(),
  unknownPolicies?: string,
  names: InputNames = plainNames,
  bindings: readonly ResourceBinding[] = [],
  known: ReadonlyMap<string, string> = new Map(),
): FailoverSwitch {
  const proofs = new Map([
    ...known,
    ...provenSwitches({ clusters, policies, bindings }, assumed, unverified),
  ]);
  const configuration = withProven(assumed, proofs);
  const { rules } = configuration;
  const switches = taintEvictionSwitches(configuration);
  const automatic = rules.taints.failureTaints === 'automatic';
  const deciding = new Set([...switches.map(({ name }) => name), ...(automatic ? ['Failover'] : [])]);
  const guessed = [...deciding].filter((name) => unverified.has(name));
  const isOff = switches.some(({ on }) => !on);
  const missing = [
    ...(guessed.length > 0
      ? [
          `the state does not show ${guessed.join(', ')}; add the Deployment of karmada-controller-manager to it, name the cluster that runs it with ${names.host}, or give ${names.assume} NAME=VALUE`,
        ]
      : []),
    // Where no taint evicts, policies change nothing.
    ...(unknownPolicies === undefined || (isOff && guessed.length === 0)
      ? []
      : [`ClusterTaintPolicies ${unknownPolicies}`]),
  ];
  const certainty: Pick<FailoverSwitch, 'certainty' | 'missing'> =
    missing.length === 0 ? { certainty: 'certain' } : { certainty: 'unknown', missing: missing.join('; ') };
  const reasons: string[] = [];
  const inferred = Array.from(
    proofs,
    ([name, proof]) => `${name} was true, against its default, when ${proof}`,
  );
  const proven: Pick<FailoverSwitch, 'inferred'> = inferred.length > 0 ? { inferred } : {};
  const isFalse = (name: string) =>
    unverified.has(name) ? `${name} is assumed to be false` : `${name} is false`;
  for (const { name } of switches.filter(({ on }) => !on))
    reasons.push(
      name === 'the controller cluster'
        ? `${name} is not started, so the taint manager does not run: NoExecute taints evict nothing`
        : name === 'Failover'
          ? `the feature gate ${isFalse(name)}: neither taint policies nor the taint manager run`
          : `${isFalse(name)}: NoExecute taints evict nothing`,
    );
  const uncovered = clusters
    .filter((cluster) => taintsOnFailure(cluster, policies, 0, configuration).taints.length === 0)
    .map(({ metadata }) => metadata.name);
  if (automatic) {
    if (!configuration.featureGates.Failover)
      reasons.push(`the feature gate ${isFalse('Failover')}: clusters that fail get no NoExecute taint`);
  } else if (policies.length === 0)
    reasons.push(
      `no ClusterTaintPolicy${unknownPolicies === undefined ? '' : ' in the state'} puts a ${evictingEffects(rules)} taint on a cluster that is not Ready`,
    );
  else if (!startsController(configuration.controllerManager.controllers, 'clustertaintpolicy'))
    reasons.push('the controller clustertaintpolicy is not started: ClusterTaintPolicies do nothing');
  else if (uncovered.length > 0)
    reasons.push(`no ClusterTaintPolicy would evict ${uncovered.join(', ')} if it fails`);
  const rest = { ...certainty, reasons, uncovered, ...proven };
  if (isOff) {
    const isAssumed = switches.every(({ name, on }) => on || unverified.has(name));
    return { state: isAssumed && proofs.size > 0 ? 'unknown' : 'off', ...rest };
  }
  if (uncovered.length === 0 && clusters.length > 0) return { state: 'on', ...rest };
  const state = uncovered.length === clusters.length ? 'by-hand' : 'partly';
  return { state, ...rest };
}

/** The objects of the control plane that show gates and flags. */
interface Proving {
  clusters: readonly Cluster[];
  policies: readonly ClusterTaintPolicy[];
  bindings: readonly ResourceBinding[];
}

/**
 * The gates and flags that are assumed to be off although the objects prove them on, each with the proof: eviction
 * tasks of the taint manager, and NoExecute taints owned by policies or by Karmada itself.
 */
export function provenSwitches(
  { clusters, policies, bindings }: Proving,
  configuration: Configuration,
  unverified: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const proofs = new Map<string, string>();
  const prove = (name: string, proof: string) => {
    if (unverified.has(name) && !proofs.has(name)) proofs.set(name, proof);
  };
  const { rules, featureGates } = configuration;
  const tasks = bindings.flatMap(({ spec }) =>
    (spec.gracefulEvictionTasks ?? []).filter(({ producer }) => producer === EVICTION_PRODUCER_TAINT_MANAGER),
  );
  if (tasks.length > 0)
    for (const { name, on } of taintEvictionSwitches(configuration))
      if (!on)
        prove(
          name,
          `the taint manager began the ${tasks.length === 1 ? 'eviction' : `${tasks.length} evictions`} in flight`,
        );
  if (featureGates.Failover) return proofs;
  const owner = rules.taints.failureTaints === 'automatic' ? 'cluster-controller' : 'policy';
  for (const cluster of clusters)
    for (const taint of cluster.spec?.taints ?? [])
      if (
        taint.effect === 'NoExecute' &&
        taint.key !== TAINT_CLUSTER_TERMINATING &&
        ownershipOf(taint, cluster, policies, rules).owner === owner
      )
        prove('Failover', `${cluster.metadata.name} got the taint ${formatTaint(taint)}`);
  return proofs;
}

/** The configuration with these gates and flags on. */
export function withProven(configuration: Configuration, proofs: ReadonlyMap<string, string>): Configuration {
  if (proofs.size === 0) return configuration;
  const { featureGates, controllerManager } = configuration;
  const flags = ['enable-taint-manager', 'enable-no-execute-taint-eviction'] as const;
  return {
    ...configuration,
    featureGates: { ...featureGates, Failover: featureGates.Failover || proofs.has('Failover') },
    controllerManager: {
      ...controllerManager,
      ...Object.fromEntries(flags.filter((name) => proofs.has(name)).map((name) => [name, true])),
    },
  };
}

/**
 * The evicting taints that a cluster would get if it failed at `now` (epoch milliseconds): from policies or, in
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
  // Long enough ago that every window of a policy has ended.
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

/** Milliseconds for which the conditions of each policy must match before it adds its taints; 0 without windows. */
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
