import { tolerationSecondsOf } from '../../../karmada/application/applicationPass.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { bindingIdentity, workloadOf } from '../../../karmada/objects/identities.ts';
import { isReady } from '../../../karmada/objects/clusterReadiness.ts';
import { preservedLabelStateOnCluster } from '../../../karmada/eviction/statePreservation.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { StatePreservation } from '../../../karmada/api/policy.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import { ownerOfPlacement, type ObjectPatch } from '../../explanation/changes/change.ts';
import { applicationFailoverLinks } from '../../explanation/links/applicationFailoverLinks.ts';
import type { FailoverLink } from '../../explanation/links/link.ts';
import { usualMembers } from '../../../simulator/store/savedSimulation.ts';
import type { Examined } from './examined.ts';
import { some, someObjects, startWith } from './remedies.ts';
import type { Diagnosed, Example, StateCheck } from './stateCheck.ts';

const web = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
const asks = (application: object, more: object = {}): Example => ({
  patches: [{ target: web, merge: { spec: { failover: { application }, ...more } } }],
});
const patient = { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' };

/** Kinds that have no health by which they could fail: they are beside a workload in its policy. */
const BESIDE = new Set([
  ...['ConfigMap', 'Secret', 'Service', 'ServiceAccount', 'PersistentVolumeClaim', 'Ingress', 'Namespace'],
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding', 'HorizontalPodAutoscaler', 'NetworkPolicy'],
]);

/** The bindings of workloads that ask for application failover. */
function asking(seen: Examined): ResourceBinding[] {
  return seen.bindings.filter(
    ({ spec }) => spec.failover?.application && !isAttached(spec) && !BESIDE.has(spec.resource.kind),
  );
}

/** Bindings where a link of application failover is as asked for, together by their text. */
function byLink(
  seen: Examined,
  id: string,
  states: readonly FailoverLink['state'][],
  remedyOf: (binding: ResourceBinding, link: FailoverLink) => Diagnosed['remedy'],
): Diagnosed[] {
  const groups = new Map<string, { link: FailoverLink; bindings: ResourceBinding[] }>();
  const { configuration, names } = seen;
  const { workloadReadyAfter } = usualMembers(seen.world);
  for (const binding of asking(seen)) {
    const own = [...(seen.world.others.length > 0 ? seen.ofKind('ResourceInterpreterCustomization') : [])];
    const others = [...own, ...seen.ofKind('ResourceInterpreterWebhookConfiguration')];
    for (const link of applicationFailoverLinks(binding, others, {
      configuration,
      workloadReadyAfter,
      names,
    })) {
      if (link.id !== id || !states.includes(link.state)) continue;
      const group = groups.get(link.text);
      if (group) group.bindings.push(binding);
      else groups.set(link.text, { link, bindings: [binding] });
    }
  }
  return [...groups.values()].map(({ link, bindings }) => {
    const objects = bindings.map(workloadOf);
    const remedy = remedyOf(bindings[0]!, link);
    return {
      message: `${someObjects(objects)}: ${link.text}`,
      objects,
      evidence: link.evidence,
      ...(remedy && { remedy }),
    };
  });
}

const patchOwner = (binding: ResourceBinding, merge: ObjectPatch['merge']): ObjectPatch[] => [
  { target: ownerOfPlacement(binding), merge },
];

const evictedEverywhere: StateCheck = {
  id: 'evicted-everywhere',
  severity: 'error',
  theme: 'application',
  title: 'application failover has evicted a workload from all of its clusters',
  help: 'The toleration is shorter than the workload needs to start, so that each new copy is evicted before it is ready. Affinity groups only go forward: after the last one no cluster is left. Raise tolerationSeconds above the time of a start.',
  needs: ['ResourceBinding'],
  symptoms: ['gracefulEvictionTasks of several clusters with reason ApplicationFailure', 'NoClusterFit'],
  issues: [4480],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            clusters: [],
            failover: { application: patient },
            gracefulEvictionTasks: ['member1', 'member2'].map((fromCluster) => ({
              fromCluster,
              producer: 'ResourceBindingApplicationFailover',
              reason: 'ApplicationFailure',
              creationTimestamp: '2026-05-04T09:55:00Z',
            })),
          },
        },
      },
    ],
  },
  find: (seen) =>
    asking(seen).flatMap((binding) => {
      const { spec } = binding;
      const tasks = (spec.gracefulEvictionTasks ?? []).filter(
        ({ reason }) => reason === 'ApplicationFailure',
      );
      if (tasks.length < 2 || (spec.clusters?.length ?? 0) > 0) return [];
      const seconds = tolerationSecondsOf(spec, seen.configuration.rules);
      const workload = workloadOf(binding);
      const groups = spec.placement?.clusterAffinities?.length ?? 0;
      return [
        {
          message: `${someObjects([workload])} was evicted from ${some(tasks.map(({ fromCluster }) => fromCluster))} and has no cluster left: its toleration of ${formatDuration(seconds * 1000)} is shorter than its start${groups > 0 ? ', and affinity groups only go forward' : ''}`,
          objects: [workload],
          evidence: tasks.map((task) => ({
            rule: 'it was Unhealthy there for longer than tolerated',
            object: bindingIdentity(binding),
            field: 'spec.gracefulEvictionTasks',
            value: task,
          })),
          remedy: {
            text: 'raise tolerationSeconds above the time of a start, then cancel an eviction',
            patches: patchOwner(binding, {
              spec: { failover: { application: { decisionConditions: { tolerationSeconds: seconds * 4 } } } },
            }),
          },
        },
      ];
    }),
};

const tolerationTooShort: StateCheck = {
  id: 'toleration-shorter-than-start',
  lints: 'manifests',
  severity: 'warning',
  theme: 'application',
  title: 'application failover evicts before a new copy can be ready',
  help: 'A new copy is Unhealthy until its replicas are ready. With a toleration that is not longer than that it is evicted again and again. Raise tolerationSeconds; Pods usually need 30 seconds or more.',
  needs: ['ResourceBinding'],
  symptoms: ['a workload moves from cluster to cluster', 'EvictWorkloadFromCluster every minute'],
  issues: [7324, 4480],
  example: asks({ ...patient, decisionConditions: { tolerationSeconds: 20 } }, { propagateDeps: true }),
  find: (seen) => {
    const { workloadReadyAfter } = usualMembers(seen.world);
    const short = asking(seen).filter(
      ({ spec }) => tolerationSecondsOf(spec, seen.configuration.rules) * 1000 <= workloadReadyAfter,
    );
    return short.map((binding) => {
      const seconds = tolerationSecondsOf(binding.spec, seen.configuration.rules);
      const workload = workloadOf(binding);
      return {
        message: `${someObjects([workload])} is evicted after ${seconds} s of ill health, which a start takes, too: each new copy may be evicted before it is ready`,
        ...(isUnhealthy(binding) && { severity: 'error' as const }),
        objects: [workload],
        evidence: [
          {
            rule: `a start is taken to need ${formatDuration(workloadReadyAfter)}; give ${seen.names.readyAfter}`,
            object: bindingIdentity(binding),
            field: 'spec.failover.application.decisionConditions.tolerationSeconds',
            value: seconds,
            certainty: 'estimate' as const,
            missing: seen.names.readyAfter,
          },
        ],
        remedy: {
          text: 'tolerate ill health for longer than a start',
          patches: patchOwner(binding, {
            spec: {
              failover: {
                application: { decisionConditions: { tolerationSeconds: Math.max(300, seconds * 4) } },
              },
            },
          }),
        },
      };
    });
  },
};

function isUnhealthy({ status }: ResourceBinding): boolean {
  return status?.aggregatedStatus?.some(({ health }) => health === 'Unhealthy') ?? false;
}

const propagateDepsOff: StateCheck = {
  id: 'propagate-deps-off',
  lints: 'manifests',
  severity: 'error',
  theme: 'application',
  title: 'application failover is asked for, and propagateDeps is not true',
  help: 'The controller of application failover skips ResourceBindings without propagateDeps, without a word. Set spec.propagateDeps: true in the policy.',
  needs: ['ResourceBinding'],
  symptoms: ['a workload is Unhealthy for longer than tolerationSeconds, and stays'],
  issues: [7458, 3738],
  example: asks(patient, { propagateDeps: false }),
  find: (seen) =>
    byLink(seen, 'propagate-deps', ['broken'], (binding) => ({
      text: 'let the policy propagate dependencies',
      patches: patchOwner(binding, { spec: { propagateDeps: true } }),
    })),
};

const noInterpreter: StateCheck = {
  id: 'no-health-interpreter',
  lints: 'manifests',
  severity: 'error',
  theme: 'application',
  title: 'application failover is asked for, and nothing interprets the health of the kind',
  help: 'Karmada cannot say whether an object of this kind is healthy: application failover skips it. Add a ResourceInterpreterCustomization with healthInterpretation.',
  needs: ['ResourceBinding'],
  symptoms: ['health: Unknown or always Healthy in aggregatedStatus'],
  issues: [7431, 4208],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            propagateDeps: true,
            failover: { application: patient },
            resource: { apiVersion: 'example.com/v1', kind: 'Widget' },
          },
        },
      },
    ],
  },
  find: (seen) =>
    byLink(seen, 'health-interpreter', ['broken'], () => ({
      text: 'add a ResourceInterpreterCustomization with healthInterpretation for the kind',
    })),
};

const gracefulGateOff: StateCheck = {
  id: 'graceful-eviction-gate-off',
  severity: 'error',
  theme: 'application',
  title: 'a graceful purge mode without the gate GracefulEviction',
  help: 'GracefulEviction=false: application failover with a graceful purge mode writes nothing. Start karmada-controller-manager with the gate.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['GracefulEviction'],
  symptoms: ['GracefulEviction featureGate must be enabled when purgeMode is Graciously'],
  issues: [],
  example: {
    flags: { controllerManager: ['--feature-gates=GracefulEviction=false'] },
    ...asks(patient, { propagateDeps: true }),
  },
  find: (seen) =>
    byLink(seen, 'graceful-eviction-gate', ['broken'], () =>
      startWith('controllerManager', '--feature-gates=GracefulEviction=true', seen),
    ),
};

const noFurtherCluster: StateCheck = {
  id: 'application-without-second-cluster',
  severity: 'warning',
  theme: 'application',
  title: 'application failover has no further cluster or affinity group',
  help: 'The scheduler never goes back to an earlier affinity group: a workload in the last one has nowhere to go. Add a group after it, or rebalance the workload to the first.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['NoClusterFit after an ApplicationFailure'],
  issues: [4480, 4990],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            propagateDeps: true,
            failover: { application: patient },
            placement: {
              clusterAffinity: null,
              clusterAffinities: [
                { affinityName: 'first', clusterNames: ['member3'] },
                { affinityName: 'last', clusterNames: ['member1'] },
              ],
            },
            clusters: [{ name: 'member1', replicas: 4 }],
          },
          status: { schedulerObservingAffinityName: 'last' },
        },
      },
    ],
  },
  find: (seen) =>
    asking(seen).flatMap((binding) => {
      const groups = binding.spec.placement?.clusterAffinities ?? [];
      const last = groups.at(-1);
      if (!last || groups.length < 2 || binding.status?.schedulerObservingAffinityName !== last.affinityName)
        return [];
      const names = [...seen.clusters().keys()].filter((name) => seen.facts().isSelected(last, name));
      const present = new Set((binding.spec.clusters ?? []).map(({ name }) => name));
      if (names.some((name) => !present.has(name))) return [];
      const workload = workloadOf(binding);
      return [
        {
          message: `${someObjects([workload])} is in its last affinity group ${last.affinityName}, which has no other cluster: after an application failure nothing is left`,
          objects: [workload],
          evidence: [
            {
              rule: 'the scheduler never goes back to an earlier group',
              object: bindingIdentity(binding),
              field: 'status.schedulerObservingAffinityName',
              value: last.affinityName,
            },
          ],
          remedy: { text: 'rebalance it to the first group, or add a group after the last' },
        },
      ];
    }),
};

const jobFailsOver: StateCheck = {
  id: 'job-with-application-failover',
  lints: 'manifests',
  severity: 'warning',
  theme: 'application',
  title: 'application failover restarts a Job',
  help: 'A Job that moves starts from nothing in the new cluster: what it had done is done twice. Leave failover to backoffLimit, or preserve its state.',
  needs: ['ResourceBinding'],
  symptoms: ['a Job runs twice after it failed'],
  issues: [4208],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: {
            propagateDeps: true,
            failover: { application: patient },
            resource: { apiVersion: 'batch/v1', kind: 'Job' },
          },
        },
      },
    ],
  },
  find: (seen) => {
    const jobs = asking(seen).filter(({ spec }) => spec.resource.kind === 'Job');
    if (jobs.length === 0) return [];
    const objects = jobs.map(workloadOf);
    return [
      {
        message: `${someObjects(objects)}: application failover restarts a Job elsewhere`,
        objects,
        evidence: [{ rule: 'a Job has no state that moves', field: 'spec.failover.application' }],
        remedy: { text: 'leave it to backoffLimit, or preserve its state' },
      },
    ];
  },
};

const healthUnknown: StateCheck = {
  id: 'health-unknown',
  severity: 'warning',
  theme: 'application',
  title: 'the health of a copy on a Ready cluster is Unknown',
  help: 'While health is Unknown, application failover stops its timer: ill health that swings through Unknown never counts as long enough. Look why the status is not collected: the interpreter, or rights of the agent.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['health: Unknown in aggregatedStatus, the cluster is Ready'],
  issues: [7426, 2989, 7432],
  example: {
    patches: [
      {
        target: web,
        merge: {
          spec: { propagateDeps: true, failover: { application: patient } },
          status: {
            aggregatedStatus: [
              { clusterName: 'member1', applied: true, health: 'Unknown' },
              {
                clusterName: 'member2',
                applied: true,
                health: 'Healthy',
                status: { replicas: 2, readyReplicas: 2 },
              },
            ],
          },
        },
      },
    ],
  },
  find: (seen) =>
    asking(seen).flatMap((binding) => {
      const unknown = (binding.status?.aggregatedStatus ?? []).filter(
        ({ clusterName, health, applied }) =>
          health === 'Unknown' && applied && isReady(seen.clusters().get(clusterName)),
      );
      if (unknown.length === 0) return [];
      const workload = workloadOf(binding);
      const clusters = some(unknown.map(({ clusterName }) => clusterName));
      return [
        {
          message: `${someObjects([workload])}: its health on ${clusters} is Unknown though ${unknown.length === 1 ? 'the cluster is' : 'these are'} Ready: application failover does not act`,
          objects: [workload],
          evidence: [
            {
              rule: 'Unknown ends the time of being Unhealthy',
              object: bindingIdentity(binding),
              field: 'status.aggregatedStatus[].health',
              value: 'Unknown',
            },
          ],
          remedy: { text: 'find out why its status is not collected there' },
        },
      ];
    }),
};

/** What Kubernetes takes as the value of a label. */
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** What preserving state on each cluster of a workload gives. */
function preserved(
  seen: Examined,
  bad: (result: NonNullable<ReturnType<typeof preservedLabelStateOnCluster>>) => string | undefined,
): Diagnosed[] {
  const { rules } = seen.configuration;
  return seen.bindings.flatMap((binding) => {
    const { failover } = binding.spec;
    const asked: [string, StatePreservation | undefined][] = [
      ['application', failover?.application?.statePreservation],
      ['cluster', failover?.cluster?.statePreservation],
    ];
    return asked.flatMap(([which, preservation]) => {
      const problems = (binding.spec.clusters ?? []).flatMap(({ name }) => {
        const reported = binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name);
        if (reported?.status == null) return [];
        const result = preservedLabelStateOnCluster(preservation, [reported], name, rules);
        const problem = result && bad(result);
        return problem === undefined ? [] : [{ cluster: name, problem }];
      });
      if (problems.length === 0) return [];
      const workload = workloadOf(binding);
      return [
        {
          message: `${someObjects([workload])}: its state cannot be preserved on ${problems[0]!.cluster}: ${problems[0]!.problem}`,
          objects: [workload],
          evidence: problems.map(({ cluster, problem }) => ({
            rule: problem,
            object: bindingIdentity(binding),
            field: `spec.failover.${which}.statePreservation.rules`,
            value: cluster,
          })),
          remedy: {
            text: 'correct jsonPath of the rule in the policy: it is asked of the status that the cluster reports',
          },
        },
      ];
    });
  });
}

const preserving = (jsonPath: string): Example => ({
  flags: { controllerManager: ['--feature-gates=StatefulFailoverInjection=true'] },
  ...asks(
    { ...patient, statePreservation: { rules: [{ aliasLabelName: 'state', jsonPath }] } },
    { propagateDeps: true },
  ),
});

const statePathWrong: StateCheck = {
  id: 'state-path-wrong',
  severity: 'error',
  theme: 'application',
  title: 'the JSONPath of a state preservation rule fails on the real status',
  help: 'A rule is asked of the status that the cluster reports, without .status in front. If it fails, the eviction itself fails and is retried: the workload does not move.',
  needs: ['ResourceBinding'],
  symptoms: ['failed to execute jsonpath', 'is not found'],
  issues: [5788, 6495],
  example: preserving('{.nothing.there}'),
  find: (seen) => preserved(seen, (result) => ('error' in result ? result.error : undefined)),
};

const stateValueUnfit: StateCheck = {
  id: 'state-value-unfit',
  severity: 'error',
  theme: 'application',
  title: 'a preserved state is no value for a label',
  help: 'Preserved state is handed to the new copy as labels: at most 63 letters, digits, -, _ and .; lists, objects and large numbers (printed as 1e+06) do not fit, and the new Work is refused.',
  needs: ['ResourceBinding'],
  symptoms: [
    'metadata.labels: Invalid value',
    'a valid label must be an empty string or consist of alphanumeric characters',
  ],
  issues: [5788, 6495],
  example: preserving('{.conditions}'),
  find: (seen) =>
    preserved(seen, (result) => {
      if ('error' in result) return undefined;
      const unfit = Object.entries(result.labels).find(([, value]) => !LABEL_VALUE.test(value));
      return unfit && `the label ${unfit[0]} would be "${unfit[1].slice(0, 40)}"`;
    }),
};

const injectionOff: StateCheck = {
  id: 'state-injection-off',
  lints: 'manifests',
  severity: 'error',
  theme: 'application',
  title: 'state is to be preserved, and the gate for it is off',
  help: 'StatefulFailoverInjection is false by default: statePreservation has no effect, and the new copy starts without its state. Start karmada-controller-manager with the gate.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['StatefulFailoverInjection'],
  versions: 'from v1.12.0 on',
  symptoms: ['the new copy lacks the labels of statePreservation'],
  issues: [5788],
  example: asks(
    { ...patient, statePreservation: { rules: [{ aliasLabelName: 'state', jsonPath: '{.replicas}' }] } },
    { propagateDeps: true },
  ),
  find: (seen) => {
    if (seen.configuration.featureGates.StatefulFailoverInjection) return [];
    const stateful = seen.bindings.filter(
      ({ spec: { failover } }) =>
        failover?.application?.statePreservation?.rules?.length ||
        failover?.cluster?.statePreservation?.rules?.length,
    );
    if (stateful.length === 0) return [];
    const objects = stateful.map(workloadOf);
    const assumed = seen.unconfirmed.has('StatefulFailoverInjection');
    return [
      {
        message: `StatefulFailoverInjection=false${assumed ? ' is the default' : ''}: ${someObjects(objects)} ${objects.length === 1 ? 'starts' : 'start'} elsewhere without state`,
        ...(assumed && { severity: 'warning' as const, assumed: ['StatefulFailoverInjection'] }),
        objects,
        evidence: [{ rule: 'the gate decides', field: 'StatefulFailoverInjection', value: false }],
        remedy: startWith('controllerManager', '--feature-gates=StatefulFailoverInjection=true', seen),
      },
    ];
  },
};

/** Application failover: what has gone wrong first, then what will. */
export const applicationChecks: readonly StateCheck[] = [
  evictedEverywhere,
  propagateDepsOff,
  noInterpreter,
  gracefulGateOff,
  statePathWrong,
  stateValueUnfit,
  injectionOff,
  tolerationTooShort,
  healthUnknown,
  noFurtherCluster,
  jobFailsOver,
];
