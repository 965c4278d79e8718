import { binaries } from '../../../../karmada/dialects/flags.ts';
import { isReady, readyCondition } from '../../../../karmada/objects/clusterReadiness.ts';
import { formatDuration, instant, rfc3339 } from '../../../../kubernetes/time.ts';
import { downText, ELECTING, staleLease } from '../../../../simulator/verdicts/stoppedComponents.ts';
import { clusterObject, finding, identityOf, someObjects } from '../about.ts';
import { objectOf, runningObject } from '../examined.ts';
import { patched } from '../examples.ts';
import { restart } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';

export const componentDown: StateCheck = {
  id: 'component-down',
  severity: 'error',
  theme: 'chain',
  title: 'a component of Karmada has no ready replica',
  help: 'Without karmada-controller-manager nothing is evicted, without karmada-scheduler nothing is placed again, without karmada-webhook nothing can be written.',
  needs: ['Deployment'],
  symptoms: ['failed calling webhook', 'Events of bindings stop'],
  issues: [],
  example: patched(
    { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-scheduler' },
    { spec: { replicas: 1 }, status: { replicas: 1, readyReplicas: 0, unavailableReplicas: 1 } },
  ),
  find: (seen) =>
    seen.commandLines.flatMap(({ component }) => {
      const [object] = runningObject(component, seen);
      const text = object && downText(component, objectOf(object, seen));
      if (!text) return [];
      return [
        finding(
          [object],
          text,
          { rule: 'no replica is ready', object, field: 'status.readyReplicas', value: 0 },
          restart(component, seen),
        ),
      ];
    }),
};

export const leaderLeaseStale: StateCheck = {
  id: 'leader-lease-stale',
  lacks: (seen) =>
    seen.ofKind('Lease').some(({ metadata }) => ELECTING.some((one) => binaries[one] === metadata.name))
      ? undefined
      : 'no Lease of karmada-controller-manager or karmada-scheduler is in the state',
  severity: 'error',
  theme: 'chain',
  title: 'no leader of a component renews its Lease',
  help: 'A leader renews its Lease every few seconds. If nobody does, the component does not run, or cannot reach the API server.',
  needs: ['Lease'],
  symptoms: ['failed to renew lease', 'leader election lost'],
  issues: [],
  example: patched(
    { kind: 'Lease', namespace: 'karmada-system', name: 'karmada-scheduler' },
    { spec: { renewTime: '2026-05-04T09:00:00.000000Z' } },
  ),
  find: (seen) =>
    ELECTING.flatMap((component) => {
      const stale = staleLease(component, seen.world, seen.now);
      if (!stale) return [];
      return [
        finding(
          [identityOf(stale.lease)],
          stale.text,
          { rule: 'a leader renews it every few seconds', field: 'spec.renewTime', value: stale.renewTime },
          restart(component, seen),
        ),
      ];
    }),
};

/** Milliseconds by which clocks may differ. */
const SKEW = 60_000;

export const clockSkew: StateCheck = {
  id: 'clock-skew',
  severity: 'warning',
  theme: 'observability',
  title: 'the clock of a component or member is ahead',
  help: 'Times lie in the future of the control plane: tolerations and deadlines count from them, and Leases of agents seem fresh when they are not. Synchronize the clocks.',
  needs: ['Cluster'],
  uses: ['Lease'],
  symptoms: ['a Pull cluster is noticed late when it fails'],
  issues: [],
  example: patched(
    { kind: 'Lease', namespace: 'karmada-cluster', name: 'member3' },
    { spec: { renewTime: '2026-05-04T10:30:00.000000Z' } },
  ),
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
    ].filter(({ time }) => time !== undefined && instant(time) > seen.now + SKEW);
    if (ahead.length === 0) return [];
    const [first] = ahead;
    const by = formatDuration(Math.round((instant(first!.time!) - seen.now) / 1000) * 1000);
    return [
      finding(
        ahead.map(({ object }) => object),
        `${someObjects(ahead.map(({ object }) => object))}: ${first!.field} is ${by} ahead of now (${rfc3339(seen.now)}): clocks differ`,
        ahead.map(({ object, field, time }) => ({
          rule: 'it lies in the future',
          object,
          field,
          value: time,
        })),
        'synchronize the clocks, or name the time of the state',
      ),
    ];
  },
};

export const agentSilent: StateCheck = {
  id: 'agent-silent',
  severity: 'warning',
  theme: 'observability',
  title: 'the agent of a Pull cluster renews no Lease, and the cluster is Ready',
  help: 'karmada-controller-manager sets Ready to Unknown once an agent has been silent for cluster-monitor-grace-period. If Ready is still True, it does not run, or has just started.',
  needs: ['Lease', 'Cluster'],
  symptoms: ['the Lease in karmada-cluster is old'],
  issues: [],
  example: patched(
    { kind: 'Lease', namespace: 'karmada-cluster', name: 'member3' },
    { spec: { renewTime: '2026-05-04T09:00:00.000000Z' } },
  ),
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
      if (cluster.spec?.syncMode !== 'Pull' || !isReady(cluster) || !renewed) return [];
      const age = seen.now - instant(renewed);
      if (age <= grace + SKEW) return [];
      return [
        finding(
          [clusterObject(name)],
          `the agent of ${name} has renewed no Lease for ${formatDuration(Math.round(age / 1000) * 1000)}, and Ready is still True`,
          { rule: 'Ready turns Unknown after the grace period', field: 'spec.renewTime', value: renewed },
          'see whether karmada-agent and karmada-controller-manager run',
        ),
      ];
    });
  },
};

/** Milliseconds within which a cluster that is reached reports its first status. */
const REPORTED = 120_000;

export const clusterNeverReported: StateCheck = {
  id: 'cluster-never-reported',
  severity: 'warning',
  theme: 'chain',
  title: 'a cluster has never reported whether it is Ready',
  help: 'It has joined, and nothing collects its status: the scheduler does not choose it. For a Pull cluster karmada-agent has to run there and to reach the control plane; for a Push cluster karmada-controller-manager has to reach its API server.',
  needs: ['Cluster'],
  symptoms: ['READY is empty or Unknown in kubectl get clusters, from the beginning'],
  issues: [634, 3973],
  example: patched(clusterObject('member3'), { status: { conditions: null } }),
  find: (seen) =>
    seen.world.clusters.flatMap((cluster) => {
      const { name, creationTimestamp, deletionTimestamp } = cluster.metadata;
      const isNew = !creationTimestamp || seen.now - instant(creationTimestamp) < REPORTED;
      if (readyCondition(cluster) || deletionTimestamp || isNew) return [];
      const isPulled = cluster.spec?.syncMode === 'Pull';
      return [
        finding(
          [clusterObject(name)],
          `${name} has reported no Ready condition since it joined at ${creationTimestamp}: ${isPulled ? 'does karmada-agent run there and reach the control plane?' : 'does karmada-controller-manager reach its API server?'}`,
          {
            rule: 'the condition is there once its status is collected',
            field: 'status.conditions',
            value: [],
          },
          isPulled
            ? `look at karmada-agent in ${name}`
            : {
                text: `look at its Secret and its API endpoint`,
                commands: [['kubectl', 'describe', 'cluster', name]],
              },
        ),
      ];
    }),
};

interface Estimator {
  spec?: { replicas?: number };
  status?: { readyReplicas?: number };
}

const ESTIMATOR = 'karmada-scheduler-estimator-';

export const estimatorDown: StateCheck = {
  id: 'estimator-down',
  severity: 'warning',
  theme: 'chain',
  title: 'the scheduler estimator of a cluster has no ready replica',
  help: 'karmada-scheduler runs with --enable-scheduler-estimator=true, and asks the estimator of each cluster for room: it waits for the answer, and takes what the cluster reports in status.resourceSummary instead. Pods may be placed where no node has room.',
  needs: ['Deployment', 'Configuration'],
  flags: ['enable-scheduler-estimator'],
  symptoms: ['failed to get available replicas from the estimator', 'Pods stay Pending after a failover'],
  issues: [7664],
  example: {
    flags: { scheduler: ['--enable-scheduler-estimator=true'] },
    adds: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'karmada-system', name: `${ESTIMATOR}member1` },
        spec: { replicas: 1 },
        status: { replicas: 1, readyReplicas: 0 },
      },
    ],
  },
  find: (seen) => {
    if (!seen.configuration.scheduler['enable-scheduler-estimator']) return [];
    return seen.ofKind('Deployment').flatMap((object) => {
      const { namespace = '', name } = object.metadata;
      const { spec, status } = object as Estimator;
      if (!name.startsWith(ESTIMATOR) || !status || status.readyReplicas) return [];
      const identity = { kind: 'Deployment', namespace, name };
      return [
        finding(
          [identity],
          `${name} ${spec?.replicas === 0 ? 'is scaled to 0' : 'has no ready replica'}: karmada-scheduler takes the room that ${name.slice(ESTIMATOR.length)} reports`,
          { rule: 'no replica is ready', object: identity, field: 'status.readyReplicas', value: 0 },
          {
            text: 'find out why it does not run',
            commands: [['kubectl', '-n', namespace, 'describe', 'deployment', name]],
          },
        ),
      ];
    });
  },
};
