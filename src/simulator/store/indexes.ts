import type { ResourceBinding, Work } from '../../karmada/api/work.ts';

/** Objects by key, in the order of their keys. */
export function mapByKey<T>(objects: readonly T[], key: (object: T) => string): Map<string, T> {
  const entries = objects.map((object) => [key(object), object] as const);
  return new Map(entries.sort(([a], [b]) => compareText(a, b)));
}

/** The sorted keys of the objects in each group; an object may be in several. */
export function keysByGroup<T>(
  objects: ReadonlyMap<string, T>,
  groupsOf: (object: T, key: string) => Iterable<string>,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, object] of objects)
    for (const group of groupsOf(object, key)) {
      const members = groups.get(group);
      if (!members) groups.set(group, [key]);
      else if (members.at(-1) !== key) members.push(key);
    }
  return groups;
}

/** For each name the key of the first binding that has it. */
export function firstOf(
  bindings: ReadonlyMap<string, ResourceBinding>,
  nameOf: (binding: ResourceBinding) => string | undefined,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, binding] of bindings) {
    const name = nameOf(binding);
    if (name !== undefined && !found.has(name)) found.set(name, key);
  }
  return found;
}

/**
 * Oldest first, then by namespace and name: the order of bindings where Karmada does not guarantee one, as for those
 * queued for a tainted cluster (from a hash table).
 */
export function compareAge(a: ResourceBinding, b: ResourceBinding): number {
  const [x, y] = [a.metadata, b.metadata];
  return compareText(x.creationTimestamp ?? '', y.creationTimestamp ?? '') || byName(a, b);
}

/** By namespace and name. */
export function byName(a: ResourceBinding | Work, b: ResourceBinding | Work): number {
  const [x, y] = [a.metadata, b.metadata];
  return compareText(x.namespace ?? '', y.namespace ?? '') || compareText(x.name, y.name);
}

/** Compares code unit by code unit. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
