import type { Cluster } from '../../../karmada/api/cluster.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import type { SeenChange } from '../history.ts';
import type { UntoldChange } from './outsideBindings.ts';

/** What else decides about placements, or what healthy means. */
const DECIDING = new Set(['ResourceInterpreterCustomization', 'ResourceInterpreterWebhookConfiguration']);

/** What happened from outside that concerns all workloads, and that a simulation is not told. */
export function untoldOfAll(changes: Iterable<SeenChange>): UntoldChange[] {
  const untold: UntoldChange[] = [];
  for (const { at, before, after } of changes) {
    const { kind, metadata } = (after ?? before)!;
    const tell = (what: string) => untold.push({ at, what });
    if (DECIDING.has(kind)) tell(`a change of ${kind} ${metadata.name}`);
    if (kind !== 'Cluster') continue;
    if (!before || !after) tell(`Cluster ${metadata.name} ${after ? 'joins' : 'leaves'}`);
    else
      for (const field of changedFields(before as unknown as Cluster, after as unknown as Cluster))
        tell(`a change of ${field} of Cluster ${metadata.name}`);
  }
  return untold;
}

/** What decides about placements, apart from conditions and taints. */
function changedFields(before: Cluster, after: Cluster): string[] {
  if (before === after) return [];
  const pairs: readonly (readonly [field: string, old: unknown, now: unknown])[] = [
    ['metadata.labels', before.metadata.labels, after.metadata.labels],
    ['metadata.deletionTimestamp', before.metadata.deletionTimestamp, after.metadata.deletionTimestamp],
    ...(['provider', 'region', 'zone', 'zones'] as const).map(
      (name) => [`spec.${name}`, before.spec?.[name], after.spec?.[name]] as const,
    ),
    ['status.apiEnablements', before.status?.apiEnablements, after.status?.apiEnablements],
  ];
  return pairs.filter(([, old, now]) => !deepEqual(old, now)).map(([field]) => field);
}
