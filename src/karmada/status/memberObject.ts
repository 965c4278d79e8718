import { isObject, numberIn, type JsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceHealth } from '../api/work.ts';
import { hasHealthInterpreter, kindKey } from './healthInterpreter.ts';
import type { DeclaredHooks } from '../controllers/view.ts';

/** The progress of a member's own controllers with a workload. */
interface Rollout {
  replicas: number;
  ready: number;
  /** finished; for kinds without replicas */
  complete: boolean;
  /** they have observed the current generation of the object */
  observed: boolean;
}

/** The replicas requested by an object in its member; undefined for kinds that declare none. */
export function objectReplicas(object: KubernetesObject): number | undefined {
  const { spec } = object;
  switch (kindKey(object)) {
    case 'batch/v1/Job': {
      const parallelism = numberIn(spec, 'parallelism') ?? 1;
      return Math.min(parallelism, numberIn(spec, 'completions') ?? parallelism);
    }
    case 'v1/Pod':
      return 1;
    default:
      return numberIn(spec, 'replicas');
  }
}

/**
 * The health that the work status controller reports for an object of a member, by the interpreter of its kind (Karmada
 * v1.18, pkg/resourceinterpreter/default/native/healthy.go). A kind whose health a script or webhook decides is assumed
 * Healthy once the rollout is complete.
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

/** An object as the member serves it, with the fields that health interpreters read. */
function memberObject(object: KubernetesObject, { replicas, ...rest }: Rollout): KubernetesObject {
  const statusOf = statuses[kindKey(object)];
  const counts = replicaKinds.has(kindKey(object));
  const member: KubernetesObject = {
    ...object,
    metadata: { ...object.metadata, generation: 1 },
    status: {
      observedGeneration: rest.observed ? 1 : 0,
      ...(counts
        ? { replicas, updatedReplicas: replicas, readyReplicas: rest.ready, availableReplicas: rest.ready }
        : statusOf?.(rest.complete)),
    },
  };
  if (counts) member.spec = { ...(isObject(object.spec) && object.spec), replicas };
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

/** An object whose fields have other types than its kind declares; Karmada's interpreter fails on it. */
class TypeMismatch extends Error {}

/**
 * The health that Karmada's work status controller reports for an object of a member cluster, by the rules of its kind
 * (Karmada v1.18, pkg/resourceinterpreter/default/native/healthy.go). Healthy if the kind has no health hook, Unknown
 * if fields have the wrong type; undefined if a script or webhook decides.
 */
export function interpretHealth(
  object: KubernetesObject,
  declared: DeclaredHooks,
): ResourceHealth | undefined {
  const interpret = interpreters[kindKey(object)];
  if (!interpret)
    return hasHealthInterpreter(object, declared) ? undefined : declared.rules.healthWithoutHook;
  try {
    const { spec, status } = object;
    const healthy = interpret(fields(spec), fields(status), object.metadata.generation ?? 0);
    return healthy ? 'Healthy' : 'Unhealthy';
  } catch (error) {
    if (error instanceof TypeMismatch) return 'Unknown';
    throw error;
  }
}

type Interpret = (spec: JsonObject, status: JsonObject, generation: number) => boolean;

/** Deployment and StatefulSet: all desired replicas updated, all updated ones available. */
const rolledOut: Interpret = (spec, status, generation) => {
  const updated = integer(status.updatedReplicas);
  return (
    integer(status.observedGeneration) === generation &&
    (spec.replicas == null || updated >= integer(spec.replicas)) &&
    integer(status.availableReplicas) >= updated
  );
};

const hasAddress: Interpret = (_spec, status) =>
  list(fields(status.loadBalancer).ingress).some((ingress) => text(ingress.hostname) || text(ingress.ip));

const interpreters: Record<string, Interpret> = {
  'apps/v1/Deployment': rolledOut,
  'apps/v1/StatefulSet': rolledOut,
  'apps/v1/ReplicaSet': (spec, status, generation) =>
    integer(status.observedGeneration) === generation &&
    (spec.replicas == null || integer(status.availableReplicas) >= integer(spec.replicas)),
  'apps/v1/DaemonSet': (_spec, status, generation) => {
    const updated = integer(status.updatedNumberScheduled);
    return (
      integer(status.observedGeneration) === generation &&
      updated >= integer(status.desiredNumberScheduled) &&
      integer(status.numberAvailable) >= updated
    );
  },
  'v1/Service': (spec, status, generation) =>
    text(spec.type) !== 'LoadBalancer' || hasAddress(spec, status, generation),
  'networking.k8s.io/v1/Ingress': hasAddress,
  'v1/PersistentVolumeClaim': (_spec, status) => text(status.phase) === 'Bound',
  'v1/Pod': (_spec, status) => {
    if (status.phase === 'Succeeded') return true;
    const ready = list(status.conditions).find(({ type }) => type === 'Ready');
    return status.phase === 'Running' && ready?.status === 'True';
  },
  'policy/v1/PodDisruptionBudget': (_spec, status) =>
    integer(status.currentHealthy) >= integer(status.desiredHealthy),
};

function fields(value: unknown): JsonObject {
  if (value == null) return {};
  if (!isObject(value)) throw new TypeMismatch();
  return value;
}

function list(value: unknown): JsonObject[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw new TypeMismatch();
  return value.map(fields);
}

function integer(value: unknown): number {
  if (value == null) return 0;
  if (typeof value !== 'number') throw new TypeMismatch();
  return value;
}

function text(value: unknown): string {
  if (value == null) return '';
  if (typeof value !== 'string') throw new TypeMismatch();
  return value;
}
