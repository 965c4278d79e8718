import { isObject, numberIn, type JsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import type { ResourceBinding, ResourceBindingSpec, Work } from '../api/work.ts';
import {
  CONFLICT_RESOLUTION_ANNOTATION,
  MANAGED_BY_KARMADA_LABEL,
  RESOURCE_TEMPLATE_GENERATION_ANNOTATION,
  RESOURCE_TEMPLATE_UID_ANNOTATION,
  WORK_NAME_ANNOTATION,
  WORK_NAMESPACE_ANNOTATION,
} from '../api/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { BindingOwnership } from '../objects/worksOfBinding.ts';
import { objectKey } from '../objects/identities.ts';
import { isWorkload } from '../objects/placement.ts';
import { hasReplicaRevision, kindKey } from '../status/healthInterpreter.ts';
import type { DeclaredHooks } from '../controllers/view.ts';

/** The object in a Work, with an annotation for how to apply it over an existing one. */
export interface WorkManifest extends KubernetesObject {
  metadata: ObjectMeta & { annotations: { [CONFLICT_RESOLUTION_ANNOTATION]: string } };
}

export interface ManifestParts {
  binding: ResourceBinding;
  /** labels and annotations of the binding */
  ownership: BindingOwnership;
  /** of the Work */
  name: string;
  namespace: string;
  /** undefined if unknown: the object then does not change, or has only the fields known from the binding */
  template: KubernetesObject | undefined;
  /** the current Work */
  existing: Work | undefined;
  /** replaces the template's replicas; undefined: no change */
  replicas: number | undefined;
  /** the same for the completions of a Job */
  completions: number | undefined;
  /** labels preserved from the evicted copy */
  preservedLabels: Record<string, string>;
}

/**
 * The object that a Work carries to its member (Karmada v1.18, ensureWork and CreateOrUpdateWork). The changes by
 * override policies are kept as long as the template is the same; they are not applied again.
 */
export function workManifest(parts: ManifestParts): WorkManifest {
  const { binding, template, existing } = parts;
  const before = existing?.spec?.workload?.manifests?.[0];
  const keeps = before && (!template || isOfTemplate(before, template));
  const { metadata, spec, ...content } = keeps ? before : template ? withoutStatus(template) : bare(binding);
  const { labels, annotations } = parts.ownership;
  return {
    ...content,
    metadata: {
      name: metadata.name,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      labels: {
        ...withoutInjected(metadata.labels, binding.spec),
        // An object without labels may be an incomplete capture.
        ...(metadata.labels && template?.metadata.labels),
        [MANAGED_BY_KARMADA_LABEL]: 'true',
        ...labels,
        ...parts.preservedLabels,
      },
      annotations: {
        ...metadata.annotations,
        ...annotations,
        ...templateAnnotations(template),
        [WORK_NAME_ANNOTATION]: parts.name,
        [WORK_NAMESPACE_ANNOTATION]: parts.namespace,
        [CONFLICT_RESOLUTION_ANNOTATION]: conflictResolution(binding.spec, template, before),
      },
    },
    ...withReplicas(content, spec, parts),
  };
}

/** The object of a Work without the fields that name the Work's namespace. Several clusters may share the rest. */
export function withoutPlace({ metadata, ...content }: KubernetesObject): KubernetesObject {
  const { [WORK_NAMESPACE_ANNOTATION]: _, ...annotations } = metadata.annotations ?? {};
  return { ...content, metadata: { ...metadata, annotations } };
}

/** The template of a binding; undefined if the world lacks it, or has another version. */
export function templateOf(
  { spec: { resource } }: ResourceBinding,
  object: (key: string) => KubernetesObject | undefined,
): KubernetesObject | undefined {
  const template = object(objectKey(resource));
  return template?.apiVersion === resource.apiVersion ? template : undefined;
}

/** Whether the replicas assigned to a cluster replace those of the template. */
export function revisesReplicas(spec: ResourceBindingSpec, hooks: DeclaredHooks): boolean {
  return isWorkload(spec) && hasReplicaRevision(spec.resource, hooks);
}

/** "overwrite" or "abort"; the template's own annotation overrides the policy. */
function conflictResolution(
  spec: ResourceBindingSpec,
  template: KubernetesObject | undefined,
  before: KubernetesObject | undefined,
): string {
  const own = template?.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION];
  if (own === 'overwrite' || own === 'abort') return own;
  if (spec.conflictResolution) return spec.conflictResolution === 'Overwrite' ? 'overwrite' : 'abort';
  return (!template && before?.metadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION]) || 'abort';
}

function templateAnnotations(template: KubernetesObject | undefined): Record<string, string> {
  const { uid, generation } = template?.metadata ?? {};
  return {
    ...(uid && { [RESOURCE_TEMPLATE_UID_ANNOTATION]: uid }),
    ...(generation && { [RESOURCE_TEMPLATE_GENERATION_ANNOTATION]: String(generation) }),
  };
}

/** Whether an object in a Work was made from the current template. */
function isOfTemplate(before: KubernetesObject, template: KubernetesObject): boolean {
  const generation = before.metadata.annotations?.[RESOURCE_TEMPLATE_GENERATION_ANNOTATION];
  if (template.metadata.generation)
    return generation === undefined || generation === String(template.metadata.generation);
  const content = contentOf(template);
  return Object.keys(content).every((field) => deepEqual(content[field], contentOf(before)[field]));
}

/** Fields that the API servers of control plane and members fill in differently are pruned from Works. */
function contentOf(object: KubernetesObject): JsonObject {
  const { apiVersion, kind, metadata: _, status: __, spec, ...content } = object;
  if (!isObject(spec) || kindKey({ apiVersion, kind }) !== 'v1/Service')
    return spec ? { ...content, spec } : content;
  const { clusterIP: ___, clusterIPs: ____, ...kept } = spec;
  return { ...content, spec: kept };
}

function withoutStatus({ status: _, ...template }: KubernetesObject): KubernetesObject {
  return template;
}

/** A template with only the fields that its binding knows. */
function bare({ spec }: ResourceBinding): KubernetesObject {
  const { apiVersion, kind, namespace, name } = spec.resource;
  return { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } };
}

/** Removes labels of an earlier task: the first write of the Work after the task drops them. */
function withoutInjected(
  labels: Record<string, string> | undefined,
  { failover, gracefulEvictionTasks = [] }: ResourceBindingSpec,
): Record<string, string> | undefined {
  const injected: string[] = [];
  for (const by of [failover?.cluster, failover?.application])
    for (const { aliasLabelName } of by?.statePreservation?.rules ?? []) injected.push(aliasLabelName);
  for (const { preservedLabelState } of gracefulEvictionTasks)
    for (const label in preservedLabelState) injected.push(label);
  if (injected.length === 0) return labels;
  return Object.fromEntries(Object.entries(labels ?? {}).filter(([key]) => !injected.includes(key)));
}

/** Kinds that count concurrent pods instead of replicas. */
const parallel: ReadonlySet<string> = new Set([
  'batch/v1/Job',
  'apps.kruise.io/v1alpha1/BroadcastJob',
  'argoproj.io/v1alpha1/Workflow',
]);

function withReplicas(
  kind: { apiVersion: string; kind: string },
  spec: unknown,
  { replicas, completions }: Pick<ManifestParts, 'replicas' | 'completions'>,
): Pick<KubernetesObject, 'spec'> {
  const revised: [field: string, value: number][] = [];
  if (replicas !== undefined)
    revised.push([parallel.has(kindKey(kind)) ? 'parallelism' : 'replicas', replicas]);
  if (completions !== undefined) revised.push(['completions', completions]);
  if (revised.every(([field, value]) => numberIn(spec, field) === value)) return spec ? { spec } : {};
  return { spec: { ...(isObject(spec) && spec), ...Object.fromEntries(revised) } };
}
