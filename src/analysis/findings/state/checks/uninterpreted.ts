import type { KubernetesObject } from '../../../../karmada/api/meta.ts';
import { parseArguments } from '../../../../karmada/configuration/commandLine.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { objectKey, workloadOf, identityOf, objectText } from '../../../../karmada/objects/identities.ts';
import { policyIdentity } from '../../../../karmada/objects/policies.ts';
import { isObject } from '../../../../kubernetes/json.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { findingIn, inBinding, jointFinding } from '../about.ts';
import { runningObject } from '../examined.ts';
import type { StateCheck } from '../stateCheck.ts';

// Fields that Karmada does not read from a workload, or has not kept in its binding.

function specOf(object: KubernetesObject | undefined): Record<string, unknown> {
  return object && 'spec' in object && isObject(object.spec) ? object.spec : {};
}

export const replicasNotInterpreted: StateCheck = {
  id: 'replicas-not-interpreted',
  severity: 'warning',
  theme: 'placement',
  title: 'a policy divides replicas, and Karmada does not read them from the kind',
  help: 'Without an interpreter of replicas a binding has none: each cluster gets the template as it is, with all of its replicas. Write a ResourceInterpreterCustomization with replicaResource and replicaRevision for the kind.',
  needs: ['ResourceBinding'],
  symptoms: [
    'each cluster runs all replicas',
    'Default interpreter is not enabled for kind … with operation "InterpretReplica"',
  ],
  issues: [2362, 3263],
  find: (seen) => {
    const templates = new Map(seen.world.others.map((one) => [objectKey(identityOf(one)), one]));
    const whole = seen.bindings.filter((binding) => {
      const { spec } = binding;
      const { placement, replicas, components } = spec;
      if (placement?.replicaScheduling?.replicaSchedulingType !== 'Divided' || isAttached(spec)) return false;
      if (replicas || components?.length || (spec.clusters?.length ?? 0) < 2) return false;
      const wanted = specOf(templates.get(objectKey(workloadOf(binding))))['replicas'];
      return typeof wanted === 'number' && wanted > 1;
    });
    return jointFinding(
      whole,
      (workloads) =>
        `${workloads}: each of its clusters gets all replicas: Karmada has no interpreter for the replicas of ${whole[0]!.spec.resource.kind}`,
      (first) => inBinding(first, 'the binding has no replicas to divide', 'spec.replicas', null),
      'write a ResourceInterpreterCustomization with replicaResource and replicaRevision',
    );
  },
};

/** Milliseconds within which the detector writes the placement. */
const WRITTEN_BY_NOW = 120_000;

export const placementLost: StateCheck = {
  id: 'binding-without-placement',
  severity: 'error',
  theme: 'chain',
  title: 'a binding of a policy has no placement',
  help: 'karmada-controller-manager copies the placement of the policy into the binding; CustomResourceDefinitions of an older release drop the field, and the scheduler cannot place the workload. Apply the CustomResourceDefinitions of the release that runs.',
  needs: ['ResourceBinding', 'PropagationPolicy'],
  symptoms: ['failed to get placement from resourceBinding'],
  issues: [3569, 6776],
  find: (seen) => {
    const lost = seen.bindings.filter((binding) => {
      const { metadata, spec } = binding;
      const isNew =
        metadata.creationTimestamp && seen.now - instant(metadata.creationTimestamp) < WRITTEN_BY_NOW;
      return (
        !spec.placement &&
        !isNew &&
        !metadata.deletionTimestamp &&
        !isAttached(spec) &&
        seen.policyOf(binding)?.spec.placement !== undefined
      );
    });
    return jointFinding(
      lost,
      (workloads) =>
        `${workloads}: the binding has no placement, although ${objectText(policyIdentity(seen.policyOf(lost[0]!)!))} has one: are the CustomResourceDefinitions of Karmada older than its components?`,
      (first) => inBinding(first, 'the scheduler needs it', 'spec.placement', null),
      'apply the CustomResourceDefinitions of the release that runs',
    );
  },
};

/** Milliseconds within which the controller that deletes finished Jobs acts. */
const DELETED_BY_NOW = 600_000;

export const finishedJobStays: StateCheck = {
  id: 'finished-job-stays',
  severity: 'warning',
  theme: 'stuck',
  title: 'a finished Job stays after its ttlSecondsAfterFinished',
  help: 'Karmada does not propagate ttlSecondsAfterFinished: the kube-controller-manager of the control plane deletes the Job, and only if its --controllers contain ttl-after-finished (ttl-after-finished-controller from Kubernetes v1.29 on).',
  needs: ['ResourceBinding'],
  symptoms: ['Jobs with ttlSecondsAfterFinished are not deleted'],
  issues: [2197, 2248],
  find: (seen) =>
    seen.ofKind('Job').flatMap((job) => {
      const ttl = specOf(job)['ttlSecondsAfterFinished'];
      const status = 'status' in job && isObject(job.status) ? job.status : {};
      const finished = status['completionTime'];
      if (typeof ttl !== 'number' || typeof finished !== 'string' || job.metadata.deletionTimestamp)
        return [];
      if (seen.now - instant(finished) < ttl * 1000 + DELETED_BY_NOW) return [];
      return findingIn(
        identityOf(job),
        (name) =>
          `${name} finished at ${finished} and stays, although ttlSecondsAfterFinished is ${ttl}: the kube-controller-manager of the control plane does not delete finished Jobs`,
        { rule: 'it is deleted after that time', field: 'spec.ttlSecondsAfterFinished', value: ttl },
        'add ttl-after-finished to --controllers of karmada-kube-controller-manager',
      );
    }),
};

/** The words by which the containers of a Deployment are started, those of a shell command too. */
function programOf(deployment: KubernetesObject): string[] {
  const pod = specOf(deployment)['template'];
  const containers = isObject(pod) && isObject(pod['spec']) ? pod['spec']['containers'] : undefined;
  return (Array.isArray(containers) ? containers.filter(isObject) : [])
    .flatMap(({ command, args }) => [command, args].flat())
    .flatMap((word) => (typeof word === 'string' ? word.split(/\s+/) : []));
}

export const workloadControllersRun: StateCheck = {
  id: 'workload-controllers-run',
  severity: 'warning',
  theme: 'stuck',
  title: 'the kube-controller-manager of the control plane runs controllers of workloads',
  help: 'Its --controllers contain "*", which is also the default: its deployment controller writes the status of templates that Karmada aggregates from the clusters, and creates ReplicaSets. Name only the controllers that Karmada needs: namespace, garbagecollector, serviceaccount-token, ttl-after-finished, bootstrapsigner, csrapproving, csrcleaner, csrsigning, clusterrole-aggregation.',
  needs: ['Deployment'],
  symptoms: ['the status of a Deployment swings between 0 and the ready replicas'],
  issues: [397, 1353],
  find: (seen) => {
    const [beside] = runningObject('controllerManager', seen);
    return seen.ofKind('Deployment').flatMap((deployment) => {
      // Installers name it kube-controller-manager, some with the name of the control plane before it.
      const { namespace, name: own } = deployment.metadata;
      if (!own.endsWith('kube-controller-manager') || namespace !== beside?.namespace) return [];
      const words = programOf(deployment);
      const given = parseArguments(words).flatMap(({ name, value }) => (name === 'controllers' ? value : []));
      const list = given.length > 0 ? given.join(',') : '*';
      const entries = list.split(',').map((one) => one.replace(/-controller$/, ''));
      const runs = entries.includes('*') ? !entries.includes('-deployment') : entries.includes('deployment');
      if (!runs || !words.some((one) => one.endsWith('kube-controller-manager'))) return [];
      return findingIn(
        identityOf(deployment),
        (name) =>
          `${name} runs controllers of workloads (--controllers=${list}): they write the status that Karmada aggregates`,
        {
          rule: 'the clusters run workloads, not the control plane',
          field: 'controllers',
          value: list,
        },
        'name only the controllers that Karmada needs in --controllers',
      );
    });
  },
};
