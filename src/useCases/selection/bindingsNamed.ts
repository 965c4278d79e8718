import { findBindings } from '../../karmada/selection/findBindings.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { meansKind, parseKind } from '../../kubernetes/resourceNames.ts';
import { Problem } from '../problem.ts';

/**
 * The bindings that KIND/NAME names, or NAMESPACE/KIND/NAME as drain plans write it; at least one. If there is none,
 * throws a Problem that suggests what may have been meant.
 */
export function bindingsNamed(
  target: string,
  bindings: ResourceBinding[],
  namespace: string | undefined,
): ResourceBinding[] {
  const parts = target.split('/');
  if (parts.length === 3 && parts.every((part) => part !== '')) {
    const [own, ...named] = parts;
    if (namespace !== undefined && namespace !== own)
      throw new Problem({ code: 'two-namespaces', target, namespace });
    return bindingsNamed(named.join('/'), bindings, own);
  }
  const [kind, name, ...rest] = parts;
  const scope = namespace === undefined ? {} : { namespace };
  if (!kind || !name || rest.length > 0) {
    const same = findBindings(bindings, { name: target, ...scope }).map(typedName);
    throw new Problem({ code: 'no-target', target, same: [...new Set(same)] });
  }
  const found = findBindings(bindings, { kind, name, ...scope });
  if (found.length > 0) return found;
  const elsewhere = namespace === undefined ? [] : findBindings(bindings, { kind, name });
  const typed = parseKind(kind);
  const ofKind = findBindings(bindings, { kind, ...scope }).map(({ metadata, spec: { resource } }) =>
    meansKind(typed, resource.apiVersion, resource.kind) ? resource.name : metadata.name,
  );
  const sameName = findBindings(bindings, { name, ...scope }).map(typedName);
  throw new Problem({
    code: 'no-binding',
    target,
    namespace,
    elsewhere: elsewhere.map(({ metadata }) => metadata.namespace ?? 'no namespace'),
    same: [...new Set(sameName)],
    names: ofKind,
  });
}

/** The one binding that KIND/NAME names. Throws a Problem if there is none, or if there are several. */
export function bindingNamed(
  target: string,
  bindings: ResourceBinding[],
  namespace: string | undefined,
): ResourceBinding {
  const found = bindingsNamed(target, bindings, namespace);
  if (found.length === 1) return found[0]!;
  const namespaces = [...new Set(found.map(({ metadata }) => metadata.namespace ?? ''))].sort();
  if (namespaces.length > 1) throw new Problem({ code: 'many-namespaces', target, namespaces });
  const names = found.map((one) => `${(one.kind ?? 'ResourceBinding').toLowerCase()}/${one.metadata.name}`);
  throw new Problem({ code: 'many-bindings', target, names });
}

function typedName({ spec: { resource } }: ResourceBinding): string {
  return `${resource.kind.toLowerCase()}/${resource.name}`;
}
