import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import type { World } from '../../../karmada/world.ts';
import { objectKey, workloadOf } from '../../../karmada/objects/identities.ts';

/** What a drain sees of a control plane: a part of what every controller sees. */
export type DrainView = Pick<
  View,
  'get' | 'bindingsOn' | 'bindingsLeaving' | 'worksOf' | 'attachedTo' | 'fleet' | 'hooks'
>;

/** A resource template, for its labels. */
export type Template = Pick<KubernetesObject, 'metadata'>;

/** The resource template of a binding; undefined if it was not read. */
export function templateIn(view: Pick<View, 'get'>, binding: ResourceBinding): Template | undefined {
  return view.get('Object', objectKey(workloadOf(binding)));
}

/** The same for a world. */
export function templatesOf({
  others,
}: Pick<World, 'others'>): (binding: ResourceBinding) => Template | undefined {
  const keyOf = (
    { apiVersion, kind }: { apiVersion: string; kind: string },
    { namespace = '', name }: { namespace?: string; name: string },
  ) => `${apiVersion} ${kind}/${namespace}/${name}`;
  const templates = new Map(others.map((object) => [keyOf(object, object.metadata), object]));
  return ({ spec: { resource } }) => templates.get(keyOf(resource, resource));
}

/** All bindings that are on the clusters or are leaving them, whatever a plan says of them. */
export function bindingsConcernedBy(
  view: Pick<View, 'bindingsOn' | 'bindingsLeaving'>,
  clusters: Iterable<string>,
): Set<ResourceBinding> {
  const concerned = new Set<ResourceBinding>();
  for (const name of clusters) {
    for (const binding of view.bindingsOn(name)) concerned.add(binding);
    for (const binding of view.bindingsLeaving(name)) concerned.add(binding);
  }
  return concerned;
}
