import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { bindingIdentity, workloadOf, objectText } from '../../../karmada/objects/identities.ts';
import { formatDuration, instant } from '../../../kubernetes/time.ts';
import { nameList } from '../../explanation/nameList.ts';
import type { Severity } from '../finding.ts';
import type { Diagnosed, Remedy } from './stateCheck.ts';

/**
 * A finding of a check.
 *
 * @param objects its objects, the worst first
 * @param message one sentence
 * @param evidence one piece, or several
 * @param remedy only text, or more; absent: there is nothing to do
 * @param severity the check's own if absent
 */
export function finding(
  objects: readonly ObjectIdentity[],
  message: string,
  evidence: Evidence | readonly Evidence[],
  remedy?: Remedy | string,
  severity?: Severity,
): Diagnosed {
  return {
    message,
    objects,
    evidence: 'rule' in evidence ? [evidence] : evidence,
    ...(remedy !== undefined && { remedy: typeof remedy === 'string' ? { text: remedy } : remedy }),
    ...(severity && { severity }),
  };
}

/** A finding about one object: the sentence names it, and one of its fields shows why. */
export function findingIn(
  object: ObjectIdentity,
  message: (name: string) => string,
  shown: Omit<Evidence, 'object'>,
  remedy?: Remedy | string,
  severity?: Severity,
): Diagnosed {
  return finding([object], message(objectText(object)), { ...shown, object }, remedy, severity);
}

/** Evidence from a field of a binding. */
export function inBinding(binding: ResourceBinding, rule: string, field: string, value: unknown): Evidence {
  return { rule, object: bindingIdentity(binding), field, value };
}

/** One finding about all workloads of these bindings, with the evidence of the first; none without bindings. */
export function jointFinding(
  bindings: readonly ResourceBinding[],
  message: (workloads: string, amount: number) => string,
  evidence: Evidence | readonly Evidence[] | ((first: ResourceBinding) => Evidence),
  remedy?: Remedy | string | ((first: ObjectIdentity) => Remedy),
  severity?: Severity,
): Diagnosed[] {
  const [first] = bindings;
  if (!first) return [];
  const objects = bindings.map(workloadOf);
  return [
    finding(
      objects,
      message(firstObjectNames(objects), objects.length),
      typeof evidence === 'function' ? evidence(first) : evidence,
      typeof remedy === 'function' ? remedy(workloadOf(first)) : remedy,
      severity,
    ),
  ];
}

export function clusterObject(name: string): ObjectIdentity {
  return { kind: 'Cluster', name };
}

/** Advice to change an object in an editor. */
export function edit(text: string, { kind, namespace, name }: ObjectIdentity): Remedy {
  const where = namespace ? ['-n', namespace] : [];
  return { text, commands: [['kubectl', 'edit', kind.toLowerCase(), name, ...where]] };
}

/** How many clusters and workloads a message names; the others are counted. */
const MAX_NAMED = 3;

/** "a, b, c and 4 more" */
export function firstNames(names: readonly string[]): string {
  return nameList([...names], MAX_NAMED);
}

/** "Deployment shop/cart and 4 more" */
export function firstObjectNames(objects: readonly ObjectIdentity[]): string {
  return firstNames(objects.map(objectText));
}

/** "1 workload", "3 workloads" */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** How long ago something was, in words. */
export function timeSince(since: string, now: number): string {
  return formatDuration(Math.round((now - instant(since)) / 1000) * 1000);
}
