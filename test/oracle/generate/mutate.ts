// Mutates recorded inputs: parts are added, removed, moved, or taken from another input.
import { REQUIRED } from '../required.ts';
import { between, type Random } from './values.ts';

type Path = (string | number)[];

/** Mixes the recorded inputs of one suite. */
export class Mutator {
  readonly #inputs: unknown[];
  /** values by path, without list indices */
  readonly #values = new Map<string, unknown[]>();

  constructor(inputs: unknown[]) {
    this.#inputs = inputs;
    for (const input of inputs)
      visit(input, [], (path, value) => {
        const known = this.#values.get(place(path));
        if (known) known.push(value);
        else this.#values.set(place(path), [value]);
      });
  }

  /** One of the inputs with one to four changes. */
  mutated(random: Random): unknown {
    const copy = structuredClone(random.pick(this.#inputs));
    for (let left = between(random, 1, 4); left > 0; left--) this.#change(random, copy);
    return withTimeForward(withoutTwins(copy));
  }

  #change(random: Random, input: unknown): void {
    const paths: Path[] = [];
    visit(input, [], (path) => paths.push(path));
    const path = random.pick(paths.filter(({ length }) => length > 0));
    if (path === undefined) return;
    const parent = at(input, path.slice(0, -1)) as Record<string | number, unknown>;
    const name = path.at(-1)!;
    if (Array.isArray(parent) && random.chance(0.4)) {
      const index = name as number;
      const other = random.below(parent.length);
      if (random.chance(0.4)) parent.splice(index, 1);
      else [parent[index], parent[other]] = [parent[other], parent[index]];
    } else if (typeof name === 'string' && !REQUIRED.has(name) && random.chance(0.3))
      Reflect.deleteProperty(parent, name);
    else if (typeof parent[name] === 'number' && random.chance(0.5))
      parent[name] = Math.max(0, parent[name] + random.pick([-1, 1, 10]));
    else parent[name] = structuredClone(random.pick(this.#values.get(place(path))!));
  }
}

/** Drops objects with a duplicate name, and duplicate names: an API has one of each. */
function withoutTwins(value: unknown): unknown {
  if (Array.isArray(value)) {
    const seen = new Set<unknown>();
    return value
      .filter((item) => {
        const name = typeof item === 'string' ? item : nameOf(item);
        if (name === undefined) return true;
        return !seen.has(name) && seen.add(name);
      })
      .map(withoutTwins);
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutTwins(item)]));
}

function nameOf(item: unknown): string | undefined {
  const { metadata, name, clusterName } = (item ?? {}) as {
    metadata?: { name?: string };
    name?: string;
    clusterName?: string;
  };
  return metadata?.name ?? name ?? clusterName;
}

/** Sorts the instants of steps: clocks only move forward. */
function withTimeForward(input: unknown): unknown {
  const { steps } = input as { steps?: { now: string }[] };
  if (!steps) return input;
  const instants = steps.map(({ now }) => now).sort();
  return { ...(input as object), steps: steps.map((step, index) => ({ ...step, now: instants[index]! })) };
}

function place(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? '*' : step)).join('\n');
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], value);
}

function visit(value: unknown, path: Path, notify: (path: Path, value: unknown) => void): void {
  notify(path, value);
  if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index], notify));
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value)) visit(item, [...path, name], notify);
}
