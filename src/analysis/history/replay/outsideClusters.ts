import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import type { ScenarioEvent } from '../../../simulator/scenario.ts';
import type { SeenChange } from '../history.ts';
import type { UntoldChange } from './outsideBindings.ts';

/** What else decides about placements, or what healthy means. */
const DECIDING = new Set(['ResourceInterpreterCustomization', 'ResourceInterpreterWebhookConfiguration']);
/** What people write into a Cluster and decides about placements, apart from taints. */
const EDITED = ['provider', 'region', 'zone', 'zones'] as const;

/**
 * What happens to clusters from outside, apart from conditions and taints: they join, are deleted (Karmada itself then
 * removes them), get other labels or regions, or serve other APIs. `untold` concerns all workloads, and the simulation cannot be told.
 */
export function outsideClusters(changes: Iterable<SeenChange>): {
  events: ScenarioEvent[];
  untold: UntoldChange[];
} {
  const events: ScenarioEvent[] = [];
  const untold: UntoldChange[] = [];
  for (const { at, before, after } of changes) {
    const { kind, metadata } = (after ?? before)!;
    if (DECIDING.has(kind)) untold.push({ at, what: `a change of ${kind} ${metadata.name}` });
    if (kind !== 'Cluster') continue;
    const target = { kind, name: metadata.name };
    if (!before) events.push({ at, action: { type: 'apply', objects: [after!] } });
    else if (!after) {
      // who deletes a Cluster is seen before it is gone
      if (!before.metadata.deletionTimestamp)
        untold.push({ at, what: `when Cluster ${metadata.name} leaves` });
    } else if (isDeleted(after)) {
      if (!isDeleted(before)) events.push({ at, action: { type: 'delete', target } });
    } else {
      const merge = clusterEdits(before as unknown as Cluster, after as unknown as Cluster);
      if (merge) events.push({ at, action: { type: 'patch', target, merge } });
    }
  }
  return { events, untold };
}

function isDeleted({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** What was changed, as a merge patch; undefined if nothing of it was. */
function clusterEdits(before: Cluster, after: Cluster): object | undefined {
  if (before === after) return undefined;
  const spec = Object.fromEntries(
    EDITED.filter((field) => !deepEqual(before.spec?.[field], after.spec?.[field])).map((field) => [
      field,
      after.spec?.[field] ?? null,
    ]),
  );
  const status = {
    ...(!deepEqual(before.status?.apiEnablements, after.status?.apiEnablements) && {
      apiEnablements: after.status?.apiEnablements ?? null,
    }),
    // what is allocated from then on follows from the copies
    ...(!before.status?.resourceSummary &&
      after.status?.resourceSummary && { resourceSummary: after.status.resourceSummary }),
  };
  const labels = changedLabels(before.metadata.labels, after.metadata.labels);
  const merge = {
    ...(Object.keys(labels).length > 0 && { metadata: { labels } }),
    ...(Object.keys(spec).length > 0 && { spec }),
    ...(Object.keys(status).length > 0 && { status }),
  };
  return Object.keys(merge).length > 0 ? merge : undefined;
}

function changedLabels(
  before: Readonly<Record<string, string>> = {},
  after: Readonly<Record<string, string>> = {},
): Record<string, string | null> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? null]),
  );
}
