import { findBindings } from '../../engine/selection/findBindings.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { meansKind, parseKind } from '../../kubernetes/resourceNames.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';

/**
 * The bindings that KIND/NAME names, or NAMESPACE/KIND/NAME as plans of drains write it, at least one. Throws a UserError with
 * what the user may have meant.
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
      throw new UserError(`${target} and --namespace ${namespace} name two namespaces; give one`);
    return bindingsNamed(named.join('/'), bindings, own);
  }
  const [kind, name, ...rest] = parts;
  const scope = namespace === undefined ? {} : { namespace };
  if (!kind || !name || rest.length > 0) {
    const same = findBindings(bindings, { name: target, ...scope }).map(typedName);
    throw new UserError(
      withSuggestion(
        `"${target}" is not KIND/NAME`,
        [...new Set(same)],
        'write deployment/cart, shop/deployment/cart or rb/cart-deployment',
      ),
    );
  }
  const found = findBindings(bindings, { kind, name, ...scope });
  if (found.length > 0) return found;
  const where = namespace === undefined ? 'in the state' : `in namespace ${namespace}`;
  const elsewhere = namespace === undefined ? [] : findBindings(bindings, { kind, name });
  if (elsewhere.length > 0) {
    const namespaces = elsewhere.map(({ metadata }) => metadata.namespace ?? 'no namespace');
    throw new UserError(`no binding for ${target} ${where}; there is one in ${namespaces.join(', ')}`);
  }
  const typed = parseKind(kind);
  const ofKind = findBindings(bindings, { kind, ...scope }).map(({ metadata, spec: { resource } }) =>
    meansKind(typed, resource.apiVersion, resource.kind) ? resource.name : metadata.name,
  );
  const sameName = findBindings(bindings, { name, ...scope }).map(typedName);
  const near =
    sameName.length > 0 ? [...new Set(sameName)] : nearMatches(name, ofKind).map((one) => `${kind}/${one}`);
  throw new UserError(withSuggestion(`no binding for ${target} ${where}`, near));
}

/** The one binding that KIND/NAME names. Throws a UserError where there is none, or where there are several. */
export function bindingNamed(
  target: string,
  bindings: ResourceBinding[],
  namespace: string | undefined,
): ResourceBinding {
  const found = bindingsNamed(target, bindings, namespace);
  if (found.length === 1) return found[0]!;
  const namespaces = [...new Set(found.map(({ metadata }) => metadata.namespace ?? ''))].sort();
  if (namespaces.length > 1)
    throw new UserError(
      `there is a ${target} in each of the namespaces ${namespaces.join(', ')}; say which with -n NAMESPACE`,
    );
  const names = found.map((one) => `${(one.kind ?? 'ResourceBinding').toLowerCase()}/${one.metadata.name}`);
  throw new UserError(`${target} names several bindings: ${names.join(', ')}; name one of them`);
}

function typedName({ spec: { resource } }: ResourceBinding): string {
  return `${resource.kind.toLowerCase()}/${resource.name}`;
}

/** The bindings of one namespace, or all; a namespace without any is a mistake that is said. */
export function bindingsIn(bindings: ResourceBinding[], namespace: string | undefined): ResourceBinding[] {
  if (namespace === undefined) return bindings;
  const found = bindings.filter(({ metadata }) => metadata.namespace === namespace);
  if (found.length > 0) return found;
  const known = [...new Set(bindings.flatMap(({ metadata }) => metadata.namespace ?? []))].sort();
  const message = `no bindings in namespace ${namespace}`;
  throw new UserError(
    known.length === 0
      ? `${message}; is it spelled right, and on this control plane?`
      : withSuggestion(
          message,
          nearMatches(namespace, known),
          `there are some in ${known.slice(0, 10).join(', ')}`,
        ),
  );
}
