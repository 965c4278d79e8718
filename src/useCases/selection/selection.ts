import type { ResourceBinding } from '../../karmada/api/work.ts';
import { findBindings, selectBindings } from '../../karmada/selection/selectBindings.ts';
import type { World } from '../../karmada/world.ts';
import type { FieldRequirement } from '../../kubernetes/fieldSelector.ts';
import { matchesKind, parseKind } from '../../kubernetes/resourceNames.ts';
import type { LabelSelector } from '../../kubernetes/schema/meta.ts';
import { type ClusterInput, Problem } from '../problem.ts';

/** The bindings to select; all if nothing is set. */
export interface Selection {
  namespace?: string | undefined;
  /** the labels of the workloads */
  labels?: LabelSelector | undefined;
  fields?: FieldRequirement[] | undefined;
}

/** Whether a selection is narrower than everything. */
export function isSelective({ namespace, labels, fields }: Selection): boolean {
  return [namespace, labels, fields].some((one) => one !== undefined);
}

/**
 * The bindings of a selection; labels are those of the workload if it is in the world. Throws a Problem if the
 * namespace has no binding at all.
 */
export function selectedBindings(world: World, { namespace, labels, fields }: Selection): ResourceBinding[] {
  const bindings = bindingsIn(world.bindings, namespace);
  if (labels === undefined && fields === undefined) return bindings;
  return selectBindings(
    { bindings, others: world.others },
    {
      ...(labels === undefined ? {} : { labelSelector: labels }),
      ...(fields === undefined ? {} : { fields }),
    },
  );
}

/** The bindings of one namespace, or all. Throws a Problem for a namespace without any. */
export function bindingsIn(bindings: ResourceBinding[], namespace: string | undefined): ResourceBinding[] {
  if (namespace === undefined) return bindings;
  const found = bindings.filter(({ metadata }) => metadata.namespace === namespace);
  if (found.length > 0) return found;
  const known = [...new Set(bindings.flatMap(({ metadata }) => metadata.namespace ?? []))].sort();
  throw new Problem({ code: 'empty-namespace', namespace, known });
}

/**
 * The bindings named by KIND/NAME, or NAMESPACE/KIND/NAME as in drain plans; at least one. If there is none, throws a
 * Problem with suggestions.
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
    matchesKind(typed, resource.apiVersion, resource.kind) ? resource.name : metadata.name,
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

/** The only binding named by KIND/NAME. Throws a Problem if there is none, or if there are several. */
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

/** The name of a cluster of the world. Throws a Problem if there is no such cluster. */
export function knownCluster(
  input: ClusterInput,
  cluster: string,
  { clusters }: Pick<World, 'clusters'>,
): string {
  const known = clusters.map(({ metadata }) => metadata.name);
  if (known.includes(cluster)) return cluster;
  throw new Problem({ code: 'unknown-cluster', input, cluster, known });
}
