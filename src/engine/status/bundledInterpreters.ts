// Which kinds Karmada v1.18 can interpret without being told how: natively, and by the customizations that it
// carries for kinds of others (pkg/resourceinterpreter/default). Keys are apiVersion/kind.

/** Kinds whose health is interpreted in Karmada's own code. */
export const nativeHealth: ReadonlySet<string> = new Set([
  'apps/v1/Deployment',
  'apps/v1/StatefulSet',
  'apps/v1/ReplicaSet',
  'apps/v1/DaemonSet',
  'v1/Service',
  'networking.k8s.io/v1/Ingress',
  'v1/PersistentVolumeClaim',
  'v1/Pod',
  'policy/v1/PodDisruptionBudget',
]);

/** Kinds whose health a bundled script interprets. */
export const bundledHealth: ReadonlySet<string> = new Set([
  'apps.kruise.io/v1alpha1/BroadcastJob',
  'apps.kruise.io/v1alpha1/CloneSet',
  'apps.kruise.io/v1alpha1/DaemonSet',
  'apps.kruise.io/v1alpha1/SidecarSet',
  'apps.kruise.io/v1alpha1/UnitedDeployment',
  'apps.kruise.io/v1beta1/StatefulSet',
  'argoproj.io/v1alpha1/Workflow',
  'batch.volcano.sh/v1alpha1/Job',
  'flink.apache.org/v1beta1/FlinkDeployment',
  'helm.toolkit.fluxcd.io/v2beta1/HelmRelease',
  'kubeflow.org/v1/Notebook',
  'kubeflow.org/v1/PyTorchJob',
  'kubeflow.org/v1/TFJob',
  'kubeflow.org/v2beta1/MPIJob',
  'kustomize.toolkit.fluxcd.io/v1/Kustomization',
  'kyverno.io/v1/ClusterPolicy',
  'kyverno.io/v1/Policy',
  'ray.io/v1/RayCluster',
  'ray.io/v1/RayJob',
  'ray.io/v1/RayService',
  'source.toolkit.fluxcd.io/v1/GitRepository',
  'source.toolkit.fluxcd.io/v1beta2/Bucket',
  'source.toolkit.fluxcd.io/v1beta2/HelmChart',
  'source.toolkit.fluxcd.io/v1beta2/HelmRepository',
  'source.toolkit.fluxcd.io/v1beta2/OCIRepository',
  'sparkoperator.k8s.io/v1beta2/SparkApplication',
]);

/** Kinds whose replicas are set to what the scheduler assigned, natively or by a bundled script. */
export const bundledReplicaRevision: ReadonlySet<string> = new Set([
  'apps/v1/Deployment',
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
  'batch/v1/Job',
  'apps.kruise.io/v1alpha1/BroadcastJob',
  'apps.kruise.io/v1alpha1/CloneSet',
  'apps.kruise.io/v1alpha1/UnitedDeployment',
  'apps.kruise.io/v1beta1/StatefulSet',
  'argoproj.io/v1alpha1/Workflow',
  'ray.io/v1/RayService',
]);
