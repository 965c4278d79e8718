import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { FailoverLink } from '../../explanation/links/link.ts';
import { jointFinding } from './about.ts';
import type { Diagnosed, Remedy } from './stateCheck.ts';

/**
 * One finding per text for workloads whose failover is broken at one link.
 *
 * @param apart separates workloads with the same text; absent: nothing does
 */
export function brokenAt(
  id: string,
  bindings: readonly ResourceBinding[],
  linksOf: (binding: ResourceBinding) => readonly FailoverLink[],
  remedy: (
    link: FailoverLink,
    bindings: readonly [ResourceBinding, ...ResourceBinding[]],
  ) => Remedy | string | undefined,
  apart: (binding: ResourceBinding) => string = () => '',
): Diagnosed[] {
  const groups = new Map<string, { link: FailoverLink; bindings: [ResourceBinding, ...ResourceBinding[]] }>();
  for (const binding of bindings)
    for (const link of linksOf(binding)) {
      if (link.id !== id || link.state !== 'broken') continue;
      const key = `${apart(binding)} ${link.text}`;
      const group = groups.get(key);
      if (group) group.bindings.push(binding);
      else groups.set(key, { link, bindings: [binding] });
    }
  return [...groups.values()].flatMap(({ link, bindings: alike }) =>
    jointFinding(alike, (workloads) => `${workloads}: ${link.text}`, link.evidence, remedy(link, alike)),
  );
}
