import type { CronFederatedHPA, FederatedHPA } from '../../karmada/api/autoscaling.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ObjectReference } from '../../karmada/api/work.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';

/**
 * What changes the replicas of workloads and is not simulated, by `objectKey` of the workload: FederatedHPAs follow metrics,
 * CronFederatedHPAs a schedule.
 */
export function autoscalers(objects: readonly KubernetesObject[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  const scales = ({ metadata }: KubernetesObject, { kind, name }: ScaleTarget, what: string) =>
    getOrAdd(found, objectKey({ kind, name, namespace: metadata.namespace }), () => []).push(what);
  for (const object of objects)
    if (isFederatedHPA(object) && object.spec)
      scales(
        object,
        object.spec.scaleTargetRef,
        `the replicas that ${nameOf(object)} asks for: it follows metrics, which no state has`,
      );
    else if (isCronFederatedHPA(object) && object.spec) {
      const rules = object.spec.rules.filter(({ suspend }) => !suspend);
      if (rules.length === 0) continue;
      const schedules = rules.map(
        ({ schedule, targetReplicas }) =>
          `"${schedule}"${typeof targetReplicas === 'number' ? ` sets ${targetReplicas}` : ''}`,
      );
      scales(
        object,
        object.spec.scaleTargetRef,
        `the replicas that ${nameOf(object)} sets at its times (${schedules.join(', ')}), which are not simulated: give them as a patch in a scenario`,
      );
    }
  return found;
}

type ScaleTarget = Pick<ObjectReference, 'kind' | 'name'>;

const GROUP = 'autoscaling.karmada.io/';

function isFederatedHPA(object: KubernetesObject): object is KubernetesObject & FederatedHPA {
  return object.kind === 'FederatedHPA' && object.apiVersion.startsWith(GROUP);
}

function isCronFederatedHPA(object: KubernetesObject): object is KubernetesObject & CronFederatedHPA {
  return object.kind === 'CronFederatedHPA' && object.apiVersion.startsWith(GROUP);
}

function nameOf({ kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${kind} ${namespace}/${name}`;
}

/** Whether the control plane runs a descheduler, as far as the state shows it. */
export function runsDescheduler(objects: readonly KubernetesObject[]): boolean {
  return objects.some(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('karmada-descheduler'),
  );
}
