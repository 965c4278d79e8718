// Shrinks an input that shows something as far as possible.
import { REQUIRED } from './required.ts';

/** how many smaller inputs are tried at once */
const BATCH = 24;
/** how many inputs are tried at most */
const BUDGET = 3000;

/**
 * The smallest input found that still shows it, by dropping fields and elements and by simplifying values, the largest parts first.
 * @param firstShowing which of some inputs is the first to show what the first one showed, -1 for none
 */
export async function shrink<T>(input: T, firstShowing: (inputs: T[]) => Promise<number>): Promise<T> {
  let smallest = input;
  let tried = 0;
  for (let smaller = true; smaller && tried < BUDGET;) {
    smaller = false;
    let left = candidates(smallest);
    while (left.length > 0 && tried < BUDGET) {
      const batch = left.slice(0, BATCH);
      tried += batch.length;
      const found = await firstShowing(batch);
      if (found < 0) {
        left = left.slice(BATCH);
        continue;
      }
      smallest = batch[found]!;
      smaller = true;
      // continue after the dropped part: what came before it was needed a moment ago
      left = candidates(smallest).filter((one) => size(one) < size(smallest));
    }
  }
  return smallest;
}

function size(value: unknown): number {
  return JSON.stringify(value).length;
}

/** All inputs that are one step smaller, those without the largest parts first. */
function candidates<T>(input: T): T[] {
  const all: { cut: number; make: () => T }[] = [];
  const change = (path: (string | number)[], edit: (parent: never, name: never) => void) => () => {
    const copy = structuredClone(input);
    const parent = path.slice(0, -1).reduce<unknown>((inner, step) => (inner as never)[step], copy);
    edit(parent as never, path.at(-1) as never);
    return copy;
  };
  const visit = (value: unknown, path: (string | number)[]): void => {
    if (path.length > 0) {
      const cut = size(value) ?? 0;
      const needed = REQUIRED.has(String(path.at(-1)));
      if (!needed) all.push({ cut: cut + 4, make: change(path, remove) });
      for (const plain of needed ? [] : plainer(value))
        all.push({
          cut: cut - size(plain),
          make: change(path, (parent, name) => void ((parent as never)[name] = plain as never)),
        });
    }
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]));
    else if (value !== null && typeof value === 'object')
      for (const [name, item] of Object.entries(value)) visit(item, [...path, name]);
  };
  visit(input, []);
  return all.sort((a, b) => b.cut - a.cut).map(({ make }) => make());
}

function remove(parent: Record<string, unknown> | unknown[], name: string | number): void {
  if (Array.isArray(parent)) parent.splice(name as number, 1);
  else Reflect.deleteProperty(parent, name);
}

function plainer(value: unknown): unknown[] {
  if (typeof value === 'number' && Math.abs(value) > 1) return [0, 1, Math.trunc(value / 2)];
  return [];
}
