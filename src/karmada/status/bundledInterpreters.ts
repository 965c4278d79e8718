import type { Rules } from '../dialects/rules.ts';

// The kinds that Karmada interprets by itself: natively, and by its bundled customizations for third-party kinds
// (pkg/resourceinterpreter/default). Keys are apiVersion/kind.

type Bundle = Rules['status']['bundledInterpreters'];

/** What each bundle adds to the previous one. */
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

/** Kinds whose health a bundle interprets, in Karmada's own code or by a script that it carries. */
export const bundledHealth = cumulated('health');

/** Kinds whose replicas are set to what the scheduler assigned, natively or by a bundled script. */
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
