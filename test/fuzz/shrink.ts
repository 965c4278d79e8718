import type { FuzzCase } from './cases/fuzzCase.ts';
import { fieldsOf, withField, type Step } from './mutations.ts';
import type { Json } from './world.ts';

/** The most attempts to shrink an input. */
const TRIES = 150;
/** Milliseconds after which shrinking stops. */
const PATIENCE = 4000;

/** A smaller input with the same failure: without items and fields, or parts of a text. */
export async function shrunk({ input, run }: FuzzCase, problem: string): Promise<Json> {
  let left = TRIES;
  const until = Date.now() + PATIENCE;
  const same = async (candidate: Json) => {
    if (left-- <= 0 || Date.now() > until) return false;
    const found = await run(candidate).catch(() => undefined);
    return found !== undefined && headOf(found) === headOf(problem);
  };
  let smallest = input;
  if (typeof smallest === 'string') {
    for (let size = smallest.length >> 1; size > 0 && left > 0; size >>= 1)
      for (let at = 0; at < smallest.length && left > 0;) {
        const candidate: string = smallest.slice(0, at) + smallest.slice(at + size);
        if (await same(candidate)) smallest = candidate;
        else at += size;
      }
    return smallest;
  }
  for (let again = true; again && left > 0;) {
    again = false;
    // the large pieces first
    const places = fieldsOf(smallest).sort((a, b) => a.length - b.length);
    for (const steps of places) {
      const candidate = without(smallest, steps);
      if (candidate === undefined || left <= 0 || !(await same(candidate))) continue;
      smallest = candidate;
      again = true;
      break;
    }
  }
  return smallest;
}

/** The failure, without the parts that depend on the input. */
function headOf(problem: string): string {
  return problem.replace(/: ….*/s, '').slice(0, 80);
}

function without(value: Json, steps: readonly Step[]): Json | undefined {
  const last = steps.at(-1)!;
  try {
    return withField(value, steps.slice(0, -1), (found) => {
      if (Array.isArray(found)) return found.filter((_, at) => at !== last);
      return Object.fromEntries(Object.entries(found as object).filter(([name]) => name !== last));
    }) as Json;
  } catch {
    return undefined;
  }
}
