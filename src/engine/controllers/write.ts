import type { Kind, Kinds } from './kinds.ts';

/**
 * One write of a controller, as data: a driver hands it to the API server (of the control plane, for a Copy to the
 * member's), which raises the generation with the spec. `base` is the object that it was decided on.
 *
 * - create: fails if there is one.
 * - update: `lock` says whether the API refuses it if `base` is no longer the present version (an Update, or a patch with a
 *   resourceVersion), or takes over what differs between `base` and `object` (a merge patch without one).
 *   `part` is the subresource: status writes leave all else alone, and the other way round.
 * - delete: Works, bindings and Clusters get a deletionTimestamp and stay until they are released; others are gone. With a `lock` the API
 *   refuses it if `base` is no longer the present version, as garbage collectors ask for (preconditions).
 * - release: Karmada's finalizer is taken off what is being deleted, which is then gone.
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

/** What a write, or somebody else, has changed. */
export type Change = { [K in Kind]: ChangeOf<K> }[Kind];

export interface ChangeOf<K extends Kind> {
  kind: K;
  key: string;
  /** absent: created */
  before?: Kinds[K];
  /** absent: gone */
  after?: Kinds[K];
}
