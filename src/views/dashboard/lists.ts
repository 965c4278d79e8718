import type { AnyList } from './list.ts';
import { clusterList } from './lists/clusters.ts';
import { drainList } from './lists/drains.ts';
import { eventList } from './lists/events.ts';
import { evictionList } from './lists/evictions.ts';
import { workloadList } from './lists/workloads.ts';
import { LIST_NAMES, type ListName, type Place } from './place.ts';

/** The lists by their names. */
export const LISTS: Readonly<Record<ListName, AnyList>> = {
  clusters: clusterList,
  evictions: evictionList,
  workloads: workloadList,
  events: eventList,
  drains: drainList,
};

/** The list that a place shows; undefined if it shows a page. */
export function listOf(place: Place): AnyList | undefined {
  return isList(place) ? LISTS[place.view] : undefined;
}

export function isList(place: Place): place is Extract<Place, { view: ListName }> {
  return (LIST_NAMES as readonly string[]).includes(place.view);
}
