import type { KubernetesObject } from '../../../../karmada/api/meta.ts';
import { isOtherKind } from '../../../../karmada/api/otherKinds.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { tolerationSecondsOf } from '../../../../karmada/application/applicationPass.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { renamedPurgeModes } from '../../../../karmada/dialects/switches/api.ts';
import { policyIdentity } from '../../../../karmada/objects/policies.ts';
import {
  bindingIdentity,
  workloadOf,
  identityOf,
  objectText,
} from '../../../../karmada/objects/identities.ts';
import { formatDuration } from '../../../../kubernetes/time.ts';
import { usualMembers } from '../../../../simulator/store/savedSimulation.ts';
import { type ObjectPatch, ownerOfPlacement } from '../../../explanation/changes/change.ts';
import { tolerationOfStart } from '../../../explanation/changes/staying.ts';
import { applicationFailoverLinks } from '../../../explanation/links/applicationFailoverLinks.ts';
import { finding, findingIn, inBinding, firstNames, firstObjectNames, jointFinding } from '../about.ts';
import { brokenAt } from '../brokenAt.ts';
import { type Examined, policyKey } from '../examined.ts';
import { policyFindings } from '../policyFindings.ts';
import { startWith } from '../remedies.ts';
import type { Diagnosed, Remedy, StateCheck } from '../stateCheck.ts';

/** Kubernetes kinds that run Pods, and so can be unhealthy. */
const RUNNING = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob', 'Pod']);

/**
 * Whether a built-in kind only accompanies workloads in a policy, like a ConfigMap or an IngressClass, and has no
 * health.
 */
function isBeside({ apiVersion, kind }: ResourceBinding['spec']['resource']): boolean {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
  return !RUNNING.has(kind) && (!group.includes('.') || group.endsWith('.k8s.io'));
}

function asking(seen: Examined): ResourceBinding[] {
  return seen.bindings.filter(
    ({ spec }) => spec.failover?.application && !isAttached(spec) && !isBeside(spec.resource),
  );
}

/** Workloads with a broken link of application failover. */
function byLink(seen: Examined, id: string, remedyOf: (binding: ResourceBinding) => Remedy): Diagnosed[] {
  const { configuration, names } = seen;
  const { workloadReadyAfter } = usualMembers(seen.world);
  const interpreters = interpretersOf(seen);
  return brokenAt(
    id,
    asking(seen),
    (binding) =>
      applicationFailoverLinks(binding, interpreters, { configuration, workloadReadyAfter, names }),
    (_, [first]) => remedyOf(first),
  );
}

/** The kinds that an interpreter is for, without wildcards: apiVersions and kind. */
function interpretedBy(object: KubernetesObject): { apiVersions: string[]; kind: string }[] {
  if (isOtherKind(object, 'ResourceInterpreterCustomization')) {
    const { apiVersion, kind } = object.spec?.target ?? {};
    return apiVersion && kind ? [{ apiVersions: [apiVersion], kind }] : [];
  }
  if (!isOtherKind(object, 'ResourceInterpreterWebhookConfiguration')) return [];
  const rules = (object.webhooks ?? []).flatMap(({ rules: own = [] }) => own);
  return rules.flatMap(({ apiGroups: groups = [], apiVersions: versions = [], kinds = [] }) => {
    if ([...groups, ...versions, ...kinds].includes('*')) return [];
    const apiVersions = groups.flatMap((group) => versions.map((one) => (group ? `${group}/${one}` : one)));
    return kinds.map((kind) => ({ apiVersions, kind }));
  });
}

export const interpreterUnused: StateCheck = {
  id: 'interpreter-unused',
  severity: 'note',
  theme: 'application',
  title: 'an interpreter is for a kind that no workload has',
  help: 'A ResourceInterpreterCustomization or -WebhookConfiguration counts only for exactly its apiVersion and kind. If workloads have the kind in another version or group, Karmada does not use it for them: health and replicas are not read. Correct its target, or remove it.',
  needs: ['ResourceBinding'],
  symptoms: ['health of a custom kind is Unknown although there is a Lua script for it'],
  find: (seen) => {
    const versions = new Map<string, Set<string>>();
    for (const { spec } of seen.world.bindings)
      getOrAdd(versions, spec.resource.kind, () => new Set()).add(spec.resource.apiVersion);
    return interpretersOf(seen).flatMap((object) =>
      interpretedBy(object).flatMap(({ apiVersions, kind }) => {
        const used = versions.get(kind) ?? new Set();
        if (apiVersions.some((one) => used.has(one))) return [];
        const target = `${firstNames(apiVersions)} ${kind}`;
        const others = used.size > 0 ? `: they are ${firstNames([...used])}` : '';
        return findingIn(
          identityOf(object),
          (name) => `${name} is for ${target}, which no workload has${others}`,
          { rule: 'no binding has this apiVersion and kind', field: 'spec.target', value: target },
          used.size > 0 ? 'correct its target' : undefined,
          used.size > 0 ? 'warning' : undefined,
        );
      }),
    );
  },
};

/** The interpreters for kinds with the name of the kind of a workload. */
export function interpretersFor({ spec }: ResourceBinding, seen: Examined): KubernetesObject[] {
  return interpretersOf(seen).filter((one) =>
    interpretedBy(one).some(({ kind }) => kind === spec.resource.kind),
  );
}

function interpretersOf(seen: Examined): KubernetesObject[] {
  return [
    ...seen.ofKind('ResourceInterpreterCustomization'),
    ...seen.ofKind('ResourceInterpreterWebhookConfiguration'),
  ];
}

const patchOwner = (binding: ResourceBinding, merge: ObjectPatch['merge']): ObjectPatch[] => [
  { target: ownerOfPlacement(binding), merge },
];

/** A toleration above the startup time; the same remedy in all checks. */
function patchToleration(seen: Examined, binding: ResourceBinding): ObjectPatch[] {
  const present = tolerationSecondsOf(binding.spec, seen.configuration.rules);
  const tolerationSeconds = tolerationOfStart(present, usualMembers(seen.world).workloadReadyAfter);
  return patchOwner(binding, {
    spec: { failover: { application: { decisionConditions: { tolerationSeconds } } } },
  });
}

export const evictedEverywhere: StateCheck = {
  id: 'evicted-everywhere',
  severity: 'error',
  theme: 'application',
  title: 'application failover has evicted a workload from all of its clusters',
  help: 'The toleration is shorter than the startup time: each new copy is evicted before it is ready. The scheduler does not return to an earlier affinity group: after the last one no cluster is left. Raise tolerationSeconds above the startup time.',
  needs: ['ResourceBinding'],
  symptoms: ['gracefulEvictionTasks of several clusters with reason ApplicationFailure', 'NoClusterFit'],
  issues: [4480],
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
      return finding(
        [workload],
        `${firstObjectNames([workload])} was evicted from ${firstNames(tasks.map(({ fromCluster }) => fromCluster))} and has no cluster left: its toleration of ${formatDuration(seconds * 1000)} is shorter than its start${groups > 0 ? ', and the scheduler does not return to an earlier affinity group' : ''}`,
        tasks.map((task) =>
          inBinding(
            binding,
            'it was Unhealthy there for longer than tolerated',
            'spec.gracefulEvictionTasks',
            task,
          ),
        ),
        {
          text: 'raise tolerationSeconds above the startup time, then cancel an eviction',
          patches: patchToleration(seen, binding),
        },
      );
    }),
};

export const tolerationTooShort: StateCheck = {
  id: 'toleration-shorter-than-start',
  lints: 'manifests',
  severity: 'warning',
  theme: 'application',
  title: 'application failover evicts before a new copy can be ready',
  help: 'A new copy is Unhealthy until its replicas are ready. With a toleration no longer than that, it is evicted repeatedly. Raise tolerationSeconds; Pods usually need 30 seconds or more.',
  needs: ['ResourceBinding'],
  symptoms: ['a workload moves from cluster to cluster', 'EvictWorkloadFromCluster every minute'],
  issues: [7324, 4480],
  find: (seen) => {
    const { workloadReadyAfter } = usualMembers(seen.world);
    const short = asking(seen).filter(
      ({ spec }) => tolerationSecondsOf(spec, seen.configuration.rules) * 1000 <= workloadReadyAfter,
    );
    return short.map((binding) => {
      const seconds = tolerationSecondsOf(binding.spec, seen.configuration.rules);
      const workload = workloadOf(binding);
      return finding(
        [workload],
        `${firstObjectNames([workload])} is evicted after ${seconds} s of ill health, which a start takes, too: each new copy may be evicted before it is ready`,
        {
          rule: `a start is assumed to need ${formatDuration(workloadReadyAfter)}; give ${seen.names.readyAfter}`,
          object: bindingIdentity(binding),
          field: 'spec.failover.application.decisionConditions.tolerationSeconds',
          value: seconds,
          certainty: 'estimate' as const,
          missing: seen.names.readyAfter,
        },
        {
          text: 'tolerate Unhealthy for longer than the startup time',
          patches: patchToleration(seen, binding),
        },
        isUnhealthy(binding) ? 'error' : undefined,
      );
    });
  },
};

function isUnhealthy({ status }: ResourceBinding): boolean {
  return status?.aggregatedStatus?.some(({ health }) => health === 'Unhealthy') ?? false;
}

export const propagateDepsOff: StateCheck = {
  id: 'propagate-deps-off',
  lints: 'manifests',
  severity: 'error',
  theme: 'application',
  title: 'application failover is configured, and propagateDeps is not true',
  help: 'The controller of application failover silently skips ResourceBindings without propagateDeps. Set spec.propagateDeps: true in the policy.',
  needs: ['ResourceBinding'],
  symptoms: ['a workload is Unhealthy for longer than tolerationSeconds, and stays'],
  issues: [7458, 3738],
  find: (seen) =>
    byLink(seen, 'propagate-deps', (binding) => ({
      text: 'let the policy propagate dependencies',
      patches: patchOwner(binding, { spec: { propagateDeps: true } }),
    })),
};

export const purgeModeDeprecated: StateCheck = {
  id: 'purge-mode-deprecated',
  lints: 'manifests',
  severity: 'note',
  theme: 'application',
  title: 'a policy uses the old name of a purge mode',
  help: 'v1.15 has renamed the purge modes Immediately and Graciously to Directly and Gracefully; v1.19 refuses the old names. Write the new ones before an upgrade.',
  needs: ['PropagationPolicy', 'Configuration'],
  versions: 'from v1.15.0 to v1.18',
  symptoms: ['Unsupported value: "Graciously"'],
  find: (seen) => {
    const known = seen.configuration.rules.api.applicationPurgeModes ?? [];
    return seen.world.policies.flatMap((policy) => {
      const mode = policy.spec.failover?.application?.purgeMode;
      const [, name] = renamedPurgeModes.find(([old]) => old === mode) ?? [];
      if (!name || !known.includes(name)) return [];
      const object = policyIdentity(policy);
      return finding(
        [object],
        `${objectText(object)}: purge mode ${mode} is the old name of ${name}, which v1.19 refuses`,
        {
          rule: 'the purge mode has a new name since v1.15',
          object,
          field: 'spec.failover.application.purgeMode',
          value: mode,
        },
        {
          text: `write ${name}`,
          certain: true,
          patches: [
            {
              target: { apiVersion: 'policy.karmada.io/v1alpha1', ...object },
              merge: { spec: { failover: { application: { purgeMode: name } } } },
            },
          ],
        },
      );
    });
  },
};

export const purgeModeNever: StateCheck = {
  id: 'purge-mode-never',
  lints: 'manifests',
  severity: 'note',
  theme: 'application',
  title: 'application failover leaves the old copy until an operator acts',
  help: 'With purge mode Never the eviction task is held (suppressDeletion): the old copy stays beside the new one, and the scheduler does not choose its cluster again, until an operator releases the task. Choose Gracefully, unless an operator checks each failover.',
  needs: ['PropagationPolicy'],
  symptoms: [
    'gracefulEvictionTasks with suppressDeletion: true stay',
    'a workload runs twice after a failover',
  ],
  issues: [3430],
  find: (seen) =>
    policyFindings(
      seen,
      ({ spec: { failover } }) =>
        failover?.application?.purgeMode === 'Never'
          ? {
              text: 'purge mode Never keeps the old copy and blocks its cluster until an operator releases the eviction',
              field: 'spec.failover.application.purgeMode',
              value: 'Never',
            }
          : [],
      'set purgeMode to Gracefully, unless an operator checks each failover',
    ),
};

export const propagateDepsUseless: StateCheck = {
  id: 'propagate-deps-without-namespace',
  severity: 'warning',
  theme: 'placement',
  title: 'propagateDeps is set for an object without a namespace',
  help: 'Karmada follows dependencies of ResourceBindings only: references of an object without a namespace are not propagated with it. Give them a policy of their own.',
  needs: ['ResourceBinding'],
  symptoms: ['the Secret of a PersistentVolume is missing in the clusters'],
  issues: [5096],
  find: (seen) => {
    // A policy may set it for its other objects.
    const useless = seen.bindings.filter(
      (one) =>
        !one.metadata.namespace &&
        one.spec.propagateDeps &&
        !seen
          .byPolicy()
          .get(policyKey(one))
          ?.some(({ metadata }) => metadata.namespace),
    );
    return jointFinding(
      useless,
      (objects) => `${objects}: propagateDeps has no effect without a namespace`,
      (first) => inBinding(first, 'only ResourceBindings are followed', 'spec.propagateDeps', true),
      'propagate its references by a policy of its own',
    );
  },
};

export const noInterpreter: StateCheck = {
  id: 'no-health-interpreter',
  lints: 'manifests',
  severity: 'error',
  theme: 'application',
  title: 'application failover is configured, and the kind has no health interpreter',
  help: 'Karmada cannot determine the health of this kind: application failover skips it. Add a ResourceInterpreterCustomization with healthInterpretation.',
  needs: ['ResourceBinding'],
  symptoms: ['health: Unknown or always Healthy in aggregatedStatus'],
  issues: [7431, 4208],
  find: (seen) =>
    byLink(seen, 'health-interpreter', () => ({
      text: 'add a ResourceInterpreterCustomization with healthInterpretation for the kind',
    })),
};

export const gracefulGateOff: StateCheck = {
  id: 'graceful-eviction-gate-off',
  severity: 'error',
  theme: 'application',
  title: 'a graceful purge mode without the gate GracefulEviction',
  help: 'GracefulEviction=false: application failover with a graceful purge mode writes nothing. Start karmada-controller-manager with the gate.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['GracefulEviction'],
  symptoms: ['GracefulEviction featureGate must be enabled when purgeMode is Graciously'],
  find: (seen) =>
    byLink(seen, 'graceful-eviction-gate', () =>
      startWith('controllerManager', '--feature-gates=GracefulEviction=true', seen),
    ),
};

export const noFurtherCluster: StateCheck = {
  id: 'application-without-second-cluster',
  severity: 'warning',
  theme: 'application',
  title: 'application failover has no further cluster or affinity group',
  help: 'The scheduler does not return to an earlier affinity group: a workload in the last one has no other cluster. Add a group after it, or rebalance the workload to the first.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['NoClusterFit after an ApplicationFailure'],
  issues: [4480, 4990],
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
      return finding(
        [workload],
        `${firstObjectNames([workload])} is in its last affinity group ${last.affinityName}, which has no other cluster: after an application failure no cluster is left`,
        inBinding(
          binding,
          'the scheduler does not return to an earlier group',
          'status.schedulerObservingAffinityName',
          last.affinityName,
        ),
        'rebalance it to the first group, or add a group after the last',
      );
    }),
};

export const jobFailsOver: StateCheck = {
  id: 'job-with-application-failover',
  lints: 'manifests',
  severity: 'warning',
  theme: 'application',
  title: 'application failover restarts a Job',
  help: 'A moved Job starts from scratch in the new cluster and repeats completed work. Leave failover to backoffLimit, or preserve its state.',
  needs: ['ResourceBinding'],
  symptoms: ['a Job runs twice after it failed'],
  issues: [4208],
  find: (seen) => {
    const jobs = asking(seen).filter(({ spec }) => spec.resource.kind === 'Job');
    return jointFinding(
      jobs,
      (workloads) => `${workloads}: application failover restarts a Job elsewhere`,
      { rule: 'a Job has no state that moves', field: 'spec.failover.application' },
      'leave it to backoffLimit, or preserve its state',
    );
  },
};

export const healthUnknown: StateCheck = {
  id: 'health-unknown',
  severity: 'warning',
  theme: 'application',
  title: 'the health of a copy on a Ready cluster is Unknown',
  help: 'While health is Unknown, application failover stops its timer: an Unhealthy period that Unknown interrupts never reaches the toleration. Find out why the status is not collected: the interpreter, or permissions of the agent.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['health: Unknown in aggregatedStatus, the cluster is Ready'],
  issues: [7426, 2989, 7432],
  find: (seen) =>
    asking(seen).flatMap((binding) => {
      const unknown = (binding.status?.aggregatedStatus ?? []).filter(
        ({ clusterName, health, applied }) =>
          health === 'Unknown' && applied && isReady(seen.clusters().get(clusterName)),
      );
      if (unknown.length === 0) return [];
      const workload = workloadOf(binding);
      const clusters = firstNames(unknown.map(({ clusterName }) => clusterName));
      return finding(
        [workload],
        `${firstObjectNames([workload])}: its health on ${clusters} is Unknown though ${unknown.length === 1 ? 'the cluster is' : 'these are'} Ready: application failover does not act`,
        inBinding(
          binding,
          'Unknown ends the time of being Unhealthy',
          'status.aggregatedStatus[].health',
          'Unknown',
        ),
        'find out why its status is not collected there',
      );
    }),
};
