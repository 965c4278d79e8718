import type { Cluster } from '../../../../karmada/api/cluster.ts';
import type { Condition, ObjectIdentity } from '../../../../karmada/api/meta.ts';
import type { Placement } from '../../../../karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../../../../karmada/api/work.ts';
import { isReady, isStale, readyCondition } from '../../../../karmada/objects/clusterReadiness.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { workloadOf, identityOf } from '../../../../karmada/objects/identities.ts';
import { dividesReplicas, isWorkload, placedOn } from '../../../../karmada/objects/placement.ts';
import { observedAffinity } from '../../../../karmada/scheduling/affinityGroups.ts';
import { listsApi } from '../../../../karmada/scheduling/filters/apiEnablement.ts';
import { hasOneQueue } from '../../../../karmada/configuration/taintEviction.ts';
import { appliedPlacement } from '../../../../karmada/objects/appliedPlacement.ts';
import { evictingTaints } from '../../../../karmada/taints/evictingTaints.ts';
import { termsOf } from '../../../../karmada/taints/evictionTerms.ts';
import { policyPass } from '../../../../karmada/taints/policyPass.ts';
import { dueSince } from '../../../../karmada/taints/taintedPair.ts';
import { isObject } from '../../../../kubernetes/json.ts';
import { instant, rfc3339 } from '../../../../kubernetes/time.ts';
import { formatTaint } from '../../../../kubernetes/tolerations.ts';
import {
  clusterObject,
  count,
  finding,
  findingIn,
  inBinding,
  firstNames,
  firstObjectNames,
  jointFinding,
} from '../about.ts';
import { type Examined, placementText } from '../examined.ts';
import { lazilyFor } from '../../../../kubernetes/lazily.ts';
import { affinitiesOf } from '../policyFindings.ts';
import { investigateComponent } from '../remedies.ts';
import { timeToLeave } from './pace.ts';
import type { StateCheck } from '../stateCheck.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';

/** By cluster: the bindings whose placement names it. */
const bindingsOn = lazilyFor((seen: Examined) => {
  const found = new Map<string, ResourceBinding[]>();
  for (const binding of seen.bindings)
    for (const { name } of binding.spec.clusters ?? []) getOrAdd(found, name, () => []).push(binding);
  return found;
});

/** Milliseconds after which workloads on a failed cluster are no longer just a failover in progress. */
const AWAITED = 600_000;

export const clusterDown: StateCheck = {
  id: 'cluster-down',
  severity: 'error',
  theme: 'chain',
  title: 'a cluster is not Ready, and workloads are still on it',
  help: 'A cluster has been down for more than ten minutes, and bindings still name it: the chain is broken at the link that other findings name, or the workloads tolerate the taint. The status of its copies is stale.',
  needs: ['Cluster', 'ResourceBinding'],
  symptoms: [
    'Ready=False, reason ClusterNotReachable; spec.clusters still names it',
    'a workload of a failed cluster still counts as ready',
  ],
  issues: [6925, 6951, 3623, 2989],
  find: (seen) =>
    seen.world.clusters.flatMap((cluster) => {
      const { name, deletionTimestamp } = cluster.metadata;
      const ready = readyCondition(cluster);
      const stay = bindingsOn(seen).get(name) ?? [];
      if (deletionTimestamp || !ready || !isStale(cluster) || stay.length === 0) return [];
      const since = ready.lastTransitionTime ? seen.now - instant(ready.lastTransitionTime) : Infinity;
      if (since < AWAITED) return [];
      const has = evictingTaints(cluster.spec?.taints, seen.configuration.rules).length > 0;
      const waits =
        !has && seen.configuration.rules.taints.clusterTaintPolicies
          ? policyPass({
              cluster,
              policies: seen.world.taintPolicies,
              now: seen.now,
              rules: seen.configuration.rules,
            }).taints
          : [];
      const due = Math.min(...stay.map((one) => dueTo(cluster, one, seen)));
      const why = has
        ? due > seen.now && due < Infinity
          ? `its taint evicts nothing before ${rfc3339(due)}`
          : 'it has a taint that evicts'
        : evictingTaints(waits, seen.configuration.rules).length > 0
          ? 'its taint is pending'
          : 'it has no taint that evicts';
      return finding(
        [clusterObject(name), ...stay.map(workloadOf)],
        `${name} has not been Ready since ${ready.lastTransitionTime ?? 'an unknown time'}${whyNotReady(ready)}, and ${stay.length === 1 ? `${firstObjectNames(stay.map(workloadOf))} is` : `${stay.length} workloads are`} still on it: ${why}`,
        [
          { rule: ready.message ?? '', field: 'status.conditions[Ready]', value: ready.status },
          { rule: why, field: 'spec.taints', value: cluster.spec?.taints ?? [] },
        ],
        {
          text: 'find out why it is not Ready, or move the workloads with a drain',
          next: { action: 'plan-drain', cluster: name },
        },
      );
    }),
};

/** When the taints of a cluster evict a binding; Infinity: never. */
function dueTo({ spec }: Cluster, binding: ResourceBinding, seen: Examined): number {
  const taints = evictingTaints(spec?.taints, seen.configuration.rules);
  return dueSince(taints, binding, termsOf(binding, appliedPlacement(binding.metadata)));
}

/** " (ClusterNotReachable: cluster is not reachable)" */
function whyNotReady({ reason = '', message = '' }: Condition): string {
  const why = [reason, message.replace(/\.$/, '')].filter((part) => part !== '').join(': ');
  return why === '' ? '' : ` (${why})`;
}

/** Milliseconds within which a running taint manager evicts due workloads, apart from its queue. */
const EVICTED_BY_NOW = 120_000;

export const evictionNotStarted: StateCheck = {
  id: 'eviction-not-started',
  severity: 'warning',
  theme: 'chain',
  title: 'workloads stay on a Ready cluster whose taint evicts them',
  help: 'The cluster has a NoExecute taint that these workloads do not tolerate, or no longer, and the queue of evictions should have reached them. NoExecute eviction is off, or karmada-controller-manager does not run.',
  needs: ['Cluster', 'ResourceBinding'],
  symptoms: ['karmadactl taint adds NoExecute, and nothing moves'],
  issues: [3623, 6925],
  find: (seen) => {
    const { rules } = seen.configuration;
    // Its queue may delay evictions because of a threshold, or abandon them.
    if (hasOneQueue(rules)) return [];
    const tainted = seen.world.clusters.flatMap((cluster) => {
      const taints = evictingTaints(cluster.spec?.taints, rules);
      return taints.length > 0 ? [{ cluster, name: cluster.metadata.name, taints }] : [];
    });
    const queued = tainted.reduce((sum, { name }) => sum + timeToLeave(name, seen), EVICTED_BY_NOW);
    return tainted.flatMap(({ cluster, name, taints }) => {
      if (cluster.metadata.deletionTimestamp || !isReady(cluster)) return [];
      const since = (binding: ResourceBinding) =>
        Math.max(dueTo(cluster, binding, seen), instant(binding.status?.lastScheduledTime ?? rfc3339(0)));
      const stay = (bindingsOn(seen).get(name) ?? []).filter(
        (one) => !isAttached(one.spec) && !one.metadata.deletionTimestamp && seen.now - since(one) > queued,
      );
      return jointFinding(
        stay,
        (workloads, amount) =>
          `${workloads} ${amount === 1 ? 'stays' : 'stay'} on ${name}, although its taint ${firstNames(taints.map(formatTaint))} should have evicted ${amount === 1 ? 'it' : 'them'} from ${rfc3339(Math.min(...stay.map(since)))} on`,
        {
          rule: 'these taints are not tolerated',
          object: clusterObject(name),
          field: 'spec.taints',
          value: taints,
        },
        investigateComponent('controllerManager', seen),
      );
    });
  },
};

export const scaledOntoFailed: StateCheck = {
  id: 'scaled-onto-failed-cluster',
  severity: 'error',
  theme: 'chain',
  title: 'a workload was scaled up on a cluster that is not Ready',
  help: 'The scheduler keeps the current clusters of a workload, whatever their taints, and also places new replicas there: they start only once the cluster answers. Drain the cluster.',
  needs: ['Cluster', 'ResourceBinding'],
  symptoms: ['a workload is scaled up, and fewer Pods start than replicas were added'],
  issues: [5783],
  find: (seen) => {
    const down = new Map<string, string>();
    for (const cluster of seen.world.clusters) {
      const { status, lastTransitionTime } = readyCondition(cluster) ?? {};
      if (status !== 'True' && lastTransitionTime) down.set(cluster.metadata.name, lastTransitionTime);
    }
    const onThem = new Map<string, { binding: ResourceBinding; more: number }[]>();
    for (const binding of down.size > 0 ? seen.bindings : [])
      for (const { name, replicas = 0 } of binding.spec.clusters ?? []) {
        const since = down.get(name);
        const { lastScheduledTime, aggregatedStatus } = binding.status ?? {};
        if (!since || !lastScheduledTime || instant(lastScheduledTime) <= instant(since)) continue;
        const report = aggregatedStatus?.find(({ clusterName }) => clusterName === name)?.status;
        const had = isObject(report) ? report['replicas'] : undefined;
        if (typeof had === 'number' && had < replicas)
          getOrAdd(onThem, name, () => []).push({ binding, more: replicas - had });
      }
    return [...onThem].flatMap(([name, scaled]) => {
      const more = scaled.reduce((sum, one) => sum + one.more, 0);
      return jointFinding(
        scaled.map(({ binding }) => binding),
        (workloads) =>
          `${workloads}: scaled up after ${name} became not Ready: ${count(more, 'new replica is', 'new replicas are')} placed there, and ${more === 1 ? 'starts' : 'start'} only when it answers`,
        (first) =>
          inBinding(first, 'the scheduler keeps current clusters', 'spec.clusters', first.spec.clusters),
        { text: 'move the workload with a drain', next: { action: 'plan-drain', cluster: name } },
      );
    });
  },
};

export const serviceToFailed: StateCheck = {
  id: 'service-points-to-failed-cluster',
  severity: 'warning',
  theme: 'placement',
  title: 'a MultiClusterService still has endpoints in a cluster that is not Ready',
  help: 'EndpointSlices of a cluster that failed stay in its consumers until they are removed: requests reach Pods that do not answer. Take the cluster out of providerClusters while it is down.',
  needs: ['MultiClusterService', 'Cluster'],
  symptoms: ['connection refused for some requests after a failover'],
  issues: [6434],
  find: (seen) =>
    seen.othersOf('MultiClusterService').flatMap((object) => {
      const { providerClusters = [], serviceProvisionClusters = [] } = object.spec ?? {};
      const providers = [...providerClusters.map(({ name }) => name), ...serviceProvisionClusters];
      const down = providers.filter((name) => !isReady(seen.clusters().get(name)));
      if (down.length === 0) return [];
      const areGone = down.every((name) => !seen.clusters().has(name));
      return findingIn(
        identityOf(object),
        (name) =>
          `${name} takes endpoints from ${firstNames(down)}, which ${areGone ? (down.length === 1 ? 'does not exist' : 'do not exist') : down.length === 1 ? 'is not Ready' : 'are not Ready'}`,
        { rule: 'its endpoints stay in the consumers', field: 'spec.providerClusters', value: down },
        areGone
          ? 'correct the name, or take it out of providerClusters'
          : 'take the cluster out of providerClusters while it is down',
      );
    }),
};

/** Copies on unreachable clusters whose binding has left. */
function leftBehind(seen: Examined): { binding: ResourceBinding; cluster: string; work: Work }[] {
  return seen.bindings.flatMap((binding) => {
    const wanted = new Set(placedOn(binding.spec).map(({ name }) => name));
    return [...seen.worksOf(binding)].flatMap(([cluster, work]) => {
      const member = seen.clusters().get(cluster);
      return !wanted.has(cluster) && member && !isReady(member) && wanted.size > 0
        ? [{ binding, cluster, work }]
        : [];
    });
  });
}

export const runsTwice: StateCheck = {
  id: 'runs-twice-after-partition',
  severity: 'warning',
  theme: 'recovery',
  title: 'a workload may also run on an unreachable cluster',
  help: 'An unreachable cluster keeps running evicted workloads, until it answers again and the old copies are deleted. For workloads that must run once, fence the cluster.',
  needs: ['ResourceBinding', 'Work', 'Cluster'],
  symptoms: ['two copies write to the same database after a network partition'],
  issues: [5788, 6495],
  find: (seen) => {
    const copies = leftBehind(seen).filter(({ binding }) => isWorkload(binding.spec));
    return [...groupedBy(copies, (copy) => copy.cluster)].map(([cluster, left]) => {
      const objects = left.map(({ binding }) => workloadOf(binding));
      const since = readyCondition(seen.clusters().get(cluster))?.lastTransitionTime;
      return finding(
        [clusterObject(cluster), ...objects],
        `${firstObjectNames(objects)} may still run on ${cluster}, which ${since ? `has not answered since ${since}` : 'does not answer'}, besides the new copy`,
        inBinding(left[0].binding, 'its Work stays until the cluster answers', 'Work', cluster),
        `fence ${cluster} if these must run once: stop its nodes or its network`,
      );
    });
  },
};

export const deletedOnReturn: StateCheck = {
  id: 'deleted-on-return',
  severity: 'note',
  theme: 'recovery',
  title: 'old copies are deleted once a cluster recovers',
  help: 'Their Works are being deleted already: as soon as the cluster answers, the old copies are removed there, ready or not.',
  needs: ['Work', 'Cluster'],
  symptoms: ['Pods of a recovered cluster terminate'],
  issues: [1640, 5375],
  find: (seen) => {
    const byCluster = new Map<string, ObjectIdentity[]>();
    for (const { binding, cluster, work } of leftBehind(seen))
      if (work.metadata.deletionTimestamp) getOrAdd(byCluster, cluster, () => []).push(workloadOf(binding));
    return [...byCluster].map(([cluster, objects]) =>
      finding(
        [clusterObject(cluster), ...objects],
        `when ${cluster} is back, ${count(objects.length, 'copy is', 'copies are')} deleted there: ${firstObjectNames(objects)}`,
        { rule: 'their Works are being deleted', field: 'metadata.deletionTimestamp' },
        'none, unless data must be saved there first',
      ),
    );
  },
};

export const doesNotReturn: StateCheck = {
  id: 'does-not-return',
  severity: 'note',
  theme: 'recovery',
  title: 'a workload stays away from a Ready cluster that its placement prefers',
  help: 'The scheduler does not return to an earlier group, and a cluster that is Ready again, or serves a new API, triggers no reschedule. A copy that Duplicated wants there is missing. A WorkloadRebalancer places it again, from v1.19 on in the first group.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: [
    'the primary cluster is Ready again, and no workload returns',
    'a new cluster has the CustomResourceDefinition, and not the custom resources',
  ],
  issues: [7717, 7441, 5070, 4990, 1189, 3479],
  find: (seen) => {
    const away = seen.bindings.filter(({ spec, status }) => {
      const [first] = spec.placement?.clusterAffinities ?? [];
      if (!first || isAttached(spec) || observedAffinity(spec.placement!, status) < 1) return false;
      return [...seen.clusters()].some(
        ([name, cluster]) => isReady(cluster) && seen.facts().isSelected(first, name),
      );
    });
    const again = 'create a WorkloadRebalancer for it, and predict the result with simulate';
    const missing = [...missingCopies(seen)].flatMap(([name, bindings]) =>
      jointFinding(
        bindings,
        (workloads) =>
          `${workloads}: no copy is on ${name}, which is Ready and selected: Duplicated wants one`,
        (first) =>
          inBinding(first, 'Duplicated selects each cluster that fits', 'spec.clusters', first.spec.clusters),
        again,
        'warning',
      ),
    );
    const inLaterGroup = jointFinding(
      away,
      (workloads, amount) =>
        `${workloads} ${amount === 1 ? 'stays' : 'stay'} in a later affinity group although the first has a Ready cluster: no automatic return`,
      (first) =>
        inBinding(
          first,
          'the scheduler does not return to an earlier group',
          'status.schedulerObservingAffinityName',
          first.status?.schedulerObservingAffinityName,
        ),
      again,
    );
    return [...missing, ...inLaterGroup];
  },
};

/**
 * By cluster that has been Ready for a while without taints: the Duplicated workloads that should have a copy here, and
 * have none.
 */
function missingCopies(seen: Examined): Map<string, ResourceBinding[]> {
  const free = seen.world.clusters.filter((one) => {
    const since = readyCondition(one)?.lastTransitionTime;
    const isFree = isReady(one) && !one.spec?.taints?.length && !one.metadata.deletionTimestamp;
    return isFree && since && seen.now - instant(since) > AWAITED;
  });
  const selected = new Map<string, Cluster[]>();
  const found = new Map<string, ResourceBinding[]>();
  for (const binding of seen.bindings) {
    const { spec, status } = binding;
    const { placement, resource, suspension } = spec;
    const isLimited = placement?.clusterAffinities?.length || placement?.spreadConstraints?.length;
    const isMoving = spec.gracefulEvictionTasks?.length || suspension?.scheduling || isAttached(spec);
    if (!placement || isLimited || isMoving || dividesReplicas(spec) || !spec.clusters?.length) continue;
    if (conditionOf(status?.conditions, 'Scheduled')?.status !== 'True') continue;
    const present = new Set(placedOn(spec).map(({ name }) => name));
    const wanted = getOrAdd(selected, placementText(placement), () =>
      free.filter(({ metadata }) => seen.selects(placement, metadata.name)),
    );
    for (const cluster of wanted)
      if (!present.has(cluster.metadata.name) && listsApi(cluster, resource.apiVersion, resource.kind))
        getOrAdd(found, cluster.metadata.name, () => []).push(binding);
  }
  return found;
}

export const weightsNotRestored: StateCheck = {
  id: 'weights-not-restored',
  severity: 'note',
  theme: 'recovery',
  title: 'a Ready cluster has no replica, although static weights give it some',
  help: 'Static weights count when the scheduler divides replicas, and a recovered cluster does not trigger that: its share stays where a failover has placed it. A WorkloadRebalancer or the next scaling brings it back.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['a cluster has recovered and has no replica, the others have all of them'],
  issues: [1189, 2769, 5206],
  find: (seen) => {
    const withoutShare = clustersWithoutReplicas(seen, (share) => share >= 1);
    return jointFinding(
      [...withoutShare.keys()],
      (workloads, amount) =>
        `${workloads} ${amount === 1 ? 'has' : 'have'} no replica on a Ready cluster although static weights give it some: no automatic return`,
      (first) =>
        inBinding(
          first,
          'replicas are divided again only at the next scheduling',
          'spec.clusters',
          withoutShare.get(first),
        ),
      'create a WorkloadRebalancer for it, and predict the result with simulate',
    );
  },
};

export const weightGivesNoReplica: StateCheck = {
  id: 'weight-gives-no-replica',
  severity: 'note',
  theme: 'placement',
  title: 'static weights give a cluster less than one replica',
  help: 'Replicas are divided by weights, and a cluster whose share is below one may get none: with few replicas all of them can be on one cluster. Ask for more replicas, or equalize the weights.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['a cluster with a weight has no replica'],
  issues: [6424],
  find: (seen) => {
    const withoutShare = clustersWithoutReplicas(seen, (share) => share < 1);
    return jointFinding(
      [...withoutShare.keys()],
      (workloads, amount) =>
        `${workloads}: static weights give ${firstNames([...new Set(withoutShare.values())])} less than one of the replicas: ${amount === 1 ? 'it has' : 'they have'} none there`,
      (first) => inBinding(first, 'its share is below one', 'spec.replicas', first.spec.replicas),
      'ask for more replicas, or equalize the weights',
    );
  },
};

interface Share {
  name: string;
  weight: number;
}

/** The Ready clusters that a placement selects, with the static weight of each; none if spread groups decide. */
function staticShares(placement: Placement, seen: Examined): Share[] {
  const affinities = affinitiesOf(placement);
  if (affinities.length > 1) return [];
  const { staticWeightList = [] } = placement.replicaScheduling?.weightPreference ?? {};
  const facts = seen.facts();
  return [...seen.clusters()].flatMap(([name, cluster]) => {
    const isFree = isReady(cluster) && !cluster.spec?.taints?.length;
    if (!isFree || !affinities.every(({ affinity }) => facts.isSelected(affinity, name))) return [];
    const own = staticWeightList.filter(({ targetCluster }) => facts.isSelected(targetCluster, name));
    return [{ name, weight: Math.max(0, ...own.map(({ weight }) => weight)) }];
  });
}

/** By workload: a Ready cluster with a static weight and no replicas, whose share of them passes the test. */
function clustersWithoutReplicas(
  seen: Examined,
  holds: (share: number) => boolean,
): Map<ResourceBinding, string> {
  return new Map(
    emptyShares(seen).flatMap(({ binding, shares }) => {
      const found = shares.find(({ share }) => holds(share));
      return found ? [[binding, found.name] as const] : [];
    }),
  );
}

/**
 * The workloads with Ready clusters that have a static weight and no replica, and the replicas that they should have.
 */
const emptyShares = lazilyFor((seen: Examined) => {
  // Cached, as many bindings share one policy.
  const known = new Map<string, Share[]>();
  const sharesOf = (placement: Placement) =>
    getOrAdd(known, placementText(placement), () => staticShares(placement, seen));
  return seen.bindings.flatMap((binding) => {
    const shares = emptySharesOf(binding, sharesOf);
    return shares.length > 0 ? [{ binding, shares }] : [];
  });
});

function emptySharesOf(
  { spec }: ResourceBinding,
  sharesOf: (placement: Placement) => readonly Share[],
): { name: string; share: number }[] {
  const weights = spec.placement?.replicaScheduling?.weightPreference;
  if (!spec.placement || !weights?.staticWeightList?.length || weights.dynamicWeight) return [];
  if (!dividesReplicas(spec) || isAttached(spec)) return [];
  if (spec.gracefulEvictionTasks?.length || spec.suspension?.scheduling) return [];
  const shares = sharesOf(spec.placement);
  const all = shares.reduce((sum, { weight }) => sum + weight, 0);
  const present = new Set(placedOn(spec).map(({ name }) => name));
  return shares.flatMap(({ name, weight }) =>
    present.has(name) || weight <= 0 ? [] : [{ name, share: ((spec.replicas ?? 0) * weight) / all }],
  );
}
