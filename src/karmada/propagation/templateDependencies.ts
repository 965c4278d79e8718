import type { KubernetesObject } from '../api/meta.ts';
import type { DependentReference } from '../objects/dependents.ts';
import { kindKey } from '../status/healthInterpreter.ts';

type Named = { name?: string; secretName?: string; claimName?: string } | null;

interface Container {
  env?: { valueFrom?: { configMapKeyRef?: Named; secretKeyRef?: Named } }[];
  envFrom?: { configMapRef?: Named; secretRef?: Named }[];
}

interface Volume {
  configMap?: Named;
  secret?: Named;
  persistentVolumeClaim?: Named;
  projected?: { sources?: { configMap?: Named; secret?: Named }[] };
}

interface PodSpec {
  serviceAccountName?: string;
  imagePullSecrets?: Named[];
  containers?: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  volumes?: Volume[];
}

interface Template extends KubernetesObject {
  spec?: PodSpec & {
    template?: { spec?: PodSpec };
    jobTemplate?: { spec?: { template?: { spec?: PodSpec } } };
    volumeClaimTemplates?: { metadata?: { name?: string } }[];
    tls?: Named[];
  };
}

/**
 * The objects that follow a template with `propagateDeps`, by kind and name; undefined for kinds whose dependencies
 * Karmada cannot determine (v1.18, pkg/resourceinterpreter/default/native/dependencies.go). ServiceImports are left
 * out.
 */
export function templateDependencies(template: KubernetesObject): DependentReference[] | undefined {
  const { spec = {} } = template as Template;
  switch (kindKey(template)) {
    case 'apps/v1/Deployment':
    case 'apps/v1/ReplicaSet':
    case 'apps/v1/DaemonSet':
    case 'batch/v1/Job':
      return podDependencies(template, spec.template?.spec);
    case 'apps/v1/StatefulSet': {
      // Claims from its own volumeClaimTemplates are placeholders.
      const own = new Set((spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name));
      return podDependencies(template, spec.template?.spec).filter(
        ({ kind, name }) => kind !== 'PersistentVolumeClaim' || !own.has(name),
      );
    }
    case 'batch/v1/CronJob':
      return podDependencies(template, spec.jobTemplate?.spec?.template?.spec);
    case 'v1/Pod':
      return podDependencies(template, spec);
    case 'networking.k8s.io/v1/Ingress':
      return references(template, 'Secret', (spec.tls ?? []).map(nameOf));
    default:
      return undefined;
  }
}

function podDependencies(template: KubernetesObject, pod: PodSpec = {}): DependentReference[] {
  const containers = [
    ...(pod.initContainers ?? []),
    ...(pod.containers ?? []),
    ...(pod.ephemeralContainers ?? []),
  ];
  const volumes = pod.volumes ?? [];
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  const env = containers.flatMap((container) => container.env ?? []);
  const envFrom = containers.flatMap((container) => container.envFrom ?? []);
  const account = pod.serviceAccountName;
  return [
    ...references(template, 'ConfigMap', [
      ...env.map(({ valueFrom }) => nameOf(valueFrom?.configMapKeyRef)),
      ...envFrom.map(({ configMapRef }) => nameOf(configMapRef)),
      ...[...volumes, ...sources].map(({ configMap }) => nameOf(configMap)),
    ]),
    ...references(template, 'Secret', [
      ...(pod.imagePullSecrets ?? []).map(nameOf),
      ...env.map(({ valueFrom }) => nameOf(valueFrom?.secretKeyRef)),
      ...envFrom.map(({ secretRef }) => nameOf(secretRef)),
      ...[...volumes, ...sources].map(({ secret }) => nameOf(secret)),
    ]),
    ...references(template, 'ServiceAccount', account === 'default' ? [] : [account]),
    ...references(
      template,
      'PersistentVolumeClaim',
      volumes.map(({ persistentVolumeClaim }) => nameOf(persistentVolumeClaim)),
    ),
  ];
}

function nameOf(named: Named | undefined): string | undefined {
  return named?.secretName ?? named?.claimName ?? named?.name;
}

/** Each object once, sorted by name: Karmada's own order is that of a hash table. */
function references(
  { metadata: { namespace } }: KubernetesObject,
  kind: string,
  names: (string | undefined)[],
): DependentReference[] {
  return [...new Set(names)]
    .filter((name): name is string => name !== undefined && name !== '')
    .sort()
    .map((name) => ({ apiVersion: 'v1', kind, ...(namespace && { namespace }), name }));
}
