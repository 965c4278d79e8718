import { type FieldRequirement, matchesFields } from '../../kubernetes/fieldSelector.ts';
import { compileLabelSelector } from '../../kubernetes/labelSelector.ts';
import { matchesKind, parseKind } from '../../kubernetes/resourceNames.ts';
import type { LabelSelector } from '../../kubernetes/schema/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { World } from '../world.ts';

/** The bindings of an answer; all given parts must match. */
export interface BindingSelection {
  namespace?: string;
  /** by the labels of the resource template, which its binding lacks; by the binding's if the template is unknown */
  labelSelector?: LabelSelector;
  /** by SELECTABLE_FIELDS of the binding */
  fields?: FieldRequirement[];
}

/** The fields that can select bindings: those that the API server allows for custom resources. */
export const SELECTABLE_FIELDS = ['metadata.name', 'metadata.namespace'];

/** The bindings of a selection, in the world's order. */
export function selectBindings(
  { bindings, others }: Pick<World, 'bindings' | 'others'>,
  { namespace, labelSelector, fields = [] }: BindingSelection,
): ResourceBinding[] {
  const matches = labelSelector && (compileLabelSelector(labelSelector) ?? (() => false));
  const labels = new Map(
    matches
      ? others.map(({ apiVersion, kind, metadata }) => [
          `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
          metadata.labels ?? {},
        ])
      : [],
  );
  return bindings.filter(({ metadata, spec: { resource } }) => {
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    const read = (field: string) => (field === 'metadata.name' ? metadata.name : metadata.namespace);
    if (!matchesFields(fields, read)) return false;
    const template = `${resource.apiVersion} ${resource.kind} ${resource.namespace ?? ''}/${resource.name}`;
    return !matches || matches(labels.get(template) ?? metadata.labels);
  });
}

/** A user's query: a workload or the binding itself, by kind, name and namespace if given. */
interface BindingQuery {
  /** as for kubectl: "deploy", "deployments.apps", "rb" */
  kind?: string;
  name?: string;
  namespace?: string;
}

/** Parses KIND/NAME or NAMESPACE/KIND/NAME, as answers name workloads and bindings; undefined for any other text. */
export function parseTarget(text: string): BindingQuery | undefined {
  const parts = text.split('/');
  if (parts.length < 2 || parts.length > 3 || parts.includes('')) return undefined;
  const [name, kind, namespace] = parts.reverse() as [string, string, string?];
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** The bindings that match the query themselves or by their workload. */
export function findBindings(bindings: ResourceBinding[], query: BindingQuery): ResourceBinding[] {
  return bindings.filter(namesBinding(query));
}

/** A test whether a binding matches the query, itself or by its workload. */
export function namesBinding(query: BindingQuery): (binding: ResourceBinding) => boolean {
  const typed = query.kind === undefined ? undefined : parseKind(query.kind);
  const named = (name: string) => query.name === undefined || query.name === name;
  return ({ kind, metadata, spec: { resource } }) => {
    const namespace = metadata.namespace ?? resource.namespace;
    if (query.namespace !== undefined && namespace !== query.namespace) return false;
    const isWorkload = !typed || matchesKind(typed, resource.apiVersion, resource.kind);
    if (isWorkload && named(resource.name)) return true;
    const own = kind ?? (metadata.namespace ? 'ResourceBinding' : 'ClusterResourceBinding');
    const isBinding = !typed || matchesKind(typed, 'work.karmada.io/v1alpha2', own);
    return isBinding && named(metadata.name);
  };
}
