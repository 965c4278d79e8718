import { setMember } from '../../kubernetes/json.ts';

/** Values of a document with its aliases written out: beyond both of these it is a bomb. */
const MANY_VALUES = 1_000_000;
const MANY_TIMES = 10;

/**
 * Turns what js-yaml makes of aliases and `<<` into plain data. Merge keys are applied in the order in which they
 * stand, as go-yaml v2 does. Aliased objects stay shared. Returns what is wrong, in words, if an alias leads back to
 * itself, if aliases multiply to far too much, or if JSON cannot express a number.
 */
export function withoutSharing(document: unknown): { value: unknown } | string {
  const sizes = new Map<object, number>();
  const merged = new Map<object, object>();
  const within = new Set<object>();

  class Refused extends Error {}

  let written = 0;
  const visit = (value: unknown): number => {
    written++;
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new Refused(`the number ${asYaml(value)} has no form in JSON; put it in quotes if text is meant`);
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (within.has(value)) throw new Refused('an alias (*name) stands inside the value that it repeats');
    within.add(value);
    let size = 1;
    for (const inner of Object.values(value)) size += visit(inner);
    if (size > MANY_VALUES && size > MANY_TIMES * written)
      throw new Refused(`its aliases (*name) multiply to over ${MANY_VALUES} values; write the object out`);
    within.delete(value);
    if (!Array.isArray(value) && Object.hasOwn(value, '<<')) merged.set(value, merge(value as Mapping));
    sizes.set(value, size);
    return size;
  };

  type Mapping = Record<string, unknown>;
  const current = (value: unknown): unknown => merged.get(value as object) ?? value;

  /** Applies the merge keys of a mapping; inner mappings are merged already. */
  const merge = (value: Mapping): Mapping => {
    const result: Mapping = {};
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '<<') {
        setMember(result, key, inner);
        continue;
      }
      const sources = Array.isArray(inner) ? [...(inner as unknown[])].reverse() : [inner];
      for (const source of sources) {
        if (typeof source !== 'object' || source === null || Array.isArray(source))
          throw new Refused('"<<" needs an object, or a list of objects, to merge');
        for (const [name, merged] of Object.entries(current(source) as Mapping))
          setMember(result, name, merged);
      }
    }
    return result;
  };

  const replace = (value: unknown, done: Set<object>): unknown => {
    const now = current(value);
    if (typeof now !== 'object' || now === null || done.has(now)) return now;
    done.add(now);
    for (const [key, inner] of Object.entries(now)) (now as Mapping)[key] = replace(inner, done);
    return now;
  };

  try {
    visit(document);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
  return { value: merged.size === 0 ? document : replace(document, new Set()) };
}

/** A number without a JSON form as YAML writes it. */
function asYaml(value: number): string {
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
}
