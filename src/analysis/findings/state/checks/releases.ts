import type { Cluster } from '../../../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { startsTaintManager } from '../../../../karmada/configuration/taintEviction.ts';
import {
  hasBug,
  type KnownBugId,
  knownBugs,
  affectedReleases,
} from '../../../../karmada/dialects/knownBugs.ts';
import { isReady, readyCondition } from '../../../../karmada/objects/clusterReadiness.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { workloadOf, identityOf } from '../../../../karmada/objects/identities.ts';
import { dividesReplicas } from '../../../../karmada/objects/placement.ts';
import { evictingTaints } from '../../../../karmada/taints/evictingTaints.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { clusterObject, finding, firstObjectNames } from '../about.ts';
import { type Examined } from '../examined.ts';
import type { StateCheck } from '../stateCheck.ts';
import { evicts, type Pattern } from './bugPattern.ts';
import { schedulingBugs } from './schedulingBugs.ts';
import { keysOf, numberIn } from '../../../../kubernetes/json.ts';

const toleratesNothing = ({ spec }: ResourceBinding) =>
  !isAttached(spec) && !spec.placement?.clusterTolerations?.length;

/** Milliseconds within which a due eviction begins. */
const EVICTED_BY_NOW = 300_000;

const someReport = ({ bindings }: Examined) =>
  bindings.some(({ status }) => status?.aggregatedStatus?.some((item) => item.status != null));

/** Whether a Ready cluster has workloads, but reports the status of none. */
function isSilent(cluster: Cluster, { bindings }: Examined): boolean {
  const { name } = cluster.metadata;
  const isHere = ({ spec }: ResourceBinding) => spec.clusters?.some((one) => one.name === name);
  const isReported = ({ status }: ResourceBinding) =>
    status?.aggregatedStatus?.some((item) => item.clusterName === name && item.status != null);
  return (
    isReady(cluster) &&
    // Cheap: for most clusters one of the first bindings has a report.
    !bindings.some((one) => isReported(one) && isHere(one)) &&
    bindings.some((one) => (one.spec.replicas ?? 0) > 0 && isHere(one))
  );
}

const toleratesForever = ({ spec }: ResourceBinding) =>
  spec.placement?.clusterTolerations?.some(
    ({ effect, tolerationSeconds }) => effect !== 'NoSchedule' && tolerationSeconds == null,
  ) ?? false;

/** Seconds that evictions may wait for workloads that stay. */
const HELD_UP = 60;

const heldUp = new WeakMap<Examined, ReadonlySet<string>>();

/** Tainted clusters with more tolerating workloads in the queue than its three workers process in a minute. */
function heldUpClusters(seen: Examined): ReadonlySet<string> {
  const known = heldUp.get(seen);
  if (known) return known;
  const { world, configuration } = seen;
  const rate = configuration.controllerManager['resource-eviction-rate'];
  const counts = new Map<string, number>();
  for (const { name } of world.bindings.filter(toleratesForever).flatMap(({ spec }) => spec.clusters ?? []))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = world.clusters.flatMap(({ metadata: { name }, spec }) =>
    (counts.get(name) ?? 0) > 3 * rate * HELD_UP &&
    evictingTaints(spec?.taints, configuration.rules).length > 0
      ? [name]
      : [],
  );
  const found = new Set(names);
  heldUp.set(seen, found);
  return found;
}

const isHeldUp = (binding: ResourceBinding, seen: Examined) =>
  toleratesNothing(binding) && !!binding.spec.clusters?.some(({ name }) => heldUpClusters(seen).has(name));

const purgesDirectly = (seen: Examined) =>
  seen.configuration.controllerManager['no-execute-taint-eviction-purge-mode'] === 'Directly' && evicts(seen);

const patterns: Record<KnownBugId, Pattern> = {
  'bug-grace-period-leaks': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptom: 'eviction tasks end too early or too late',
    bindings: ({ spec: { gracefulEvictionTasks: tasks = [] } }) => {
      const first = tasks.findIndex(({ gracePeriodSeconds }) => gracePeriodSeconds != null);
      return first >= 0 && tasks.slice(first).some(({ gracePeriodSeconds }) => gracePeriodSeconds == null);
    },
  },
  'bug-scheduler-divides-by-zero': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptom: 'karmada-scheduler restarts: integer divide by zero',
    bindings: ({ spec }) =>
      !dividesReplicas(spec) &&
      spec.placement?.spreadConstraints?.some(({ spreadByField }) => spreadByField === 'region'),
  },
  'bug-unjoin-waits-forever': {
    severity: 'error',
    needs: ['Cluster', 'Configuration'],
    symptom: 'karmadactl unjoin hangs',
    when: ({ configuration }) => !startsTaintManager(configuration),
    clusters: ({ metadata }) => metadata.deletionTimestamp,
  },
  'bug-client-failure-at-once': {
    severity: 'note',
    needs: ['Cluster', 'Configuration'],
    symptom: 'a cluster is NotReady for seconds while its Secret is rotated',
    when: evicts,
    clusters: ({ spec }) => spec?.syncMode !== 'Pull',
  },
  'bug-taint-policy-drops-taints': {
    severity: 'warning',
    needs: ['Cluster', 'ClusterTaintPolicy'],
    symptom: 'a NotReady cluster lacks not-ready:NoSchedule, and is chosen',
    when: ({ world }) => world.taintPolicies.length > 0,
    clusters: (cluster) =>
      (readyCondition(cluster)?.status ?? 'True') !== 'True' &&
      !cluster.spec?.taints?.some(({ effect }) => effect === 'NoSchedule'),
  },
  'bug-eviction-tasks-dropped': {
    severity: 'warning',
    needs: ['Cluster', 'ResourceBinding', 'Configuration'],
    symptom: 'a workload without toleration stays on a cluster with a NoExecute taint',
    when: evicts,
    bindings: (binding, { clusters, configuration, now }) =>
      toleratesNothing(binding) &&
      binding.spec.clusters?.some(({ name }) =>
        evictingTaints(clusters().get(name)?.spec?.taints, configuration.rules).some(
          ({ timeAdded }) => timeAdded && now - instant(timeAdded) > EVICTED_BY_NOW,
        ),
      ),
  },
  'bug-components-not-rescheduled': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptom: 'a FlinkDeployment stays on a failed cluster',
    bindings: ({ spec }) => (spec.components?.length ?? 0) > 1,
  },
  'bug-tolerant-in-eviction-queue': {
    severity: 'note',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'eviction_queue_depth counts workloads that stay',
    when: evicts,
    bindings: (binding, seen) => isHeldUp(binding, seen) || toleratesForever(binding),
    happens: (seen) => seen.bindings.some((one) => isHeldUp(one, seen)),
  },
  'bug-suspension-stays': {
    severity: 'error',
    needs: ['ResourceBinding', 'PropagationPolicy'],
    symptom: 'SuspendDispatching, although the policy has no suspension',
    bindings: (binding, { policyOf }) => {
      const policy = policyOf(binding);
      return binding.spec.suspension?.dispatching && policy && !policy.spec.suspension?.dispatching;
    },
  },
  'bug-attached-changes-lost': {
    severity: 'note',
    needs: ['ResourceBinding'],
    symptom: 'an edited ConfigMap does not change in the members',
    bindings: ({ spec }) => isAttached(spec),
  },
  'bug-purge-mode-ignored-at-once': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'two copies run at once despite purge mode Directly',
    when: purgesDirectly,
    bindings: ({ spec }) =>
      spec.placement?.clusterTolerations?.some(({ tolerationSeconds }) => tolerationSeconds != null),
  },
  'bug-purge-mode-of-cluster-scope': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptom: 'a ClusterRole stays in the old cluster despite purge mode Directly',
    when: purgesDirectly,
    bindings: ({ metadata }) => metadata.namespace === undefined,
  },
  'bug-ready-overwritten': {
    severity: 'note',
    needs: ['Cluster', 'Configuration'],
    symptom: 'Ready of a Pull cluster changes back and forth while its agent is silent',
    when: evicts,
    clusters: ({ spec }) => spec?.syncMode === 'Pull',
  },
  'bug-flink-error-is-healthy': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptom: 'a FlinkDeployment in RECONCILING with status.error is Healthy',
    bindings: ({ spec }) => spec.resource.kind === 'FlinkDeployment' && spec.failover?.application,
  },
  'bug-interpreters-late': {
    severity: 'warning',
    needs: ['Cluster'],
    symptom: 'dependents of a custom resource are deleted when karmada-controller-manager restarts',
    objects: (seen) =>
      ['ResourceInterpreterCustomization', 'ResourceInterpreterWebhookConfiguration'].flatMap((kind) =>
        seen.ofKind(kind).map(identityOf),
      ),
  },
  'bug-endpoints-deleted': {
    severity: 'note',
    needs: ['MultiClusterService'],
    symptom: 'EndpointSlices are gone after a restart of karmada-controller-manager',
    objects: (seen) => seen.othersOf('MultiClusterService').map(identityOf),
  },
  'bug-suspended-comes-back': {
    severity: 'note',
    needs: ['ResourceBinding'],
    symptom: 'an object that was deleted in a member is back, and its Work is suspended',
    bindings: ({ spec: { suspension } }) =>
      suspension?.dispatching || suspension?.dispatchingOnClusters?.clusterNames?.length,
  },
  ...schedulingBugs,
  'bug-rebalancer-outlives-ttl': {
    severity: 'note',
    needs: ['WorkloadRebalancer'],
    symptom: 'finished WorkloadRebalancers pile up',
    objects: (seen) =>
      seen
        .othersOf('WorkloadRebalancer')
        .filter(({ spec, status }) => {
          const ttl = spec?.ttlSecondsAfterFinished;
          return ttl != null && status?.finishTime && seen.now - instant(status.finishTime) > ttl * 1000;
        })
        .map(identityOf),
  },
  'bug-dependents-collected': {
    severity: 'note',
    needs: ['ResourceBinding'],
    symptom: 'the binding of a ConfigMap disappears after a rollout',
    bindings: ({ spec }) => isAttached(spec),
  },
  'bug-quota-bypassed': {
    severity: 'warning',
    needs: ['ResourceBinding', 'FederatedResourceQuota', 'Configuration'],
    symptom: 'overallUsed exceeds overall',
    when: ({ configuration }) => configuration.featureGates.FederatedQuotaEnforcement,
    bindings: ({ spec }) => !dividesReplicas(spec) && (spec.replicas ?? 0) > 0,
  },
  'bug-informers-shut-down': {
    severity: 'warning',
    needs: ['Cluster', 'ResourceBinding'],
    symptom: 'a Ready cluster no longer reports status',
    when: someReport,
    clusters: isSilent,
  },
  'bug-informers-keep-old-token': {
    severity: 'warning',
    needs: ['Cluster', 'ResourceBinding'],
    symptom: 'Unauthorized, in the log of karmada-controller-manager, and a Ready cluster reports no status',
    when: someReport,
    clusters: (cluster, seen) => cluster.spec?.syncMode !== 'Pull' && isSilent(cluster, seen),
  },
  'bug-cron-scales-from-zero': {
    severity: 'warning',
    needs: ['CronFederatedHPA'],
    symptom: 'replicas field is missing, in an Event of the CronFederatedHPA',
    objects: (seen) =>
      seen
        .othersOf('CronFederatedHPA')
        .filter(({ metadata: { namespace }, spec: { scaleTargetRef: target } = {} }) => {
          const template = target && seen.object({ ...target, namespace });
          return template && numberIn(template.spec, 'replicas') === undefined;
        })
        .map(identityOf),
  },
};

function concerned({ when, bindings, clusters, objects }: Pattern, seen: Examined): ObjectIdentity[] {
  if (when?.(seen) === false) return [];
  return [
    ...(clusters ? seen.world.clusters.filter((one) => clusters(one, seen)) : []).map(({ metadata }) =>
      clusterObject(metadata.name),
    ),
    ...(bindings ? seen.bindings.filter((one) => bindings(one, seen)).map(workloadOf) : []),
    ...(objects?.(seen) ?? []),
  ];
}

/** Bugs of the running release that this state can trigger. */
const releaseChecks: readonly StateCheck[] = keysOf(patterns).map((id): StateCheck => {
  const { effect, issues } = knownBugs[id];
  const pattern = patterns[id];
  const { severity, needs, symptom } = pattern;
  return {
    id,
    severity,
    needs,
    issues,
    theme: 'releases',
    title: effect,
    help: `A bug of Karmada ${affectedReleases(id)}. Upgrade to a release without it.`,
    versions: affectedReleases(id),
    symptoms: [symptom],
    find: (seen) => {
      const objects = hasBug(id, seen.release) ? concerned(pattern, seen) : [];
      if (objects.length === 0) return [];
      return finding(
        objects,
        `${seen.karmadaVersion} has a bug: ${effect} (${firstObjectNames(objects)})`,
        { rule: `releases ${affectedReleases(id)} have it`, field: 'version', value: seen.karmadaVersion },
        `upgrade Karmada: #${issues[0]} fixes it`,
        pattern.happens?.(seen) ? 'error' : undefined,
      );
    },
  };
});

/** First the bugs that can explain why workloads stay on a failed cluster, then the others. */
export const [explainingBugs, otherBugs] = [true, false].map((explains) =>
  releaseChecks.filter(({ id }) => 'happens' in patterns[id as KnownBugId] === explains),
) as [StateCheck[], StateCheck[]];
