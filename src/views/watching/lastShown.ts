/**
 * Remembers what was last shown of each thing, and returns the changes after which something else is shown. Forgets
 * deleted things.
 *
 * @param keyOf the thing that a change is about
 * @param shownOf what is shown of it, without times that grow by themselves
 */
export function lastShown<Change extends { type: string }>(
  keyOf: (change: Change) => string,
  shownOf: (change: Change, wide: boolean) => unknown,
): (changes: Change[], wide: boolean) => Change[] {
  const last = new Map<string, string>();
  return (changes, wide) =>
    changes.filter((change) => {
      const key = keyOf(change);
      const shown = JSON.stringify(shownOf(change, wide));
      if (last.get(key) === shown) return false;
      if (change.type === 'DELETED') last.delete(key);
      else last.set(key, shown);
      return true;
    });
}
