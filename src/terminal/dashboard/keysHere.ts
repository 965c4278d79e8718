import { hasOverviewLists, itemChosen, placeChosen, listedOn, viewChosen } from './items.ts';
import { actionsOn } from '../../views/dashboard/actions/action.ts';
import type { KeysHere } from '../../views/dashboard/help.ts';
import { isReplay, placeKey, type Place } from '../../views/dashboard/place.ts';
import { isNothing } from '../../views/dashboard/whatIf.ts';
import { ACTION_KEYS, targetOn } from './actions/targetOn.ts';
import { commandLineShown } from './commandShown.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';

/** The available keys on the current page. */
export function keysHere(state: DashboardState, view: DashboardView): KeysHere {
  const { place } = pageShown(state);
  const listed = listedOn(state, view);
  const item = listed && itemChosen(listed, state);
  const cluster =
    viewChosen(state, view) === 'clusters' && item !== undefined ? listed!.list.key(item) : undefined;
  const clusters = view.feed.overview?.status.clusters ?? [];
  const target = targetOn(state, view);
  const names = target ? actionsOn(target, view.feed).map(({ name }) => name) : [];
  const isObject = item === undefined ? isOfWorkload(place) : listed!.list.object?.(item) !== undefined;
  return {
    opens: opensHere(state, view),
    replays: isReplay(place),
    columns: listed?.list.columns.map(({ name }) => name),
    namespaces: listed?.list.namespace !== undefined || hasOverviewLists(state),
    evidence: place.view === 'workload' || place.view === 'eviction',
    object: isObject,
    cluster: cluster !== undefined,
    region: clusters.some(({ name, region }) => name === cluster && region !== undefined),
    policy: hasPolicy(placeChosen(state, view)),
    marks: !isNothing(state.marks),
    recorded: view.feed.source?.recorded ?? false,
    acts: names.length > 0,
    actions: Object.keys(ACTION_KEYS).filter((key) => names.includes(ACTION_KEYS[key]!.name)),
    stops: place.view === 'action' && view.actions?.known.get(placeKey(place))?.stage === 'working',
    command: commandLineShown(state, view) !== undefined,
  };
}

/** Whether Enter does something: opens the selected item, or asks whether to carry out the plan. */
export function opensHere(state: DashboardState, view: DashboardView): boolean {
  const { place } = pageShown(state);
  if (place.view === 'action') return view.actions?.known.get(placeKey(place))?.stage === 'planned';
  const listed = listedOn(state, view);
  if (!listed) return place.view === 'workload' || place.view === 'eviction';
  const item = itemChosen(listed, state);
  return item !== undefined && listed.list.opens(item) !== undefined;
}

function isOfWorkload(place: Place): boolean {
  return 'key' in place;
}

const POLICIES: readonly string[] = ['PropagationPolicy', 'ClusterPropagationPolicy', 'ClusterTaintPolicy'];
const BINDINGS: readonly string[] = ['ResourceBinding', 'ClusterResourceBinding'];

function hasPolicy(place: Place): boolean {
  return place.view === 'object'
    ? [...POLICIES, ...BINDINGS].includes(place.object.kind)
    : isOfWorkload(place);
}
