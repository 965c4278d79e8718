import type { KubernetesObject, Toleration } from '../../../../karmada/api/meta.ts';
import { objectKey, identityOf } from '../../../../karmada/objects/identities.ts';
import { finding, firstObjectNames } from '../about.ts';
import type { Examined } from '../examined.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';

interface PodTemplate {
  spec?: {
    template?: { spec?: { containers?: { readinessProbe?: unknown }[]; tolerations?: Toleration[] } };
  };
}

const podOf = (object: KubernetesObject) => (object as PodTemplate).spec?.template?.spec;

/** One finding about all workloads with such Pods. */
function ofTemplates(
  seen: Examined,
  kinds: readonly string[],
  is: (pod: NonNullable<ReturnType<typeof podOf>>) => boolean,
  message: (workloads: string) => string,
  evidence: Diagnosed['evidence'][number],
  text: string,
): Diagnosed[] {
  // Workloads without a policy, such as Karmada's own components, run in no member.
  const objects = kinds
    .flatMap((kind) => seen.ofKind(kind))
    .filter((one) => {
      const pod = podOf(one);
      return pod?.containers?.length && is(pod);
    })
    .map(identityOf)
    .filter((object) => seen.isWritten || seen.byWorkload().has(objectKey(object)));
  if (objects.length === 0) return [];
  return [finding(objects, message(firstObjectNames(objects)), evidence, text)];
}

export const noReadinessProbe: StateCheck = {
  id: 'no-readiness-probe',
  lints: 'manifests',
  severity: 'note',
  theme: 'application',
  title: 'a workload counts as ready as soon as its containers run',
  help: 'Without a readinessProbe a copy that has just started is Healthy at once: a failover deletes the old copy before the new one serves, and failures are noticed only when containers crash. Give its containers a readinessProbe.',
  needs: ['Template'],
  symptoms: ['requests fail for a while after a failover, although replicas are ready'],
  find: (seen) =>
    ofTemplates(
      seen,
      ['Deployment', 'StatefulSet'],
      ({ containers = [] }) => containers.every(({ readinessProbe }) => readinessProbe == null),
      (workloads) => `${workloads}: no container has a readinessProbe: a new copy counts as ready at once`,
      { rule: 'no container has a readinessProbe', field: 'spec.template.spec.containers' },
      'give its containers a readinessProbe',
    ),
};

const NODE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

export const podToleratesDeadNode: StateCheck = {
  id: 'pod-tolerates-dead-node',
  lints: 'manifests',
  severity: 'note',
  theme: 'application',
  title: 'Pods stay on a node that is down',
  help: 'A toleration of node.kubernetes.io/not-ready or unreachable without tolerationSeconds keeps Pods on a dead node: the member does not replace them, and application failover moves the whole workload instead. Give it tolerationSeconds.',
  needs: ['Template'],
  symptoms: ['Pods in state Unknown or Terminating, and the workload leaves its cluster'],
  find: (seen) =>
    ofTemplates(
      seen,
      ['Deployment', 'StatefulSet'],
      ({ tolerations = [] }) =>
        tolerations.some(
          ({ key, effect, tolerationSeconds }) =>
            (!key || NODE_TAINTS.includes(key)) &&
            (!effect || effect === 'NoExecute') &&
            tolerationSeconds == null,
        ),
      (workloads) => `${workloads}: Pods tolerate a node that is down forever: the member replaces none`,
      { rule: 'no tolerationSeconds', field: 'spec.template.spec.tolerations' },
      'give the toleration tolerationSeconds',
    ),
};
