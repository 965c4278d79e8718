import { isOtherKind } from '../../karmada/api/otherKinds.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ObjectReference } from '../../karmada/api/work.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { CRON_STEP, cronScalers } from '../cronScalers.ts';

interface Autoscaler {
  /** the replicas that the autoscaler sets, in words */
  what: string;
  /** epoch milliseconds from which its actions are unknown; before, they are simulated */
  from: number;
}

/**
 * The autoscalers of workloads, by `objectKey` of the workload: FederatedHPAs by metrics, CronFederatedHPAs by a
 * schedule, whose next runs are simulated.
 *
 * @param start epoch milliseconds
 */
export function autoscalers(
  objects: readonly KubernetesObject[],
  start: number,
): ReadonlyMap<string, Autoscaler[]> {
  const found = new Map<string, Autoscaler[]>();
  const scales = ({ metadata }: KubernetesObject, { kind, name }: ScaleTarget, what: string, from = start) =>
    getOrAdd(found, objectKey({ kind, name, namespace: metadata.namespace }), () => []).push({ what, from });
  for (const object of objects)
    if (isOtherKind(object, 'FederatedHPA') && object.spec)
      scales(
        object,
        object.spec.scaleTargetRef,
        `the replicas that ${nameOf(object)} sets from metrics, which are not in the state`,
      );
  for (const { object, target, rules } of cronScalers(objects, start)) {
    const schedules = rules.map(
      ({ rule: { schedule, targetReplicas } }) =>
        `"${schedule}"${typeof targetReplicas === 'number' ? ` sets ${targetReplicas}` : ''}`,
    );
    scales(
      object,
      target,
      `the replicas that ${nameOf(object)} sets on its schedule (${schedules.join(', ')}): only the next run of a rule is simulated, if its status has it; add others to a scenario as patches`,
      Math.min(...rules.map(({ next }) => (next ? next.at + CRON_STEP : start))),
    );
  }
  return found;
}

export const autoscalersOf = lazilyFor(({ world, start }: StartingWorld) => autoscalers(world.others, start));

/** The keys of the bindings whose replicas an autoscaler sets. */
export const scaledBindings = lazilyFor((start: StartingWorld): readonly string[] => {
  const scaled = autoscalersOf(start);
  if (scaled.size === 0) return [];
  return [...start.bindings].flatMap(([key, { spec }]) => (scaled.has(objectKey(spec.resource)) ? key : []));
});

type ScaleTarget = Pick<ObjectReference, 'kind' | 'name'>;

function nameOf({ kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${kind} ${namespace}/${name}`;
}

/** Whether the control plane runs a descheduler, if the state shows it. */
export function runsDescheduler(objects: readonly KubernetesObject[]): boolean {
  return objects.some(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('karmada-descheduler'),
  );
}
