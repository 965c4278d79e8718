import type { Kind, Kinds } from './kinds.ts';

/**
 * One write of a controller, as data: a driver sends it to the API server of the control plane (of the member for a
 * Copy), which raises the generation if the spec changes. `base` is the object that the decision was based on.
 *
 * - create: fails if the object exists.
 * - update: with `lock` the API refuses it if `base` is no longer the current version (an Update, or a patch with a
 *   resourceVersion); without, it applies the differences between `base` and `object` (a merge patch). `part` is the
 *   subresource: a status write changes nothing else, and vice versa.
 * - delete: Works, bindings and Clusters get a deletionTimestamp and stay until they are released; others are gone.
 *   With `lock` the API refuses it if `base` is not the current version, as garbage collectors ask (preconditions).
 * - release: removes Karmada's finalizer from an object that is being deleted, which is then gone.
 */
export type Write = { [K in Kind]: WriteOf<K> }[Kind];

export type WriteOf<K extends Kind> =
  | { verb: 'create'; kind: K; key: string; object: Kinds[K] }
  | {
      verb: 'update';
      kind: K;
      key: string;
      part: 'object' | 'status';
      lock: boolean;
      base: Kinds[K];
      object: Kinds[K];
    }
  | { verb: 'delete'; kind: K; key: string; base: Kinds[K]; lock?: boolean }
  | { verb: 'release'; kind: K; key: string; base: Kinds[K] };

/** A write that changes an object. */
export type UpdateOf<K extends Kind> = Extract<WriteOf<K>, { verb: 'update' }>;

/** The write that changes a copy in its member, unless another client has changed it. */
export function copyUpdate(key: string, base: Kinds['Copy'], object: Kinds['Copy']): Write {
  return { verb: 'update', kind: 'Copy', key, part: 'object', lock: true, base, object };
}

/** A change by a write or by another client. */
export type Change = { [K in Kind]: ChangeOf<K> }[Kind];

export type ChangeOf<K extends Kind> = { kind: K; key: string } & Changed<Kinds[K]>;

/** An object before and after a change: no `before` if it was created, no `after` if it is gone. */
export type Changed<T> = { before: T; after?: undefined } | { before?: T | undefined; after: T };

/** Whether the object existed before the change, or exists now. */
export function isChange<K extends Kind>(
  states: Pick<ChangeOf<K>, 'kind' | 'key'> & { before: Kinds[K] | undefined; after: Kinds[K] | undefined },
): states is typeof states & ChangeOf<K> {
  return states.before !== undefined || states.after !== undefined;
}
