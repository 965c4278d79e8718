/** The keys by group: changes on top of the index of the start, which is never modified. */
interface KeyIndex {
  of(group: string): readonly string[];
  /** the keys in any of these groups, in order */
  among(groups: readonly string[]): readonly string[];
  move(key: string, before: readonly string[], after: readonly string[]): void;
}

/**
 * An index without changes.
 *
 * @param start the keys of a group at the start, in order
 * @param compare that order
 */
export function createKeyIndex(
  start: (group: string) => readonly string[],
  compare: (a: string, b: string) => number,
): KeyIndex {
  const groups = new Map<string, { members: Set<string>; ordered?: readonly string[] }>();

  function changing(group: string): Set<string> {
    let own = groups.get(group);
    if (!own) groups.set(group, (own = { members: new Set(start(group)) }));
    delete own.ordered;
    return own.members;
  }

  function leave(group: string, key: string): void {
    const members = changing(group);
    members.delete(key);
    if (members.size === 0 && start(group).length === 0) groups.delete(group);
  }

  function of(group: string): readonly string[] {
    const own = groups.get(group);
    if (!own) return start(group);
    return (own.ordered ??= [...own.members].sort(compare));
  }

  return {
    of,
    among(some) {
      const filled = some.map(of).filter((keys) => keys.length > 0);
      return filled.length > 1 ? [...new Set(filled.flat())].sort(compare) : (filled[0] ?? []);
    },
    move(key, before, after) {
      const [isBefore, isAfter] = [membersOf(before), membersOf(after)];
      for (const group of before) if (!isAfter(group)) leave(group, key);
      for (const group of after) if (!isBefore(group)) changing(group).add(key);
    },
  };
}

/** Most bindings are in a few groups: searching a list of these is as fast as a set. */
const FEW = 8;

function membersOf(groups: readonly string[]): (group: string) => boolean {
  if (groups.length <= FEW) return (group) => groups.includes(group);
  const members = new Set(groups);
  return (group) => members.has(group);
}
