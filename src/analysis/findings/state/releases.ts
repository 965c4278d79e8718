import { evictsByTaints, startsTaintManager } from '../../../karmada/configuration/taintEviction.ts';
import { hasBug, knownBugs, whenBug, type KnownBugId } from '../../../karmada/dialects/knownBugs.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import { isReady, readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { workloadOf } from '../../../karmada/objects/identities.ts';
import { dividesReplicas } from '../../../karmada/objects/placement.ts';
import { evictingTaints } from '../../../karmada/taints/evictingTaints.ts';
import { instant } from '../../../kubernetes/time.ts';
import type { Severity } from '../finding.ts';
import type { Examined } from './examined.ts';
import { someObjects } from './remedies.ts';
import type { Example, StateCheck } from './stateCheck.ts';

/** What a bug does, looked for in a state. */
interface Pattern {
  severity: Severity;
  needs: StateCheck['needs'];
  symptoms: readonly string[];
  /** the objects that it concerns; empty: this state gives it no occasion */
  concerns(seen: Examined): readonly ObjectIdentity[];
  example: Example;
}

const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
const cluster = (name: string): ObjectIdentity => ({ kind: 'Cluster', name });
const components = [
  { name: 'jobmanager', replicas: 1 },
  { name: 'taskmanager', replicas: 2 },
];

/** Milliseconds after which an eviction that is due has begun. */
const EVICTED_BY_NOW = 300_000;

const patterns: Record<KnownBugId, Pattern> = {
  'bug-grace-period-leaks': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptoms: ['eviction tasks end too early or too late'],
    concerns: ({ bindings }) =>
      bindings
        .filter(({ spec: { gracefulEvictionTasks: tasks = [] } }) => {
          const first = tasks.findIndex(({ gracePeriodSeconds }) => gracePeriodSeconds != null);
          return (
            first >= 0 && tasks.slice(first + 1).some(({ gracePeriodSeconds }) => gracePeriodSeconds == null)
          );
        })
        .map(workloadOf),
    example: {
      version: 'v1.16.2',
      patches: [
        {
          target: web,
          merge: {
            spec: {
              gracefulEvictionTasks: [
                { fromCluster: 'member1', producer: 'x', reason: 'Y', gracePeriodSeconds: 60 },
                { fromCluster: 'member3', producer: 'x', reason: 'Y' },
              ],
            },
          },
        },
      ],
    },
  },
  'bug-scheduler-divides-by-zero': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptoms: ['karmada-scheduler restarts: integer divide by zero'],
    concerns: ({ bindings }) =>
      bindings
        .filter(
          ({ spec }) =>
            !dividesReplicas(spec) &&
            spec.placement?.spreadConstraints?.some(({ spreadByField }) => spreadByField === 'region'),
        )
        .map(workloadOf),
    example: {
      version: 'v1.16.2',
      patches: [
        {
          target: web,
          merge: {
            spec: {
              placement: {
                replicaScheduling: { replicaSchedulingType: 'Duplicated' },
                spreadConstraints: [{ spreadByField: 'region', minGroups: 1, maxGroups: 2 }],
              },
            },
          },
        },
      ],
    },
  },
  'bug-unjoin-waits-forever': {
    severity: 'error',
    needs: ['Cluster', 'Configuration'],
    symptoms: ['karmadactl unjoin hangs'],
    concerns: ({ world, configuration }) =>
      startsTaintManager(configuration)
        ? []
        : world.clusters
            .filter(({ metadata }) => metadata.deletionTimestamp)
            .map(({ metadata }) => cluster(metadata.name)),
    example: {
      version: 'v1.14.0',
      flags: { controllerManager: ['--enable-taint-manager=false'] },
      patches: [
        {
          target: cluster('member3'),
          merge: {
            metadata: {
              deletionTimestamp: '2026-05-04T09:00:00Z',
              finalizers: ['karmada.io/cluster-controller'],
            },
          },
        },
      ],
    },
  },
  'bug-client-failure-at-once': {
    severity: 'note',
    needs: ['Cluster', 'Configuration'],
    symptoms: ['a cluster is NotReady for seconds while its Secret is rotated'],
    concerns: ({ world, configuration }) =>
      evictsByTaints(configuration)
        ? world.clusters
            .filter(({ spec }) => spec?.syncMode !== 'Pull')
            .map(({ metadata }) => cluster(metadata.name))
        : [],
    example: { version: 'v1.17.2' },
  },
  'bug-taint-policy-drops-taints': {
    severity: 'warning',
    needs: ['Cluster', 'ClusterTaintPolicy'],
    symptoms: ['a NotReady cluster lacks not-ready:NoSchedule, and is chosen'],
    concerns: ({ world }) =>
      world.taintPolicies.length === 0
        ? []
        : world.clusters
            .filter((one) => {
              const status = readyCondition(one)?.status;
              return (
                status !== undefined &&
                status !== 'True' &&
                !one.spec?.taints?.some(({ effect }) => effect === 'NoSchedule')
              );
            })
            .map(({ metadata }) => cluster(metadata.name)),
    example: {
      version: 'v1.17.1',
      patches: [
        {
          target: cluster('member1'),
          merge: {
            status: {
              conditions: [
                {
                  type: 'Ready',
                  status: 'False',
                  reason: 'ClusterNotReachable',
                  lastTransitionTime: '2026-05-04T09:59:30Z',
                },
              ],
            },
          },
        },
      ],
    },
  },
  'bug-eviction-tasks-dropped': {
    severity: 'warning',
    needs: ['Cluster', 'ResourceBinding', 'Configuration'],
    symptoms: ['a workload without toleration stays on a cluster with a NoExecute taint'],
    concerns: (seen) => {
      if (!evictsByTaints(seen.configuration)) return [];
      const old = new Set(
        seen.world.clusters
          .filter(({ spec }) =>
            evictingTaints(spec?.taints, seen.configuration.rules).some(
              ({ timeAdded }) => timeAdded && seen.now - instant(timeAdded) > EVICTED_BY_NOW,
            ),
          )
          .map(({ metadata }) => metadata.name),
      );
      if (old.size === 0) return [];
      return seen.bindings
        .filter(
          ({ spec }) =>
            !isAttached(spec) &&
            (spec.placement?.clusterTolerations?.length ?? 0) === 0 &&
            spec.clusters?.some(({ name }) => old.has(name)),
        )
        .map(workloadOf);
    },
    example: {
      version: 'v1.17.0',
      patches: [
        {
          target: cluster('member1'),
          merge: {
            spec: { taints: [{ key: 'away', effect: 'NoExecute', timeAdded: '2026-05-04T09:00:00Z' }] },
          },
        },
      ],
    },
  },
  'bug-components-not-rescheduled': {
    severity: 'warning',
    needs: ['ResourceBinding'],
    symptoms: ['a FlinkDeployment stays on a failed cluster'],
    concerns: ({ bindings }) =>
      bindings.filter(({ spec }) => (spec.components?.length ?? 0) > 1).map(workloadOf),
    example: { version: 'v1.16.1', patches: [{ target: web, merge: { spec: { components } } }] },
  },
  'bug-tolerant-in-eviction-queue': {
    severity: 'note',
    needs: ['ResourceBinding', 'Configuration'],
    symptoms: ['eviction_queue_depth counts workloads that stay'],
    concerns: ({ bindings, configuration }) =>
      evictsByTaints(configuration)
        ? bindings
            .filter(({ spec }) =>
              spec.placement?.clusterTolerations?.some(
                ({ effect, tolerationSeconds }) => effect !== 'NoSchedule' && tolerationSeconds == null,
              ),
            )
            .map(workloadOf)
        : [],
    example: {
      version: 'v1.18.1',
      patches: [
        {
          target: web,
          merge: { spec: { placement: { clusterTolerations: [{ key: 'away', operator: 'Exists' }] } } },
        },
      ],
    },
  },
  'bug-suspension-stays': {
    severity: 'error',
    needs: ['ResourceBinding', 'PropagationPolicy'],
    symptoms: ['SuspendDispatching, although the policy has no suspension'],
    concerns: (seen) =>
      seen.bindings
        .filter((binding) => {
          const policy = seen.policyOf(binding);
          return binding.spec.suspension?.dispatching && policy && !policy.spec.suspension?.dispatching;
        })
        .map(workloadOf),
    example: {
      version: 'v1.14.3',
      patches: [{ target: web, merge: { spec: { suspension: { dispatching: true } } } }],
    },
  },
  'bug-attached-changes-lost': {
    severity: 'note',
    needs: ['ResourceBinding'],
    symptoms: ['an edited ConfigMap does not change in the members'],
    concerns: ({ bindings }) => bindings.filter(({ spec }) => isAttached(spec)).map(workloadOf),
    example: { version: 'v1.14.6' },
  },
  'bug-purge-mode-ignored-at-once': {
    severity: 'warning',
    needs: ['ResourceBinding', 'Configuration'],
    symptoms: ['two copies run at once in spite of purge mode Directly'],
    concerns: ({ bindings, configuration }) =>
      configuration.controllerManager['no-execute-taint-eviction-purge-mode'] === 'Directly' &&
      evictsByTaints(configuration)
        ? bindings
            .filter(
              ({ spec }) => (spec.placement?.clusterTolerations?.length ?? 0) === 0 && !isAttached(spec),
            )
            .map(workloadOf)
        : [],
    example: {
      version: 'v1.14.3',
      flags: { controllerManager: ['--no-execute-taint-eviction-purge-mode=Directly'] },
    },
  },
  'bug-rebalancer-outlives-ttl': {
    severity: 'note',
    needs: ['WorkloadRebalancer'],
    symptoms: ['finished WorkloadRebalancers pile up'],
    concerns: (seen) =>
      seen.ofKind('WorkloadRebalancer').flatMap((object) => {
        const { spec, status } = object as {
          spec?: { ttlSecondsAfterFinished?: number };
          status?: { finishTime?: string };
        };
        const ttl = spec?.ttlSecondsAfterFinished;
        const over =
          ttl !== undefined && status?.finishTime && seen.now - instant(status.finishTime) > ttl * 1000;
        return over ? [{ kind: 'WorkloadRebalancer', name: object.metadata.name }] : [];
      }),
    example: {
      version: 'v1.12.1',
      patches: [
        {
          target: { kind: 'WorkloadRebalancer', name: 'back' },
          merge: { spec: { ttlSecondsAfterFinished: 60 }, status: { finishTime: '2026-05-04T09:00:00Z' } },
        },
      ],
    },
  },
  'bug-dependents-collected': {
    severity: 'note',
    needs: ['ResourceBinding'],
    symptoms: ['the binding of a ConfigMap disappears after a rollout'],
    concerns: ({ bindings }) => bindings.filter(({ spec }) => isAttached(spec)).map(workloadOf),
    example: { version: 'v1.12.2' },
  },
  'bug-quota-bypassed': {
    severity: 'warning',
    needs: ['ResourceBinding', 'FederatedResourceQuota', 'Configuration'],
    symptoms: ['overallUsed exceeds overall'],
    concerns: ({ bindings, configuration }) =>
      configuration.featureGates.FederatedQuotaEnforcement
        ? bindings.filter(({ spec }) => !dividesReplicas(spec) && (spec.replicas ?? 0) > 0).map(workloadOf)
        : [],
    example: {
      version: 'v1.14.0',
      flags: { webhook: ['--feature-gates=FederatedQuotaEnforcement=true'] },
      patches: [
        {
          target: web,
          merge: { spec: { placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } } } },
        },
      ],
    },
  },
  'bug-informers-shut-down': {
    severity: 'warning',
    needs: ['Cluster', 'ResourceBinding'],
    symptoms: ['no status comes from one Ready cluster any more'],
    concerns: ({ world, bindings }) =>
      world.clusters.filter(isReady).flatMap(({ metadata: { name } }) => {
        const here = bindings.filter(({ spec }) => spec.clusters?.some((one) => one.name === name));
        const silent = here.every(
          ({ status }) =>
            !status?.aggregatedStatus?.some(
              ({ clusterName, status: own }) => clusterName === name && own != null,
            ),
        );
        const others = bindings.some(({ status }) =>
          status?.aggregatedStatus?.some(({ status: own }) => own != null),
        );
        return here.some(({ spec }) => (spec.replicas ?? 0) > 0) && silent && others ? [cluster(name)] : [];
      }),
    example: {
      version: 'v1.14.3',
      patches: [
        {
          target: web,
          merge: {
            status: {
              aggregatedStatus: [
                {
                  clusterName: 'member1',
                  applied: true,
                  health: 'Healthy',
                  status: { replicas: 2, readyReplicas: 2 },
                },
                { clusterName: 'member2', applied: true, health: 'Unknown' },
              ],
            },
          },
        },
      ],
    },
  },
  'bug-cron-scales-from-zero': {
    severity: 'warning',
    needs: ['CronFederatedHPA'],
    symptoms: ['replicas field is missing, in an Event of the CronFederatedHPA'],
    concerns: (seen) =>
      seen.ofKind('CronFederatedHPA').flatMap((object) => {
        const { namespace, name } = object.metadata;
        const { scaleTargetRef: target } =
          (object as { spec?: { scaleTargetRef?: { kind: string; name: string } } }).spec ?? {};
        const template = seen
          .ofKind(target?.kind ?? '')
          .find(({ metadata }) => metadata.name === target?.name && metadata.namespace === namespace);
        const written = (template as { spec?: { replicas?: number } } | undefined)?.spec?.replicas;
        return template && written === undefined
          ? [{ kind: 'CronFederatedHPA', ...(namespace && { namespace }), name }]
          : [];
      }),
    example: {
      version: 'v1.16.2',
      patches: [
        {
          target: { kind: 'Deployment', namespace: 'shop', name: 'web' },
          merge: { spec: { replicas: null } },
        },
      ],
      adds: [
        {
          apiVersion: 'autoscaling.karmada.io/v1alpha1',
          kind: 'CronFederatedHPA',
          metadata: { namespace: 'shop', name: 'night' },
          spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, rules: [] },
        },
      ],
    },
  },
};

/** Bugs of the release that runs, as far as this state gives them an occasion. */
export const releaseChecks: readonly StateCheck[] = (Object.keys(patterns) as KnownBugId[]).map(
  (id): StateCheck => {
    const { effect, issues } = knownBugs[id];
    const { concerns, ...pattern } = patterns[id];
    return {
      ...pattern,
      id,
      theme: 'releases',
      title: effect,
      help: `A bug of Karmada ${whenBug(id)}. Upgrade to a release without it.`,
      versions: whenBug(id),
      issues,
      find: (seen) => {
        const objects = hasBug(id, seen.release) ? concerns(seen) : [];
        if (objects.length === 0) return [];
        return [
          {
            message: `${seen.karmadaVersion} has a bug: ${effect} (${someObjects(objects)})`,
            objects,
            evidence: [
              { rule: `releases ${whenBug(id)} have it`, field: 'version', value: seen.karmadaVersion },
            ],
            remedy: { text: `upgrade Karmada: #${issues[0]} mends it` },
          },
        ];
      },
    };
  },
);
