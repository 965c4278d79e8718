import { bindingKey, identityOf, objectKey, workloadOf } from '../objects/identities.ts';
import type { Controller, Wake } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf } from '../controllers/write.ts';

/**
 * The part of Kubernetes' garbage collector that affects failover: a binding is deleted with the template that owns it,
 * even if a new template has the same name.
 */
export const garbageCollector: Controller = {
  wakes: { Object: templateGone },
  reconcile({ key, view, evidence }) {
    const binding = view.get('Binding', key);
    if (!binding || binding.metadata.deletionTimestamp) return {};
    const { resource } = binding.spec;
    const template = view.get('Object', objectKey(resource));
    if (template && (!resource.uid || !template.metadata.uid || template.metadata.uid === resource.uid))
      return {};
    evidence?.push({
      rule: 'the binding is removed with the resource that owns it',
      object: workloadOf(binding),
    });
    return { writes: [{ verb: 'delete', kind: 'Binding', key, base: binding }] };
  },
};

function* templateGone({ before, after }: ChangeOf<'Object'>, view: View): Iterable<Wake> {
  if (!before || (after && before.metadata.uid === after.metadata.uid)) return;
  const binding = view.bindingFor(identityOf(before));
  if (binding) yield { key: bindingKey(binding) };
}
