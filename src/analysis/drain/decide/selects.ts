import type { KubernetesObject, ObjectMeta } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { compileLabelSelector } from '../../../kubernetes/labelSelector.ts';
import { matchesKind, parseKind } from '../../../kubernetes/resourceNames.ts';
import { namesBinding, parseTarget } from '../../../karmada/selection/selectBindings.ts';
import { claimOf } from '../../../karmada/objects/claims.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import type { World } from '../../../karmada/world.ts';
import { objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import type { DrainSelection } from '../drainOptions.ts';

/** A resource template, for its labels. */
export type Template = Pick<KubernetesObject, 'metadata'>;

/** The resource template of a binding; undefined if it was not read. */
export function templateIn(view: Pick<View, 'get'>, binding: ResourceBinding): Template | undefined {
  return view.get('Object', objectKey(workloadOf(binding)));
}

/** The resource templates of a world, by binding. */
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

/** A selection compiled for many bindings; `template` has the labels, if it was read. */
export interface CompiledSelection {
  selects(binding: ResourceBinding, template: Template | undefined): boolean;
  /** why a binding is not selected, in words; undefined if it is */
  leftOutBy(binding: ResourceBinding, template: Template | undefined): string | undefined;
}

/** Compiles a selection of workloads for many bindings. */
export function compileSelection(selection: DrainSelection): CompiledSelection {
  const questions = questionsOf(selection);
  const compiled: CompiledSelection = {
    selects: (binding, template) => compiled.leftOutBy(binding, template) === undefined,
    leftOutBy: (binding, template) =>
      questions.find((one) => !one.selects(binding, template?.metadata ?? binding.metadata))?.unless,
  };
  return compiled;
}

interface Question {
  /** why a binding is not selected, in words */
  unless: string;
  selects(binding: ResourceBinding, labelled: ObjectMeta): boolean;
}

function questionsOf({ namespace, labelSelector, kinds, policy, skip, only }: DrainSelection): Question[] {
  const questions: Question[] = [];
  if (namespace !== undefined)
    questions.push({
      unless: 'it is in another namespace',
      selects: (binding) => namespaceOf(binding) === namespace,
    });
  if (kinds?.length) {
    const typed = kinds.map(parseKind);
    questions.push({
      unless: 'it is of another kind',
      selects: ({ spec: { resource } }) =>
        typed.some((kind) => matchesKind(kind, resource.apiVersion, resource.kind)),
    });
  }
  if (policy !== undefined)
    questions.push({
      unless: 'it belongs to another policy',
      selects: ({ metadata }) => policyOf(metadata) === policy,
    });
  if (labelSelector) {
    const matches = compileLabelSelector(labelSelector) ?? (() => false);
    questions.push({
      unless: 'its labels do not match',
      selects: (_binding, { labels }) => matches(labels),
    });
  }
  if (only?.length) {
    const named = only.map(compileName);
    questions.push({
      unless: 'it is not named',
      selects: (binding) => named.some((means) => means(binding)),
    });
  }
  if (skip?.length) {
    const named = skip.map(compileName);
    questions.push({
      unless: 'it is on the skip list',
      selects: (binding) => !named.some((means) => means(binding)),
    });
  }
  return questions;
}

function namespaceOf({ metadata, spec }: ResourceBinding): string | undefined {
  return metadata.namespace ?? spec.resource.namespace;
}

/** "NAMESPACE/NAME", or "NAME" of a ClusterPropagationPolicy. */
function policyOf(metadata: ObjectMeta): string | undefined {
  const claim = claimOf(metadata);
  return claim && (claim.namespace ? `${claim.namespace}/${claim.name}` : claim.name);
}

/** A test of bindings by KIND/NAME or NAMESPACE/KIND/NAME, of the workload or the binding. */
function compileName(text: string): (binding: ResourceBinding) => boolean {
  const query = parseTarget(text);
  return query ? namesBinding(query) : () => false;
}
