import { identityOf } from '../../../../karmada/objects/identities.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';
import { parseBoolean } from '../../../../karmada/dialects/flags.ts';
import type { KubernetesObject, ObjectIdentity } from '../../../../karmada/api/meta.ts';
import { numberIn } from '../../../../kubernetes/json.ts';
import type { Cluster } from '../../../../karmada/api/cluster.ts';
import { isReady, readyCondition, wasEverReached } from '../../../../karmada/objects/clusterReadiness.ts';
import { placedOn } from '../../../../karmada/objects/placement.ts';
import { strategyOf } from '../../../../karmada/scheduling/strategy.ts';
import { formatDuration, instant, rfc3339 } from '../../../../kubernetes/time.ts';
import { formatTaint } from '../../../../kubernetes/tolerations.ts';
import {
  downText,
  ELECTING,
  leasesOf,
  staleLease,
  whyDown,
} from '../../../../simulator/verdicts/stoppedComponents.ts';
import { clusterObject, finding, firstNames, firstObjectNames } from '../about.ts';
import { type Examined, flagOf, runningObject } from '../examined.ts';
import { investigateComponent, startWith } from '../remedies.ts';
import type { Severity } from '../../finding.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';

export const componentDown: StateCheck = {
  id: 'component-down',
  severity: 'error',
  theme: 'chain',
  title: 'a component of Karmada has no ready replica',
  help: 'Without etcd and karmada-apiserver nothing works, without karmada-controller-manager nothing is evicted, without karmada-scheduler nothing is placed again, without karmada-webhook nothing can be written. Without kube-controller-manager deleted namespaces and their objects stay.',
  needs: ['Deployment'],
  symptoms: [
    'failed calling webhook',
    'Events of bindings stop',
    'certificate has expired or is not yet valid',
  ],
  issues: [4787, 5087, 5157, 6334, 7813],
  find: (seen) => [
    ...serversDown(seen),
    ...seen.commandLines.flatMap(({ component }) => {
      // the check estimator-down reports these by cluster
      if (component === 'estimator') return [];
      const [object] = runningObject(component, seen);
      const text = object && downText(component, seen.object(object));
      if (!text) return [];
      return finding(
        [object],
        text,
        noneReady(object),
        investigateComponent(component, seen),
        component === 'descheduler' ? 'note' : undefined,
      );
    }),
  ],
};

const noneReady = (object: ObjectIdentity) => ({
  rule: 'no replica is ready',
  object,
  field: 'status.readyReplicas',
  value: 0,
});

/** It collects what is deleted, and has no part in a failover. */
export const KUBE_CONTROLLER_MANAGER = /(?:^|-)kube-controller-manager$/;

/**
 * Servers that the components need, by the suffix of their names, root causes first; and the effect of their absence.
 */
const SERVERS: readonly (readonly [name: RegExp, effect: string, severity?: Severity])[] = [
  [/(?:^|-)etcd$/, 'karmada-apiserver has no data, and no component works'],
  [/(?:^|-)(?<!aggregated-)(?<!kube-)apiserver$/, 'no component of Karmada can read or write anything'],
  [/-aggregated-apiserver$/, 'the API of Clusters is missing, and karmada-controller-manager exits'],
  [
    KUBE_CONTROLLER_MANAGER,
    'deleted namespaces stay, and bindings and Works of deleted objects are not collected',
    'warning',
  ],
];

/** Servers without a ready replica, in the namespaces of Karmada's components. */
function serversDown(seen: Examined): Diagnosed[] {
  const running = ['StatefulSet', 'Deployment'].flatMap((kind) => seen.ofKind(kind));
  return SERVERS.flatMap(([name, effect, severity]) =>
    running.flatMap((one) => {
      const object = identityOf(one);
      if (!seen.componentSpaces().has(object.namespace ?? '') || !name.test(object.name)) return [];
      const none = whyDown(one);
      const few = none ? undefined : withoutMajority(one);
      if (!none && !few) return [];
      const evidence = few
        ? { rule: 'etcd needs a majority', object, field: 'status.readyReplicas', value: few.ready }
        : noneReady(object);
      const kind = object.kind.toLowerCase();
      const log = ['kubectl', '-n', object.namespace ?? '', 'logs', `${kind}/${object.name}`];
      const text = 'look at its log; the certificates of an installation expire after a year';
      const message = `${object.name} ${none ?? few?.text}: ${effect}`;
      return finding([object], message, evidence, { text, commands: [log] }, severity);
    }),
  );
}

/** The number of ready etcd members, if they have no majority. */
function withoutMajority(object: KubernetesObject): { ready: number; text: string } | undefined {
  const wanted = 'spec' in object ? numberIn(object.spec, 'replicas') : undefined;
  const ready = 'status' in object ? numberIn(object.status, 'readyReplicas') : undefined;
  if (!object.metadata.name.endsWith('etcd') || wanted === undefined || ready === undefined) return undefined;
  return ready * 2 <= wanted
    ? { ready, text: `has ${ready} of ${wanted} members ready, and needs a majority` }
    : undefined;
}

export const leaderLeaseStale: StateCheck = {
  id: 'leader-lease-stale',
  lacks: (seen) =>
    ELECTING.some((one) => leasesOf(one, seen.world).length > 0)
      ? undefined
      : 'no Lease of karmada-controller-manager or karmada-scheduler is in the state',
  severity: 'error',
  theme: 'chain',
  title: 'no leader of a component renews its Lease',
  help: 'A leader renews its Lease every few seconds. If the Lease is not renewed, the component does not run, or cannot reach the API server.',
  needs: ['Lease'],
  symptoms: ['failed to renew lease', 'leader election lost'],
  find: (seen) =>
    ELECTING.flatMap((component) => {
      const stale = staleLease(component, seen.world, seen.now);
      if (!stale) return [];
      return finding(
        [identityOf(stale.lease)],
        stale.text,
        { rule: 'a leader renews it every few seconds', field: 'spec.renewTime', value: stale.renewTime },
        investigateComponent(component, seen),
      );
    }),
};

/** Milliseconds by which clocks may differ. */
const SKEW = 60_000;

export const clockSkew: StateCheck = {
  id: 'clock-skew',
  severity: 'warning',
  theme: 'observability',
  title: 'the clock of a component or member is ahead',
  help: 'Its timestamps are in the future of the control plane: tolerations and deadlines count from them, and Leases of agents seem fresh when they are not. Synchronize the clocks.',
  needs: ['Cluster'],
  uses: ['Lease'],
  symptoms: ['the failure of a Pull cluster is detected late'],
  find: (seen) => {
    const ahead = [
      ...seen.othersOf('Lease').map((lease) => ({
        object: identityOf(lease),
        field: 'spec.renewTime',
        time: lease.spec?.renewTime ?? undefined,
      })),
      ...seen.world.clusters.map((cluster) => ({
        object: { kind: 'Cluster', name: cluster.metadata.name },
        field: 'status.conditions[Ready].lastTransitionTime',
        time: readyCondition(cluster)?.lastTransitionTime ?? undefined,
      })),
      ...seen.world.clusters.flatMap(({ metadata: { name }, spec }) =>
        (spec?.taints ?? []).map((taint) => ({
          object: { kind: 'Cluster', name },
          field: `timeAdded of the taint ${formatTaint(taint)}`,
          time: taint.timeAdded ?? undefined,
        })),
      ),
    ].filter(({ time }) => time !== undefined && instant(time) > seen.now + SKEW);
    if (ahead.length === 0) return [];
    const [first] = ahead;
    const by = formatDuration(Math.round((instant(first!.time!) - seen.now) / 1000) * 1000);
    return finding(
      ahead.map(({ object }) => object),
      `${firstObjectNames(ahead.map(({ object }) => object))}: ${first!.field} is ${by} ahead of now (${rfc3339(seen.now)}): clocks differ`,
      ahead.map(({ object, field, time }) => ({
        rule: 'the timestamp is in the future',
        object,
        field,
        value: time,
      })),
      'synchronize the clocks, or name the time of the state',
    );
  },
};

export const agentSilent: StateCheck = {
  id: 'agent-silent',
  severity: 'warning',
  theme: 'observability',
  title: 'the agent of a Pull cluster renews no Lease, and the cluster is Ready',
  help: 'The agent of a Pull cluster renews a Lease in karmada-cluster. karmada-controller-manager sets Ready to Unknown once an agent has been silent for cluster-monitor-grace-period. If Ready is still True, it does not run, or has just started.',
  needs: ['Lease', 'Cluster'],
  symptoms: ['the Lease in karmada-cluster is old'],
  find: (seen) => {
    const grace = seen.configuration.controllerManager['cluster-monitor-grace-period'];
    const leases = new Map(
      seen
        .othersOf('Lease')
        .filter(({ metadata }) => metadata.namespace === 'karmada-cluster')
        .map(({ metadata, spec }) => [metadata.name, spec?.renewTime]),
    );
    return seen.world.clusters.flatMap((cluster) => {
      const { name } = cluster.metadata;
      const renewed = leases.get(name);
      if (cluster.spec?.syncMode !== 'Pull' || !isReady(cluster)) return [];
      if (!leases.has(name)) return withoutLease(cluster, leases.size > 0, seen);
      if (!renewed) return [];
      const age = seen.now - instant(renewed);
      if (age <= grace + SKEW) return [];
      return finding(
        [clusterObject(name)],
        `the agent of ${name} has renewed no Lease for ${formatDuration(Math.round(age / 1000) * 1000)}, and Ready is still True`,
        { rule: 'Ready turns Unknown after the grace period', field: 'spec.renewTime', value: renewed },
        'check whether karmada-agent and karmada-controller-manager run',
      );
    });
  },
};

/** Milliseconds within which a reachable cluster reports its first status. */
const REPORTED = 120_000;

/** A Ready Pull cluster whose agent has no Lease; files may lack it. */
function withoutLease(cluster: Cluster, areListed: boolean, seen: Examined): Diagnosed[] {
  const { name } = cluster.metadata;
  const since = readyCondition(cluster)?.lastTransitionTime;
  if (since && seen.now - instant(since) < REPORTED) return [];
  const isRead = areListed || seen.world.unread !== undefined;
  const grace = formatDuration(seen.configuration.controllerManager['cluster-monitor-grace-period']);
  return [
    finding(
      [clusterObject(name)],
      `no Lease of the agent of ${name} is in karmada-cluster: Ready turns Unknown after ${grace}, again and again`,
      { rule: 'the agent renews one while its cluster is Ready', field: 'Lease', value: null },
      isRead
        ? 'check whether karmada-agent runs and may write Leases in karmada-cluster'
        : 'add the Leases of karmada-cluster to the state, or check whether karmada-agent may write them',
      isRead ? undefined : 'note',
    ),
  ];
}

/** Whether a cluster was never Ready and has no workloads. */
export function neverReady(cluster: Cluster, { world }: Examined): boolean {
  const { name } = cluster.metadata;
  return (
    !wasEverReached(cluster) &&
    !world.bindings.some(({ spec }) => placedOn(spec).some((one) => one.name === name))
  );
}

export const clusterNeverReported: StateCheck = {
  id: 'cluster-never-reported',
  severity: 'warning',
  theme: 'chain',
  title: 'a cluster has never been Ready',
  help: 'It has joined, and nothing has collected its status: the scheduler does not choose it. For a Pull cluster karmada-agent has to run there and to reach the control plane; for a Push cluster karmada-controller-manager has to reach its API server.',
  needs: ['Cluster'],
  symptoms: [
    'READY is empty, False or Unknown in kubectl get clusters, and VERSION is empty, from the beginning',
    'ClusterStatusNeverUpdated',
  ],
  issues: [634, 3573, 3973, 4922],
  find: (seen) =>
    seen.world.clusters.flatMap((cluster) => {
      const { name, creationTimestamp, deletionTimestamp } = cluster.metadata;
      const condition = readyCondition(cluster);
      const since = creationTimestamp ?? condition?.lastTransitionTime;
      const isNew = !since || seen.now - instant(since) < REPORTED;
      if ((condition && !neverReady(cluster, seen)) || deletionTimestamp || isNew) return [];
      const { syncMode, apiEndpoint } = cluster.spec ?? {};
      const isPulled = syncMode === 'Pull';
      const why = condition ? ` (${condition.reason}: ${condition.message ?? ''})` : '';
      return finding(
        [clusterObject(name)],
        `${name} has never been Ready since it joined at ${since}${why}: ${isPulled ? 'does karmada-agent run there and reach the control plane?' : `does karmada-controller-manager reach its API server${apiEndpoint ? ` ${apiEndpoint}` : ''}?`}`,
        {
          rule: 'the first report of a cluster has its version and sets Ready',
          field: 'status.conditions[Ready]',
          value: condition?.status ?? null,
        },
        isPulled
          ? `check karmada-agent in ${name}`
          : {
              text: `check its Secret and its API endpoint`,
              commands: [['kubectl', 'describe', 'cluster', name]],
            },
      );
    }),
};

export const joinedTwice: StateCheck = {
  id: 'cluster-joined-twice',
  severity: 'warning',
  theme: 'placement',
  title: 'two Clusters are the same cluster',
  help: 'It has joined under two names: a failover moves a workload from it to itself, copies overwrite each other, and unjoining one name removes the rights of the other. Unjoin one of them, and join the other again.',
  needs: ['Cluster'],
  symptoms: ['after an unjoin another cluster is not Ready, Unauthorized'],
  issues: [880, 3678],
  find: (seen) => {
    const push = seen.world.clusters.filter(({ spec }) => spec?.syncMode === 'Push' && spec.apiEndpoint);
    const groups = [
      ...groupedBy(
        seen.world.clusters.filter(({ spec }) => spec?.id),
        ({ spec }) => spec?.id,
      ).values(),
      ...groupedBy(
        push.filter(({ spec }) => !spec?.id),
        ({ spec }) => spec?.apiEndpoint,
      ).values(),
    ];
    return groups
      .filter(({ length }) => length > 1)
      .map((same) => {
        const names = same.map(({ metadata }) => metadata.name);
        const { id, apiEndpoint } = same[0].spec ?? {};
        return finding(
          names.map(clusterObject),
          `${firstNames(names)} are the same cluster: they have one ${id ? 'id' : 'apiEndpoint'}`,
          {
            rule: 'each Cluster must be a different cluster',
            object: clusterObject(names[0]!),
            field: id ? 'spec.id' : 'spec.apiEndpoint',
            value: id ?? apiEndpoint,
          },
          'unjoin all names but one, and join that again',
        );
      });
  },
};

export const clusterReportsNothing: StateCheck = {
  id: 'cluster-reports-nothing',
  severity: 'warning',
  theme: 'placement',
  title: 'a Ready cluster reports no resources or no APIs',
  help: 'Without status.resourceSummary a cluster has no capacity for the scheduler: it gets no replicas where capacity counts. Without status.apiEnablements it is chosen for nothing new. karmada-controller-manager (Push) or karmada-agent (Pull) collects both; --enable-cluster-resource-modeling=false switches the resources off.',
  needs: ['Cluster'],
  uses: ['ResourceBinding', 'Deployment'],
  symptoms: ['CompleteAPIEnablements=False, reason Empty', 'Failed to list nodes for Cluster'],
  issues: [7373],
  find: (seen) => {
    const byCapacity = ['Aggregated', 'DynamicWeight'];
    const countsCapacity = seen.bindings.some(({ spec }) =>
      byCapacity.includes(strategyOf(spec.placement) ?? ''),
    );
    return seen.world.clusters.flatMap((cluster) => {
      const { name, deletionTimestamp } = cluster.metadata;
      const since = readyCondition(cluster)?.lastTransitionTime;
      const isNew = since && seen.now - instant(since) < REPORTED;
      if (!isReady(cluster) || deletionTimestamp || isNew) return [];
      const { resourceSummary, apiEnablements = [] } = cluster.status ?? {};
      const collector = cluster.spec?.syncMode === 'Pull' ? 'agent' : 'controllerManager';
      const isOff = parseBoolean(flagOf(collector, MODELING, seen)) === false;
      const look = {
        text: 'check its status in Karmada',
        commands: [['kubectl', 'describe', 'cluster', name]],
      };
      return [
        ...(resourceSummary || (isOff && !countsCapacity)
          ? []
          : [
              finding(
                [clusterObject(name)],
                `${name} reports no resources${isOff ? ` (--${MODELING}=false)` : ''}: it gets no replicas that are divided by capacity`,
                { rule: 'without it the capacity is 0', field: 'status.resourceSummary', value: null },
                isOff ? startWith(collector, `--${MODELING}=true`, seen) : look,
                countsCapacity ? undefined : 'note',
              ),
            ]),
        ...(apiEnablements.length > 0
          ? []
          : [
              finding(
                [clusterObject(name)],
                `${name} reports no API that it serves: the scheduler chooses it for nothing new`,
                { rule: 'only listed APIs count', field: 'status.apiEnablements', value: [] },
                look,
              ),
            ]),
      ];
    });
  },
};

const MODELING = 'enable-cluster-resource-modeling';
