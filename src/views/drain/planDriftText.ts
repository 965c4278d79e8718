import type { PlanDrift } from '../../analysis/drain/plan/planDrift.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import { objectText } from '../words/objectText.ts';
import { placementText } from '../words/placement.ts';

/** What has changed since a plan was made, in a line: "ResourceBinding shop/cart: spec.replicas was 3, is 5". */
export function planDriftText({ object, change, field, before, now }: PlanDrift): string {
  const what = objectText(object);
  switch (change) {
    case 'gone':
      return `${what} is gone`;
    case 'new':
      return object.kind === 'Cluster' ? `${what} is new` : `${what} is new on the drained clusters`;
    case 'replaced':
      return `${what} was deleted and created anew`;
    case 'changed':
      // of a long value, a plan keeps only a digest
      if (before === undefined && now === undefined) return `${what}: ${field} has changed`;
      if (before === undefined) return `${what}: ${field} has changed, is ${value(field, now!)}`;
      if (now === undefined) return `${what}: ${field} was ${value(field, before)}, has changed`;
      return `${what}: ${field} was ${value(field, before)}, is ${value(field, now)}`;
  }
}

function value(field: string | undefined, json: string): string {
  if (json === 'null') return 'none';
  if (field === 'spec.clusters') return placementText(JSON.parse(json) as TargetCluster[]);
  return json;
}
