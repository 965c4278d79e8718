import { isOtherKind, type OtherObject } from '../api/otherKinds.ts';
import type { DeclaredHooks, InterpretedKind } from '../controllers/view.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { Rules } from '../dialects/rules.ts';
import { isOneOf } from '../../kubernetes/json.ts';

/** The kinds of objects that declare interpreters. */
export const INTERPRETERS = [
  'ResourceInterpreterCustomization',
  'ResourceInterpreterWebhookConfiguration',
] as const;

/**
 * Whether Karmada can interpret the health of a kind. If not, every applied object counts as Healthy, and application
 * failover skips it.
 */
export function hasHealthInterpreter(resource: InterpretedKind, declared: DeclaredHooks): boolean {
  if (bundledHealth[declared.rules.bundledInterpreters].has(kindKey(resource))) return true;
  return declared.enabled(resource, 'InterpretHealth');
}

/** Whether Karmada sets the replicas that the scheduler assigned to a workload of the kind. */
export function hasReplicaRevision(resource: InterpretedKind, declared: DeclaredHooks): boolean {
  if (bundledReplicaRevision[declared.rules.bundledInterpreters].has(kindKey(resource))) return true;
  return declared.enabled(resource, 'ReviseReplica');
}

/** The label by which a template leaves the replicas of its copies to the members. */
export const RETAIN_REPLICAS_LABEL = 'resourcetemplate.karmada.io/retain-replicas';

/** Whether the label has an effect on a kind without a customization (native retainWorkloadReplicas). */
export function isRetainedByLabel(kind: InterpretedKind): boolean {
  return kindKey(kind) === 'apps/v1/Deployment';
}

/**
 * Whether Karmada keeps the replicas that an autoscaler in the member has set. A customized retention of another kind
 * is taken to read the same label.
 */
export function retainsReplicas(manifest: KubernetesObject | undefined, declared: DeclaredHooks): boolean {
  if (manifest?.metadata.labels?.[RETAIN_REPLICAS_LABEL] !== 'true') return false;
  return isRetainedByLabel(manifest) || declared.enabled(manifest, 'Retain');
}

/** "apps/v1/Deployment": a unique text per kind and version. */
export function kindKey({ apiVersion, kind }: InterpretedKind): string {
  return `${apiVersion}/${kind}`;
}

/** Whether an object declares interpreters. */
export function declaresHooks({ kind }: KubernetesObject): boolean {
  return isOneOf(INTERPRETERS, kind);
}

/**
 * The hooks declared by the ResourceInterpreterCustomizations and ResourceInterpreterWebhookConfigurations among the
 * objects; other objects are skipped.
 */
export function declaredHooks(objects: Iterable<KubernetesObject>, rules: Rules): DeclaredHooks {
  const scripts = new Set<string>();
  const webhookRules: WebhookRule[] = [];
  for (const object of objects) {
    if (isOtherKind(object, 'ResourceInterpreterCustomization')) addScripts(object, scripts);
    else if (isOtherKind(object, 'ResourceInterpreterWebhookConfiguration'))
      for (const { rules: own = [] } of object.webhooks ?? []) webhookRules.push(...own);
  }
  return {
    rules: rules.status,
    enabled: (resource, operation) =>
      scripts.has(`${operation} ${kindKey(resource)}`) ||
      webhookRules.some((rule) => matches(rule, resource, operation)),
  };
}

function addScripts({ spec }: OtherObject<'ResourceInterpreterCustomization'>, scripts: Set<string>): void {
  const { apiVersion, kind } = spec?.target ?? {};
  const { healthInterpretation, replicaRevision, retention } = spec?.customizations ?? {};
  if (!apiVersion || !kind) return;
  const key = kindKey({ apiVersion, kind });
  if (healthInterpretation?.luaScript) scripts.add(`InterpretHealth ${key}`);
  if (replicaRevision?.luaScript) scripts.add(`ReviseReplica ${key}`);
  if (retention?.luaScript) scripts.add(`Retain ${key}`);
}

interface WebhookRule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  kinds?: string[];
}

function matches(rule: WebhookRule, resource: InterpretedKind, operation: string): boolean {
  const slash = resource.apiVersion.indexOf('/');
  const group = resource.apiVersion.slice(0, Math.max(0, slash));
  const version = resource.apiVersion.slice(slash + 1);
  const allows = (allowed: string[] | undefined, value: string) =>
    allowed?.some((one) => one === '*' || one === value) ?? false;
  return (
    allows(rule.operations, operation) &&
    allows(rule.apiGroups, group) &&
    allows(rule.apiVersions, version) &&
    allows(rule.kinds, resource.kind)
  );
}

// The kinds that Karmada interprets by itself: natively, and by its bundled customizations for third-party kinds
// (pkg/resourceinterpreter/default). Keys are apiVersion/kind.

type Bundle = Rules['status']['bundledInterpreters'];

/** The additions of each bundle to the previous one. */
const additions: Record<Bundle, { health: string[]; replicaRevision: string[] }> = {
  first: {
    health: [
      'apps/v1/Deployment',
      'apps/v1/StatefulSet',
      'apps/v1/ReplicaSet',
      'apps/v1/DaemonSet',
      'v1/Service',
      'networking.k8s.io/v1/Ingress',
      'v1/PersistentVolumeClaim',
      'v1/Pod',
      'policy/v1/PodDisruptionBudget',
      'apps.kruise.io/v1alpha1/BroadcastJob',
      'apps.kruise.io/v1alpha1/CloneSet',
      'apps.kruise.io/v1alpha1/DaemonSet',
      'apps.kruise.io/v1beta1/StatefulSet',
      'argoproj.io/v1alpha1/Workflow',
      'helm.toolkit.fluxcd.io/v2beta1/HelmRelease',
      'kustomize.toolkit.fluxcd.io/v1/Kustomization',
      'kyverno.io/v1/ClusterPolicy',
      'kyverno.io/v1/Policy',
      'source.toolkit.fluxcd.io/v1/GitRepository',
      'source.toolkit.fluxcd.io/v1beta2/Bucket',
      'source.toolkit.fluxcd.io/v1beta2/HelmChart',
      'source.toolkit.fluxcd.io/v1beta2/HelmRepository',
      'source.toolkit.fluxcd.io/v1beta2/OCIRepository',
    ],
    replicaRevision: [
      'apps/v1/Deployment',
      'apps/v1/StatefulSet',
      'batch/v1/Job',
      'apps.kruise.io/v1alpha1/BroadcastJob',
      'apps.kruise.io/v1alpha1/CloneSet',
      'apps.kruise.io/v1beta1/StatefulSet',
      'argoproj.io/v1alpha1/Workflow',
    ],
  },
  withFlinkDeployment: { health: ['flink.apache.org/v1beta1/FlinkDeployment'], replicaRevision: [] },
  withUnitedDeployment: {
    health: ['apps.kruise.io/v1alpha1/SidecarSet', 'apps.kruise.io/v1alpha1/UnitedDeployment'],
    replicaRevision: ['apps.kruise.io/v1alpha1/UnitedDeployment'],
  },
  withTrainingJobs: {
    health: [
      'batch.volcano.sh/v1alpha1/Job',
      'kubeflow.org/v1/Notebook',
      'kubeflow.org/v1/PyTorchJob',
      'kubeflow.org/v1/TFJob',
      'kubeflow.org/v2beta1/MPIJob',
      'ray.io/v1/RayCluster',
      'ray.io/v1/RayJob',
      'sparkoperator.k8s.io/v1beta2/SparkApplication',
    ],
    replicaRevision: ['apps/v1/ReplicaSet'],
  },
  withRayService: { health: ['ray.io/v1/RayService'], replicaRevision: ['ray.io/v1/RayService'] },
};

/** Kinds whose health a bundle interprets, in Karmada's own code or by a bundled script. */
export const bundledHealth = cumulated('health');

/** Kinds whose replicas are set to the scheduler's result, natively or by a bundled script. */
export const bundledReplicaRevision = cumulated('replicaRevision');

function cumulated(hook: 'health' | 'replicaRevision'): Record<Bundle, ReadonlySet<string>> {
  const kinds: string[] = [];
  const sets: Partial<Record<Bundle, ReadonlySet<string>>> = {};
  for (const [bundle, added] of Object.entries(additions)) {
    kinds.push(...added[hook]);
    sets[bundle as Bundle] = new Set(kinds);
  }
  return sets as Record<Bundle, ReadonlySet<string>>;
}
