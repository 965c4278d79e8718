import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { ClaimGroup } from '../objects/claims.ts';
import { objectKey } from '../objects/identities.ts';
import type { PropagationView } from './propagation.ts';
import type { View } from '../controllers/view.ts';

/**
 * The detector's view for reconciling a template: all bindings, even those being deleted, but only existing templates.
 */
export function templateView(view: View): PropagationView {
  return {
    policies: () => view.all('Policy'),
    policy: (kind, namespace, name) =>
      view.get('Policy', objectKey({ kind, ...(namespace && { namespace }), name })),
    template: (reference) => {
      const template = view.get('Object', objectKey(reference));
      return template?.apiVersion === reference.apiVersion ? template : undefined;
    },
    templatesIn: (...groups) => view.templatesIn(...groups),
    binding: (key) => view.get('Binding', key),
    bindingsIn: (group) => view.bindingsIn(group),
    objectsOf: (kind) => view.objectsOf(kind),
  };
}

/** The detector's view for reconciling a policy: a binding represents a template that the world lacks. */
export function policyView(view: View): PropagationView {
  const held = templateView(view);
  return {
    ...held,
    template(reference) {
      const template = held.template(reference);
      if (template) return template;
      const binding = view.bindingFor(reference);
      if (!binding || !representsTemplate(binding, view)) return undefined;
      return binding.spec.resource.apiVersion === reference.apiVersion ? standIn(binding) : undefined;
    },
    templatesIn: (...groups) => [...view.templatesIn(...groups), ...standInsIn(view, ...groups)],
    binding(key) {
      const binding = view.get('Binding', key);
      return binding && isPresent(binding) ? binding : undefined;
    },
    bindingsIn: (group) => view.bindingsIn(group).filter(isPresent),
  };
}

function standInsIn(view: View, ...groups: ClaimGroup[]): KubernetesObject[] {
  return view
    .bindingsIn(...groups)
    .filter((binding) => representsTemplate(binding, view))
    .map(standIn);
}

/** Whether a binding represents its template. */
export function representsTemplate(binding: ResourceBinding, view: View): boolean {
  return isPresent(binding) && view.get('Object', objectKey(binding.spec.resource)) === undefined;
}

/** Whether a binding exists and is not being deleted. */
function isPresent({ metadata }: ResourceBinding): boolean {
  return !metadata.deletionTimestamp;
}

/** A template derived from its binding: only its identity and policy are known. */
function standIn({ metadata, spec }: ResourceBinding): KubernetesObject {
  const { apiVersion, kind, name, namespace, uid } = spec.resource;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      labels: { ...metadata.labels },
      annotations: { ...metadata.annotations },
    },
  };
}
