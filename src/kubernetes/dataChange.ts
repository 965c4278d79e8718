import { deepEqual } from './deepEqual.ts';
import { isObject, setMember, type JsonObject, isList } from './json.ts';

/** Names in objects, positions in lists; all refer to the original data. */
type Steps = readonly (string | number)[];

/** One change of JSON data. Changes of one value do not overlap; their paths lead to the original data. */
export type DataChange =
  | { change: 'rename'; path: Steps; to: string }
  | { change: 'remove'; path: Steps }
  | { change: 'replace'; path: Steps; value: unknown }
  /** a new member of the object at the path, after the member `after`; absent: at the end */
  | { change: 'addMember'; path: Steps; name: string; value: unknown; after?: string }
  /** these members of the object at the path become the only entry of a new list, at the position of the first one */
  | { change: 'wrap'; path: Steps; names: readonly string[]; as: string }
  /** a new entry of the list at the path, before the entry with this original position */
  | { change: 'addEntry'; path: Steps; before: number; value: unknown };

export interface ChangeTree {
  renamed?: string;
  removed?: true;
  replaced?: { value: unknown };
  members: { name: string; value: unknown; after?: string | undefined }[];
  entries: { before: number; value: unknown }[];
  wrapped?: { names: readonly string[]; as: string };
  inside: Map<string | number, ChangeTree>;
}

/** The changes of one value as a tree. */
export function changeTree(changes: readonly DataChange[]): ChangeTree {
  const root = noChange();
  for (const one of changes) {
    let at = root;
    for (const step of one.path) {
      let next = at.inside.get(step);
      if (!next) at.inside.set(step, (next = noChange()));
      at = next;
    }
    if (one.change === 'rename') at.renamed = one.to;
    else if (one.change === 'remove') at.removed = true;
    else if (one.change === 'replace') at.replaced = { value: one.value };
    else if (one.change === 'addMember') at.members.push(one);
    else if (one.change === 'wrap') at.wrapped = one;
    else at.entries.push(one);
  }
  return root;
}

function noChange(): ChangeTree {
  return { members: [], entries: [], inside: new Map() };
}

/** A value after its changes; the original is unchanged. Members keep their order. */
export function applyDataChange(value: unknown, changes: ChangeTree | undefined): unknown {
  if (!changes) return value;
  if (changes.replaced) return changes.replaced.value;
  if (Array.isArray(value)) return changedList(value, changes);
  return isObject(value) ? changedObject(value, changes) : value;
}

function changedList(list: readonly unknown[], { entries, inside }: ChangeTree): unknown[] {
  const added = (before: number) =>
    entries.filter((entry) => entry.before === before).map((entry) => entry.value);
  return [
    ...list.flatMap((entry, at) => {
      const own = inside.get(at);
      return [...added(at), ...(own?.removed ? [] : [applyDataChange(entry, own)])];
    }),
    ...added(list.length),
  ];
}

function changedObject(object: JsonObject, { members, wrapped, inside }: ChangeTree): JsonObject {
  const result: JsonObject = {};
  const entry: JsonObject = {};
  const add = (after: (name: string | undefined) => boolean) => {
    for (const { name, value, after: where } of members) if (after(where)) setMember(result, name, value);
  };
  for (const [name, value] of Object.entries(object)) {
    const own = inside.get(name);
    const isWrapped = wrapped?.names.includes(name);
    if (isWrapped) setMember(result, wrapped!.as, [entry]);
    if (!own?.removed)
      setMember(isWrapped ? entry : result, own?.renamed ?? name, applyDataChange(value, own));
    add((after) => after === name);
  }
  add((after) => after === undefined || !Object.hasOwn(object, after));
  return result;
}

/** The changes that a JSON merge patch makes to a value: null removes a member. */
export function changesOfMerge(value: unknown, merge: unknown, path: Steps = []): DataChange[] {
  if (!isObject(merge) || !isObject(value))
    return deepEqual(value, merge) ? [] : [{ change: 'replace', path, value: merge }];
  const wrap = wrapOf(value, merge);
  const moved = wrap ? [wrap.as, ...wrap.names] : [];
  const changes = Object.entries(merge).flatMap(([name, one]): DataChange[] => {
    if (moved.includes(name)) return [];
    const isThere = Object.hasOwn(value, name);
    if (one === null) return isThere ? [{ change: 'remove', path: [...path, name] }] : [];
    if (!isThere) return [{ change: 'addMember', path, name, value: one }];
    return changesOfMerge(value[name], one, [...path, name]);
  });
  return wrap ? [...changes, { change: 'wrap', path, ...wrap }] : changes;
}

/** The members that a merge patch moves unchanged into the only entry of a new list; undefined if there are none. */
function wrapOf(value: JsonObject, merge: JsonObject): ChangeTree['wrapped'] {
  for (const [as, list] of Object.entries(merge)) {
    const [entry, more] = isList(list) ? list : [];
    if (!isObject(entry) || more !== undefined || Object.hasOwn(value, as)) continue;
    const names = Object.keys(entry);
    const areMoved = names.every((name) => merge[name] === null && deepEqual(value[name], entry[name]));
    if (areMoved && names.length > 0) return { names, as };
  }
  return undefined;
}
