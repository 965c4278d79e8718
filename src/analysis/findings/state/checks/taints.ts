import type { Cluster } from '../../../../karmada/api/cluster.ts';
import type { Taint } from '../../../../karmada/api/meta.ts';
import { isReady, readyCondition } from '../../../../karmada/objects/clusterReadiness.ts';
import { wantsTaints } from '../../../../karmada/taints/policyPass.ts';
import { ownershipOf, type TaintOwnerKind } from '../../../../karmada/taints/taintOwnership.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { formatTaint } from '../../../../kubernetes/tolerations.ts';
import { drainsUnderWay } from '../../../drain/drainsUnderWay.ts';
import { timeSince, clusterObject } from '../about.ts';
import type { Examined } from '../examined.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';

function byOwner(
  seen: Examined,
  owners: readonly TaintOwnerKind[],
  find: (
    cluster: Cluster,
    taint: Taint,
    policies: readonly string[],
  ) => Pick<Diagnosed, 'message' | 'severity'> | undefined,
  fix: string,
): Diagnosed[] {
  const { world, configuration } = seen;
  return world.clusters.flatMap((cluster) =>
    (cluster.spec?.taints ?? []).flatMap((taint) => {
      const owner = ownershipOf(taint, cluster, world.taintPolicies, configuration.rules);
      if (!owners.includes(owner.owner)) return [];
      const found = find(cluster, taint, owner.policies);
      if (!found) return [];
      const { name } = cluster.metadata;
      return {
        ...found,
        objects: [clusterObject(name)],
        evidence: owner.evidence,
        remedy: {
          text: fix,
          commands: [['karmadactl', 'taint', 'clusters', name, `${taint.key}:${taint.effect}-`]],
        },
      };
    }),
  );
}

export const taintOrphaned: StateCheck = {
  id: 'taint-orphaned',
  severity: 'warning',
  theme: 'taints',
  title: 'no policy removes a taint',
  help: 'No policy for the cluster lists the taint, and it has a timestamp that only Karmada writes: a changed or deleted policy left it. Nothing is scheduled there, or workloads are evicted, until an operator removes it.',
  needs: ['Cluster', 'ClusterTaintPolicy'],
  symptoms: ['a Ready cluster is never chosen', '… cluster(s) had untolerated taint'],
  issues: [6317, 7348],
  find: (seen) =>
    byOwner(
      seen,
      ['unknown'],
      ({ metadata: { name } }, taint) => ({
        message: `${name} has had the taint ${formatTaint(taint)} since ${taint.timeAdded ?? 'an unknown time'}, and no policy removes it: set by an operator, or by a changed or deleted policy`,
      }),
      'remove it, unless it is there on purpose',
    ),
};

export const manualTaint: StateCheck = {
  id: 'taint-by-hand',
  severity: 'note',
  theme: 'taints',
  title: 'an operator has set a taint',
  help: 'A taint without timeAdded was set manually. It stays until an operator removes it.',
  needs: ['Cluster'],
  symptoms: ['… cluster(s) had untolerated taint'],
  find: (seen) =>
    byOwner(
      seen,
      ['person'],
      ({ metadata: { name } }, taint) =>
        taint.effect === 'NoExecute'
          ? undefined
          : { message: `${name} has the taint ${formatTaint(taint)}, which an operator has set` },
      'remove it once its reason no longer applies',
    ),
};

export const taintUndated: StateCheck = {
  id: 'taint-undated',
  severity: 'warning',
  theme: 'taints',
  title: 'a NoExecute taint without timeAdded',
  help: 'Tolerations with tolerationSeconds count from timeAdded: without it they never expire, and the workload stays forever. Set the taint again with karmadactl taint, which adds the time.',
  needs: ['Cluster'],
  symptoms: ['a workload with tolerationSeconds stays on a tainted cluster'],
  issues: [7302],
  find: (seen) =>
    byOwner(
      seen,
      ['person', 'cordon', 'drain', 'unknown', 'policy', 'cluster-controller'],
      ({ metadata: { name } }, taint) =>
        taint.effect === 'NoExecute' && !taint.timeAdded
          ? {
              message: `${name} has ${formatTaint(taint)} without timeAdded: tolerations with tolerationSeconds never expire`,
            }
          : undefined,
      'set it again with karmadactl taint, which adds the time',
    ),
};

/** Milliseconds after which a cordon counts as forgotten. */
const FORGOTTEN = 24 * 3_600_000;

export const cordonForgotten: StateCheck = {
  id: 'cordon-forgotten',
  severity: 'warning',
  theme: 'taints',
  title: 'a cluster is cordoned, and no drain is in progress',
  help: 'The taint cluster.karmada.io/unschedulable keeps the scheduler away until the cluster is uncordoned: it is not a failover target.',
  needs: ['Cluster'],
  symptoms: ['cluster.karmada.io/unschedulable:NoSchedule'],
  find: (seen) => {
    const draining = new Set(
      drainsUnderWay(seen.world.clusters, seen.world.bindings).flatMap(({ clusters }) => clusters),
    );
    return byOwner(
      seen,
      ['cordon', 'drain'],
      ({ metadata: { name } }, taint) => {
        if (draining.has(name)) return undefined;
        const since = taint.timeAdded;
        const old = !since || seen.now - instant(since) > FORGOTTEN;
        return {
          message: `${name} is cordoned${since ? ` for ${timeSince(since, seen.now)}` : ''}, and no drain is in progress: the scheduler never chooses it`,
          ...(old ? {} : { severity: 'note' as const }),
        };
      },
      'uncordon it',
    ).map((one) => ({
      ...one,
      remedy: {
        text: 'uncordon it',
        next: { action: 'uncordon' as const, cluster: one.objects[0]!.name },
      },
    }));
  },
};

/** Milliseconds within which a running controller removes a taint. */
const REMOVED_BY_NOW = 120_000;

export const taintOnReady: StateCheck = {
  id: 'taint-on-ready-cluster',
  severity: 'error',
  theme: 'taints',
  title: 'a Ready cluster has a taint of a NotReady cluster',
  help: 'The cluster controller removes not-ready and unreachable as soon as the cluster is Ready. If they stay for minutes, it does not run: nothing is scheduled there.',
  needs: ['Cluster'],
  symptoms: ['cluster.karmada.io/not-ready on a cluster whose Ready is True'],
  find: (seen) =>
    byOwner(
      seen,
      ['cluster-controller'],
      (cluster, taint) => {
        const since = readyCondition(cluster)?.lastTransitionTime;
        if (!isReady(cluster) || cluster.metadata.deletionTimestamp || !since) return undefined;
        if (seen.now - instant(since) < REMOVED_BY_NOW) return undefined;
        return {
          message: `${cluster.metadata.name} has been Ready since ${since} and still has ${formatTaint(taint)}: is karmada-controller-manager running?`,
        };
      },
      'start karmada-controller-manager: it removes the taint',
    ),
};

export const taintKept: StateCheck = {
  id: 'taint-outlives-condition',
  severity: 'warning',
  theme: 'taints',
  title: 'a taint of a policy stays although its condition no longer holds',
  help: 'addOnConditions of the policy no longer hold, and removeOnConditions do not hold yet, or there are none: the taint stays, and the scheduler avoids the cluster. Give the policy removeOnConditions.',
  needs: ['Cluster', 'ClusterTaintPolicy'],
  symptoms: ['a cluster recovered, and its taint stays'],
  issues: [7348],
  find: (seen) =>
    byOwner(
      seen,
      ['policy'],
      (cluster, taint, policies) => {
        const { rules } = seen.configuration;
        const own = seen.world.taintPolicies.filter(({ metadata }) => policies.includes(metadata.name));
        const since = readyCondition(cluster)?.lastTransitionTime;
        if (own.some((policy) => wantsTaints(policy, cluster, rules))) return undefined;
        if (!since || seen.now - instant(since) < REMOVED_BY_NOW) return undefined;
        return {
          message: `${cluster.metadata.name} keeps ${formatTaint(taint)} of ClusterTaintPolicy ${policies.join(', ')}, whose conditions no longer hold`,
        };
      },
      'remove it, and give the policy removeOnConditions',
    ),
};
