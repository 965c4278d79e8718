import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceHealth } from '../api/work.ts';
import { hasHealthInterpreter, kindKey, type DeclaredHooks } from './healthInterpreter.ts';
import { interpretHealth } from './interpretHealth.ts';

/** How far a member's own controllers are with a workload. */
export interface Rollout {
  replicas: number;
  ready: number;
  /** they have nothing left to do; for kinds without replicas */
  complete: boolean;
  /** they have seen the present generation of the object */
  observed: boolean;
}

/** The replicas that an object asks for in its member; undefined for kinds that do not tell. */
export function objectReplicas(object: KubernetesObject): number | undefined {
  const { spec } = object as WorkloadObject;
  switch (kindKey(object)) {
    case 'batch/v1/Job': {
      const parallelism = spec?.parallelism ?? 1;
      return Math.min(parallelism, spec?.completions ?? parallelism);
    }
    case 'v1/Pod':
      return 1;
    default:
      return typeof spec?.replicas === 'number' ? spec.replicas : undefined;
  }
}

/**
 * The health that the work status controller reports for an object of a member, by the interpreter of its kind
 * (Karmada v1.18, pkg/resourceinterpreter/default/native/healthy.go). What a script or a webhook decides
 * is Healthy once the rollout is complete.
 */
export function rolloutHealth(
  object: KubernetesObject,
  rollout: Rollout,
  hooks: DeclaredHooks,
): ResourceHealth {
  if (!hasHealthInterpreter(object, hooks)) return hooks.rules.healthWithoutHook;
  const interpreted = interpretHealth(memberObject(object, rollout), hooks);
  return interpreted ?? (rollout.complete && rollout.observed ? 'Healthy' : 'Unhealthy');
}

interface WorkloadObject extends KubernetesObject {
  spec?: { replicas?: unknown; parallelism?: number; completions?: number };
}

/** An object as the member serves it, as far as interpreters of health read it. */
function memberObject(object: WorkloadObject, { replicas, ...rest }: Rollout): KubernetesObject {
  const statusOf = statuses[kindKey(object)];
  const counts = replicaKinds.has(kindKey(object));
  const member: KubernetesObject & { spec?: unknown; status?: unknown } = {
    ...object,
    metadata: { ...object.metadata, generation: 1 },
    status: {
      observedGeneration: rest.observed ? 1 : 0,
      ...(counts
        ? { replicas, updatedReplicas: replicas, readyReplicas: rest.ready, availableReplicas: rest.ready }
        : statusOf?.(rest.complete)),
    },
  };
  if (counts) member.spec = { ...object.spec, replicas };
  return member;
}

const replicaKinds: ReadonlySet<string> = new Set([
  'apps/v1/Deployment',
  'apps/v1/StatefulSet',
  'apps/v1/ReplicaSet',
]);

const loadBalancer = (complete: boolean) =>
  complete ? { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } : {};

const statuses: Record<string, (complete: boolean) => object> = {
  'apps/v1/DaemonSet': (complete) => ({
    desiredNumberScheduled: 1,
    updatedNumberScheduled: 1,
    numberAvailable: complete ? 1 : 0,
  }),
  'v1/Service': loadBalancer,
  'networking.k8s.io/v1/Ingress': loadBalancer,
  'v1/PersistentVolumeClaim': (complete) => ({ phase: complete ? 'Bound' : 'Pending' }),
  'v1/Pod': (complete) => ({
    phase: complete ? 'Running' : 'Pending',
    conditions: [{ type: 'Ready', status: complete ? 'True' : 'False' }],
  }),
  'policy/v1/PodDisruptionBudget': (complete) => ({ currentHealthy: complete ? 1 : 0, desiredHealthy: 1 }),
};
