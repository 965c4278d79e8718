import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { byAge, compareText } from '../store/indexes.ts';
import type { WorkloadOutcome } from './outcome.ts';

/** An outcome with what decides its place among others (`asListed`). */
export interface ListedOutcome {
  outcome: WorkloadOutcome;
  /** when the binding was created (RFC 3339) */
  created: string;
}

/** By namespace and name, as kubectl lists them. */
export function asKubectlLists(a: NamespacedName, b: NamespacedName): number {
  const [x, y] = [a.namespace ?? '', b.namespace ?? ''];
  if (x !== y) return x < y ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** By namespace and name, as kubectl lists them; those of one name by age, as bindings come. */
export function asListed(a: ListedOutcome, b: ListedOutcome): number {
  return (
    asKubectlLists(a.outcome, b.outcome) ||
    compareText(a.created, b.created) ||
    asKubectlLists(a.outcome.binding, b.outcome.binding)
  );
}

/** Bindings with their keys, in the order in which worlds hold them: the oldest first. */
export const ofAge = ([, a]: [string, ResourceBinding], [, b]: [string, ResourceBinding]) => byAge(a, b);

type NamespacedName = Pick<ObjectIdentity, 'namespace' | 'name'>;
