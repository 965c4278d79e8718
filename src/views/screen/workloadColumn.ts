import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { shortWorkloadName, workloadName } from '../words/names.ts';
import type { ScreenColumn } from './screenColumn.ts';

/** The column that names an item's workload, alike in all lists on screens: cut last, sorted by the name as it is shown. */
export function workloadColumn<Item>(
  workloadOf: (item: Item) => ObjectIdentity,
): ScreenColumn<Item, unknown> {
  const name = (item: Item) => workloadName(workloadOf(item));
  const short = (item: Item) => shortWorkloadName(workloadOf(item));
  return { name: 'WORKLOAD', words: name, short, order: name, least: 22 };
}
