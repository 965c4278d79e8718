import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { NamedTaint } from '../../../karmada/evidence.ts';
import { findTaint } from '../../../karmada/objects/sameTaint.ts';
import { targets } from '../../../karmada/taints/clusterTaintPolicy.ts';
import { listedTaints } from '../../../karmada/taints/policyFields.ts';
import { taintEvictionSwitches } from '../../../karmada/configuration/taintEviction.ts';
import { ownershipOf, type TaintOwnership } from '../../../karmada/taints/taintOwnership.ts';
import { isKarmadaTaint } from '../../../karmada/taints/taintSources.ts';
import { clusterTaintErrors } from '../../../karmada/validation/clusterTaints.ts';
import { aggregateMessage } from '../../../kubernetes/fieldErrors.ts';
import { listVerdict } from '../../taintPolicy/conditionLists.ts';
import { shortWindows } from '../../taintPolicy/shortestTurn.ts';
import type { CheckOf, RuleOf } from '../check.ts';
import type { ObservedPolicy } from './policyRisk.ts';
import { assumedOff, type OfPolicy, type RiskOfPolicy } from './policyRisk.ts';

interface ListedTaint extends ObservedPolicy {
  index: number;
  at: OfPolicy;
  taint: NamedTaint;
  /** whether the policy adds its taints, rather than only removing those of others */
  adds: boolean;
  evicts: boolean;
  /** the other policies for the same clusters that list it */
  listing: readonly ClusterTaintPolicy[];
}

/** The taints of a policy. */
export function listedTaintsOf(seen: ObservedPolicy): ListedTaint[] {
  const { policy, hasWindows, others } = seen;
  const adds = hasWindows || (policy.spec.addOnConditions ?? []).length > 0;
  return listedTaints(policy).map(({ key, value, effect }, index) => {
    const taint = { key, ...(value && { value }), effect };
    const field = `spec.${hasWindows ? 'taintsToAdd' : 'taints'}[${index}]`;
    return {
      ...seen,
      index,
      at: { policy: policy.metadata.name, field },
      taint,
      adds,
      evicts: effect === 'NoExecute' || effect === 'PreferNoExecute',
      listing: others.listing(taint),
    };
  });
}

type TaintCheck = CheckOf<ListedTaint, RiskOfPolicy>;

export const taintRefused: TaintCheck = {
  id: 'taint-refused',
  severity: 'warning',
  title: 'a taint that the Cluster API refuses',
  help: 'Clusters take NoSchedule and NoExecute, and keys and values with the syntax of labels. A single refused taint fails the whole write of its cluster: other policies have no effect there either, until the policy drops the taint.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  uses: ['Cluster'],
  find: ({ at, taint, adds, hasWindows, own, others, configuration }) => {
    const errors = clusterTaintErrors(taint, at.field, configuration.rules.admission);
    const [first] = errors;
    if (!first || !adds) return [];
    return [
      {
        policy: at.policy,
        field: first.field,
        code: 'taint-refused',
        taint,
        refusal: aggregateMessage(errors),
        clusters: namesOf(own),
        stops: hasWindows ? [] : others.all().map(({ metadata }) => metadata.name),
      },
    ];
  },
};

export const noExecuteRefused: TaintCheck = {
  id: 'no-execute-refused',
  severity: 'warning',
  title: 'NoExecute, which the webhook refuses',
  help: 'karmada-webhook takes NoExecute only with --allow-no-execute-taint-policy=true. If it runs with that flag, assume allow-no-execute-taint-policy=true.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: ({ at, taint, adds, evicts, hasWindows, configuration: { webhook }, unverified }) => {
    const flag = 'allow-no-execute-taint-policy';
    if (!evicts || !adds || hasWindows || webhook[flag]) return [];
    return [{ ...at, code: 'no-execute-refused', taint, ...assumedOff([flag], unverified) }];
  },
};

export const noExecuteDead: TaintCheck = {
  id: 'no-execute-dead',
  severity: 'warning',
  title: 'NoExecute that evicts nothing',
  help: 'karmada-controller-manager evicts by taints only with the gate Failover and --enable-no-execute-taint-eviction=true. If both are set, assume them, or give access to the host cluster, which shows them.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  find: ({ at, taint, adds, evicts, configuration, unverified }) => {
    if (!evicts || !adds) return [];
    const off = taintEvictionSwitches(configuration).flatMap((one) => (one.on ? [] : [one.name]));
    if (off.length === 0) return [];
    return [{ ...at, code: 'no-execute-dead', taint, off, ...assumedOff(off, unverified) }];
  },
};

export const neverRemoved: TaintCheck = {
  id: 'never-removed',
  severity: 'warning',
  title: 'a taint that no condition removes again',
  help: 'No removeOnConditions, of this policy or of another one for its clusters, can hold, so the taint stays until an operator removes it. Add removeOnConditions.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  uses: ['Cluster'],
  find: ({ policy, at, taint, adds, hasWindows, listing, own, configuration }) =>
    adds && !hasWindows && !isRemovedEverywhere([policy, ...listing], own, configuration)
      ? [{ ...at, code: 'never-removed', taint }]
      : [],
};

/** Whether each cluster has a policy that can remove the taint, among these policies that list it. */
function isRemovedEverywhere(
  policies: readonly ClusterTaintPolicy[],
  own: readonly Cluster[],
  { rules }: Configuration,
): boolean {
  const removes = ({ spec }: ClusterTaintPolicy) =>
    ['sometimes', 'always'].includes(listVerdict(spec.removeOnConditions));
  if (!policies.some(removes)) return false;
  return own.every((cluster) =>
    policies.some((one) => targets(one, cluster, rules.scheduling) && removes(one)),
  );
}

/** The most other policies whose clusters are compared for a taint: with thousands of policies, every pair would be. */
const MAX_OTHERS = 20;

/** Other owners of a taint that a policy lists: Karmada, other policies, or whoever wrote it on its clusters. */
export const taintOwned: TaintCheck = {
  id: 'taint-owned',
  severity: 'warning',
  title: "a taint that is another policy's, Karmada's own or an operator's",
  help: 'If several policies list a taint, the newest decides; Karmada keeps its own taints by its own rules; and a policy removes a taint of any owner. Use a key of your own.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  uses: ['Cluster'],
  find: (listed) => {
    const { at, taint, own, configuration } = listed;
    const owned = { ...at, code: 'taint-owned', taint } as const;
    if (isKarmadaTaint(taint, configuration.rules))
      return [{ ...owned, owner: { kind: 'cluster-controller' }, clusters: namesOf(own) }];
    return [...ownedByPolicies(listed), ...ownedOnClusters(listed)].map((one) => ({ ...owned, ...one }));
  },
};

type Owned = Pick<Extract<RiskOfPolicy, { code: 'taint-owned' }>, 'owner' | 'clusters' | 'others'>;

function ownedByPolicies({ listing, own, configuration: { rules } }: ListedTaint): Owned[] {
  const byClusters = new Map<string, { clusters: string[]; policies: string[] }>();
  for (const other of listing.slice(0, MAX_OTHERS)) {
    const clusters = namesOf(own.filter((cluster) => targets(other, cluster, rules.scheduling)));
    const key = clusters.join();
    const { policies } = byClusters.get(key) ?? { policies: [] };
    byClusters.set(key, { clusters, policies: [...policies, other.metadata.name] });
  }
  const others = listing.length - MAX_OTHERS;
  return [...byClusters.values()].map(({ clusters, policies }, at) => ({
    clusters,
    owner: { kind: 'policy', names: policies },
    ...(at === 0 && others > 0 && { others }),
  }));
}

function ownedOnClusters({ taint, own, configuration: { rules } }: ListedTaint): Owned[] {
  const held = new Map<Exclude<TaintOwnership['owner'], 'policy'>, Cluster[]>();
  for (const cluster of own) {
    const there = findTaint(cluster.spec?.taints, taint);
    if (!there) continue;
    const { owner } = ownershipOf(there, cluster, [], rules);
    // A taint of a policy, or of an unknown owner, may come from this policy before an edit.
    if (owner === 'policy' || owner === 'unknown') continue;
    held.set(owner, [...(held.get(owner) ?? []), cluster]);
  }
  return [...held].map(([kind, clusters]) => ({ owner: { kind }, clusters: namesOf(clusters) }));
}

export const windowShorterThanProbe: TaintCheck = {
  id: 'window-shorter-than-probe',
  severity: 'warning',
  title: 'a window shorter than the detection of a change',
  help: 'Karmada publishes a change of a condition with its next probe (cluster-status-update-frequency), a change of Ready after cluster-success-threshold or cluster-failure-threshold. A shorter window only delays the taint. Use a longer window to wait for the conditions to recover.',
  needs: ['ClusterTaintPolicy', 'Configuration'],
  uses: ['Cluster'],
  find: ({ policy, hasWindows, index, at, taint, own, configuration, unverified }) =>
    (hasWindows ? shortWindows(policy, index, own, configuration) : []).map(
      ({ field, seconds, shortest }) => ({
        policy: at.policy,
        field: `${at.field}.${field}`,
        code: 'window-shorter-than-probe',
        taint,
        seconds,
        shortest,
        ...assumedOff([shortest.flag], unverified),
      }),
    ),
};

/** The checks of a taint, in the order in which they are reported. */
export const checksOfTaint: readonly RuleOf<ListedTaint, RiskOfPolicy>[] = [
  taintRefused,
  noExecuteRefused,
  noExecuteDead,
  neverRemoved,
  taintOwned,
  windowShorterThanProbe,
];

function namesOf(clusters: readonly Cluster[]): string[] {
  return clusters.map(({ metadata }) => metadata.name).sort();
}
