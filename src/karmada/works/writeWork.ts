import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceBinding, Work } from '../api/work.ts';
import {
  CONFLICT_RESOLUTION_ANNOTATION,
  EXECUTION_FINALIZER,
  executionNamespace,
  workName,
} from '../api/names.ts';
import type { BindingOwnership } from '../objects/worksOfBinding.ts';
import type { WorkWrite } from '../eviction/works.ts';
import { sameContent } from '../objects/sameContent.ts';
import { objectReplicas } from '../status/memberObject.ts';
import type { Interest } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';
import { workManifest, type ManifestParts, type WorkManifest } from './workManifest.ts';
import type { Write } from '../controllers/write.ts';

/** The replicas of a manifest; null if it has none, such as a ConfigMap. */
export function replicasOf(manifest: KubernetesObject | undefined): number | null {
  return (manifest && objectReplicas(manifest)) ?? null;
}

/** The parts of a Work that are not in the plan. */
interface OwnParts extends Pick<ManifestParts, 'ownership' | 'template' | 'completions'> {
  /** the assigned replicas replace those of the template */
  revises: boolean;
  /** the replicas of a Work that is gone or being deleted, if the cache still shows the Work unchanged */
  cached: number | null | undefined;
}

/** Why a Work cannot be written until something changes. */
export interface Unwritable {
  message: string;
  unless: Interest;
}

/**
 * The write of one Work; nothing if it is up to date; the reason if the old one is still being deleted, or the
 * execution namespace is terminating or gone with its cluster. If the cache still shows a terminating or deleted Work,
 * the write is lost: no later reconcile repeats it.
 */
export function writeWork(
  view: View,
  binding: ResourceBinding,
  own: Work | undefined,
  { cluster, replicas, preservedLabels, suspendDispatching, preserveResourcesOnDeletion }: WorkWrite,
  { ownership, template, completions, revises, cached }: OwnParts,
): Write | Unwritable | undefined {
  const name = own?.metadata.name ?? workName(binding.spec.resource);
  const namespace = executionNamespace(cluster);
  const key = `${namespace}/${name}`;
  // Takes over a Work left by an earlier binding of the same name.
  const existing = own ?? view.get('Work', key);
  const deleting = Boolean(existing?.metadata.deletionTimestamp);
  const blocked = { message: `work ${key} is being deleted`, unless: { kind: 'Work', key } } as const;
  if (deleting && cached === undefined) return blocked;
  const manifest = workManifest({
    binding,
    name,
    namespace,
    ownership,
    template,
    completions,
    existing,
    replicas: revises ? replicas : undefined,
    preservedLabels,
  });
  const spec: WorkSpec = {
    workload: { manifests: [manifest] },
    suspendDispatching,
    preserveResourcesOnDeletion,
  };
  if (!existing && cached !== undefined && cached === replicasOf(manifest)) return undefined;
  const target = view.get('Cluster', cluster);
  const hasLeft = target ? target.metadata.deletionTimestamp : view.get('Member', cluster);
  if (!existing && hasLeft)
    return {
      message: target
        ? `unable to create new content in namespace ${namespace} because it is being terminated`
        : `namespaces "${namespace}" not found`,
      unless: { kind: 'Cluster', key: cluster },
    };
  if (!existing)
    return { verb: 'create', kind: 'Work', key, object: newWork(ownership, name, namespace, spec) };
  if (isUpToDate(existing, ownership, spec)) return undefined;
  // The update fails because the Work is being deleted, until the cache shows that.
  if (deleting) return blocked;
  const { labels, annotations } = ownMetadata(ownership, manifest);
  return {
    verb: 'update',
    kind: 'Work',
    key,
    part: 'object',
    lock: true,
    base: existing,
    object: {
      ...existing,
      metadata: {
        ...existing.metadata,
        labels: { ...existing.metadata.labels, ...labels },
        annotations: { ...existing.metadata.annotations, ...annotations },
      },
      spec: { ...existing.spec, ...spec },
    },
  };
}

/** The desired spec of a Work, for one object. */
interface WorkSpec {
  workload: { manifests: [WorkManifest] };
  suspendDispatching: boolean;
  preserveResourcesOnDeletion: boolean;
}

function newWork(ownership: BindingOwnership, name: string, namespace: string, spec: WorkSpec): Work {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: {
      name,
      namespace,
      finalizers: [EXECUTION_FINALIZER],
      ...ownMetadata(ownership, spec.workload.manifests[0]),
    },
    spec,
  };
}

function ownMetadata({ labels, annotations }: BindingOwnership, manifest: WorkManifest) {
  const resolution = manifest.metadata.annotations[CONFLICT_RESOLUTION_ANNOTATION];
  return { labels, annotations: { ...annotations, [CONFLICT_RESOLUTION_ANNOTATION]: resolution } };
}

/**
 * Whether writing would change nothing relevant in the member. Labels and annotations of Karmada's other components and
 * releases are kept as captured.
 */
function isUpToDate({ metadata, spec = {} }: Work, { labels }: BindingOwnership, wanted: WorkSpec): boolean {
  const is = spec.workload?.manifests?.[0];
  const [should] = wanted.workload.manifests;
  const resolution = is?.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION] ?? 'abort';
  return (
    (spec.suspendDispatching ?? false) === wanted.suspendDispatching &&
    (spec.preserveResourcesOnDeletion ?? false) === wanted.preserveResourcesOnDeletion &&
    Object.keys(labels).every((key) => metadata.labels?.[key] === labels[key]) &&
    is !== undefined &&
    sameContent(is, should) &&
    sameBesideKarmadas(is.metadata.labels, should.metadata.labels) &&
    resolution === should.metadata.annotations[CONFLICT_RESOLUTION_ANNOTATION]
  );
}

function sameBesideKarmadas(a: Record<string, string> = {}, b: Record<string, string> = {}): boolean {
  for (const key in a) if (a[key] !== b[key] && !isKarmadaKey(key)) return false;
  for (const key in b) if (a[key] !== b[key] && !isKarmadaKey(key)) return false;
  return true;
}

/** Whether a label has a prefix of Karmada's. */
function isKarmadaKey(key: string): boolean {
  const slash = key.indexOf('/');
  return key.endsWith('karmada.io', slash < 0 ? key.length : slash);
}
