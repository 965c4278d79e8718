import type { KubernetesObject, ObjectMeta } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { compileLabelSelector } from '../../../kubernetes/labelSelector.ts';
import { meansKind, parseKind } from '../../../kubernetes/resourceNames.ts';
import { claimOf } from '../../objects/claim.ts';
import type { DrainSelection } from '../drainOptions.ts';

/** Whether a drain with this selection is about the binding. `template` for its labels, where it was read. */
export function selects(
  selection: DrainSelection,
  binding: ResourceBinding,
  template: Pick<KubernetesObject, 'metadata'> | undefined,
): boolean {
  return leftOutBy(selection, binding, template) === undefined;
}

/** Why a binding is left out of a drain, in words; undefined if the drain is about it. */
export function leftOutBy(
  selection: DrainSelection,
  binding: ResourceBinding,
  template: Pick<KubernetesObject, 'metadata'> | undefined,
): string | undefined {
  let questions = compiled.get(selection);
  if (!questions) compiled.set(selection, (questions = compile(selection)));
  for (const { unless, selects: answer } of questions)
    if (!answer(binding, template?.metadata ?? binding.metadata)) return unless;
  return undefined;
}

interface Question {
  /** why a binding is left out, in words */
  unless: string;
  selects(binding: ResourceBinding, labelled: ObjectMeta): boolean;
}

// A selection is never changed in place.
const compiled = new WeakMap<DrainSelection, Question[]>();

function compile({ namespace, labelSelector, kinds, policy, skip, only }: DrainSelection): Question[] {
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
        typed.some((kind) => meansKind(kind, resource.apiVersion, resource.kind)),
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
      unless: 'its labels are not selected',
      selects: (_binding, { labels }) => matches(labels),
    });
  }
  if (only?.length) {
    const named = only.map(compileName);
    questions.push({
      unless: 'it is not among those named',
      selects: (binding) => named.some((means) => means(binding)),
    });
  }
  if (skip?.length) {
    const named = skip.map(compileName);
    questions.push({
      unless: 'it is to be skipped',
      selects: (binding) => !named.some((means) => means(binding)),
    });
  }
  return questions;
}

function namespaceOf({ metadata, spec }: ResourceBinding): string | undefined {
  return metadata.namespace ?? spec.resource.namespace;
}

/** "NAMESPACE/NAME" or "NAME", as --policy is given. */
function policyOf(metadata: ObjectMeta): string | undefined {
  const claim = claimOf(metadata);
  return claim && (claim.namespace ? `${claim.namespace}/${claim.name}` : claim.name);
}

/** KIND/NAME or NAMESPACE/KIND/NAME as a question to bindings. */
function compileName(text: string): (binding: ResourceBinding) => boolean {
  const parts = text.split('/');
  const name = parts.pop() ?? '';
  const kind = parseKind(parts.pop() ?? '');
  const namespace = parts.pop();
  return (binding) => {
    const { apiVersion, kind: own, name: ownName } = binding.spec.resource;
    return (
      ownName === name &&
      meansKind(kind, apiVersion, own) &&
      (namespace === undefined || namespaceOf(binding) === namespace)
    );
  };
}
