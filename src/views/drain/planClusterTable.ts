import type { PlannedCluster } from '../../engine/drain/plan/drainPlan.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../kubernetes/quantity.ts';
import type { TextOptions } from '../answer.ts';
import type { Style } from '../style.ts';
import { table } from '../table.ts';

/** Those that most clusters run out of first; -o wide has the others as well. */
const RESOURCES = ['cpu', 'memory'];

/** What each cluster that changes holds before and after, and how full that makes it. */
export function planClusterTable(
  clusters: PlannedCluster[],
  { style, wide, noHeaders }: TextOptions,
): string {
  const changed = clusters.filter(
    ({ drained, before, after }) =>
      wide || drained || before.workloads !== after.workloads || before.replicas !== after.replicas,
  );
  const reported = new Set(changed.flatMap(({ capacity = [] }) => capacity.map(({ resource }) => resource)));
  const others = [...reported].filter((resource) => !RESOURCES.includes(resource)).sort();
  const shown = [...RESOURCES.filter((resource) => reported.has(resource)), ...(wide ? others : [])];
  const arrow = (before: number, after: number) =>
    before === after ? String(after) : `${before} → ${after}`;
  const rows = changed.map(({ name, drained, ready, before, after, capacity = [] }) => [
    drained ? `${name} (drained)` : name,
    ready === 'True' ? ready : style.bad(ready),
    arrow(before.workloads, after.workloads),
    arrow(before.replicas, after.replicas),
    ...shown.map((resource) => {
      const found = capacity.find((one) => one.resource === resource);
      return found ? usageText(found, wide, style) : '';
    }),
  ]);
  const headers = ['CLUSTER', 'READY', 'WORKLOADS', 'REPLICAS', ...shown.map((name) => name.toUpperCase())];
  return table(headers, rows, { noHeaders });
}

type Usage = NonNullable<PlannedCluster['capacity']>[number];

/** "62% → 91%", with `wide` the quantities: "12500m → 18200m of 20". */
function usageText(
  { allocatable, allocatedBefore, allocatedAfter }: Usage,
  wide: boolean,
  style: Style,
): string {
  const milli = (text: string) => Number(quantityMilliValue(parseQuantity(text)));
  const all = milli(allocatable);
  const over = milli(allocatedAfter) > all;
  const colour = over ? style.bad : (text: string) => text;
  if (wide) {
    const change =
      allocatedBefore === allocatedAfter ? allocatedAfter : `${allocatedBefore} → ${allocatedAfter}`;
    return colour(`${change} of ${allocatable}`);
  }
  if (all === 0) return colour(over ? 'over' : '');
  const share = (text: string) => `${Math.round((100 * milli(text)) / all)}%`;
  const [before, after] = [share(allocatedBefore), share(allocatedAfter)];
  return colour(before === after ? after : `${before} → ${after}`);
}
