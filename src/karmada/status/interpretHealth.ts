import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceHealth } from '../api/work.ts';
import { hasHealthInterpreter, kindKey, type DeclaredHooks } from './healthInterpreter.ts';

type Fields = Record<string, unknown>;

/** An object whose fields do not have the types of its kind; Karmada's interpreter fails on it. */
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
    const { spec, status } = object as KubernetesObject & { spec?: unknown; status?: unknown };
    const healthy = interpret(fields(spec), fields(status), object.metadata.generation ?? 0);
    return healthy ? 'Healthy' : 'Unhealthy';
  } catch (error) {
    if (error instanceof TypeMismatch) return 'Unknown';
    throw error;
  }
}

type Interpret = (spec: Fields, status: Fields, generation: number) => boolean;

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

function fields(value: unknown): Fields {
  if (value == null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeMismatch();
  return value as Fields;
}

function list(value: unknown): Fields[] {
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
