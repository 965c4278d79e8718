import type { KubernetesObject, ObjectIdentity } from '../karmada/api/meta.ts';
import { instant, readDuration } from '../kubernetes/time.ts';
import { StateError } from './errors.ts';
import { placeOf, type Position } from './position.ts';
import { show as shown } from './schema/check.ts';
import { isPresentable } from './shape.ts';
import { negativeReplicas } from './world/contradictions.ts';
import { nameOf, validateObject } from './world/validateObject.ts';

type Fields = Record<string, unknown>;

/** An RFC 3339 time, or a duration after the start; both in milliseconds. */
export type Moment = { instant: number } | { after: number };

/**
 * Reads the fields of a parsed file one by one. Each reader takes the path of a field and its value, and throws a
 * StateError that names the file, the field and the value.
 */
export type FieldReader = ReturnType<typeof fieldReader>;

/**
 * Readers for one file.
 *
 * @param at returns the place of a field in the file; absent: messages name no place
 */
export function fieldReader(file: string, at?: (path: string) => Position) {
  const fail = (path: string, problem: string, place = path): never => {
    throw new StateError(`${at ? placeOf(file, at(place)) : file}: ${path}: ${problem}`);
  };
  const show = (found: unknown) => (found === undefined ? 'nothing' : shown(found));

  const fields = (path: string, found: unknown): Fields =>
    found !== null && typeof found === 'object' && !Array.isArray(found)
      ? (found as Fields)
      : fail(path, `${show(found)} is not a mapping`);
  const only = (path: string, found: Fields, known: string[]): Fields => {
    for (const key of Object.keys(found))
      if (!known.includes(key))
        fail(path === '' ? key : `${path}.${key}`, `is unknown; choose from ${known.join(', ')}`);
    return found;
  };
  const text = (path: string, found: unknown): string =>
    typeof found === 'string' && found !== '' ? found : fail(path, `${show(found)} is not text`);
  const optionalText = (path: string, found: unknown) =>
    found === undefined || found === null ? undefined : text(path, found);
  const time = (path: string, found: unknown, kind = 'not an RFC 3339 time'): number => {
    const parsed = typeof found === 'string' ? instant(found) : Number.NaN;
    if (Number.isNaN(parsed)) fail(path, `${show(found)} is ${kind}`);
    return isPresentable(parsed) ? parsed : fail(path, `${show(found)} is not a time between 1970 and 2200`);
  };
  const duration = (path: string, found: unknown): number => {
    const parsed = typeof found === 'string' ? readDuration(found) : undefined;
    return parsed === undefined || parsed < 0
      ? fail(path, `${show(found)} is not a duration such as 90s or 5m`)
      : parsed;
  };
  const moment = (path: string, found: unknown): Moment => {
    const after = typeof found === 'string' ? readDuration(found) : undefined;
    if (after !== undefined && after < 0) fail(path, `${show(found)} is before the start; give a later time`);
    if (after !== undefined) return { after };
    return { instant: time(path, found, 'neither an RFC 3339 time nor a duration after the start') };
  };
  const oneOf = <T extends string>(path: string, found: unknown, values: readonly T[]): T =>
    values.includes(found as T)
      ? (found as T)
      : fail(path, `${show(found)} is not one of ${values.join(', ')}`);
  const list = (path: string, found: unknown): unknown[] =>
    found === undefined || found === null
      ? []
      : Array.isArray(found)
        ? found
        : fail(path, `${show(found)} is not a list`);

  const identity = (path: string, found: Fields): ObjectIdentity => {
    const namespace = optionalText(`${path}.namespace`, found.namespace);
    return {
      kind: text(`${path}.kind`, found.kind),
      ...(namespace ? { namespace } : {}),
      name: text(`${path}.name`, found.name),
    };
  };
  const manifest = (path: string, found: unknown): KubernetesObject => {
    const object = fields(path, found);
    text(`${path}.apiVersion`, object.apiVersion);
    text(`${path}.kind`, object.kind);
    text(`${path}.metadata.name`, fields(`${path}.metadata`, object.metadata).name);
    const verdict = validateObject(structuredClone(object));
    if ('problem' in verdict) return fail(path, verdict.problem, `${path}${verdict.path ?? ''}`);
    const negative = verdict.kind?.list === 'bindings' ? negativeReplicas(verdict.object) : undefined;
    return negative ? fail(path, `${nameOf(verdict.object)} ${negative}; give 0 or more`) : verdict.object;
  };

  return { fail, fields, only, text, optionalText, time, duration, moment, oneOf, list, identity, manifest };
}
