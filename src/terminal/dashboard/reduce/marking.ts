import { problemOfTaintChange, taintChangeIn } from '../../../karmada/taints/taintChange.ts';
import { isNothing, NO_CHANGES, taintChangeText, type WhatIf } from '../../../views/dashboard/whatIf.ts';
import { listedOn, itemChosen, viewChosen } from '../items.ts';
import { type DashboardState, type DashboardView } from '../state.ts';
import { openedPlace } from './navigation.ts';
import { moveSelection } from './moving.ts';

/** Marks the selected cluster as failing, or removes its marks. */
export function toggleMark(state: DashboardState, view: DashboardView): DashboardState {
  const name = clusterChosen(state, view);
  if (name === undefined) return { ...state, note: 'm marks clusters as failing, in the list of clusters.' };
  const { marks } = state;
  const next = isMarked(name, marks) ? withoutMarks(marks, [name]) : withFailing(marks, [name]);
  return moveSelection({ ...state, marks: next }, 1, view);
}

/** Marks all clusters in the selected one's region, or removes the marks if all have them. */
export function regionMarked(state: DashboardState, view: DashboardView): DashboardState {
  const clusters = view.feed.overview?.status.clusters ?? [];
  const name = clusterChosen(state, view);
  const region = clusters.find((one) => one.name === name)?.region;
  if (region === undefined)
    return { ...state, note: 'M marks a region: first choose a cluster that has one.' };
  const own = clusters.filter((one) => one.region === region).map((one) => one.name);
  const { marks } = state;
  const all = own.every((one) => isMarked(one, marks));
  return { ...state, marks: all ? withoutMarks(marks, own) : withFailing(marks, own) };
}

/** Asks for a taint for the clusters marked as failing, or the selected one. */
export function taintAsked(state: DashboardState, view: DashboardView): DashboardState {
  if (clustersToTaint(state, view).length === 0)
    return { ...state, note: 't marks clusters for a taint, in the list of clusters.' };
  const last = state.marks.taints.at(-1);
  return { ...state, input: { purpose: 'taint', text: last ? taintChangeText(last) : '' } };
}

/**
 * Marks clusters for adding or removing a taint, instead of failing: those marked as failing, otherwise the selected
 * one. If all of them already have this mark, removes it.
 */
export function toggleTaintMark(state: DashboardState, text: string, view: DashboardView): DashboardState {
  const change = taintChangeIn(text);
  if (!change) return { ...state, input: { purpose: 'taint', text, problem: problemOfTaintChange(text) } };
  const names = clustersToTaint(state, view);
  const { marks } = state;
  const words = taintChangeText(change);
  const has = (name: string) =>
    marks.taints.some((mark) => mark.cluster === name && taintChangeText(mark) === words);
  const isOther = (mark: WhatIf['taints'][number]) =>
    !names.includes(mark.cluster) ||
    mark.taint.key !== change.taint.key ||
    mark.taint.effect !== change.taint.effect;
  const added = names.every(has) ? [] : names.map((cluster) => ({ cluster, ...change }));
  const failing = marks.failing.filter((name) => !names.includes(name));
  return { ...state, marks: { ...marks, failing, taints: [...marks.taints.filter(isOther), ...added] } };
}

/** Removes all marks. */
export function clearMarks(state: DashboardState): DashboardState {
  return isNothing(state.marks)
    ? { ...state, note: 'Nothing is marked.' }
    : { ...state, marks: NO_CHANGES, note: 'Nothing is marked.' };
}

/** Shows all outcomes of the marked events; without marks, of a failure of the selected cluster. */
export function outcomesShown(state: DashboardState, view: DashboardView): DashboardState {
  const chosen = clusterChosen(state, view);
  const { marks } = state;
  const whatIf = isNothing(marks) && chosen !== undefined ? withFailing(marks, [chosen]) : marks;
  return openedPlace(state, { view: 'tomorrow', whatIf });
}

function isMarked(cluster: string, { failing, taints }: WhatIf): boolean {
  return failing.includes(cluster) || taints.some((mark) => mark.cluster === cluster);
}

function withoutMarks(marks: WhatIf, clusters: readonly string[]): WhatIf {
  return {
    ...marks,
    failing: marks.failing.filter((name) => !clusters.includes(name)),
    taints: marks.taints.filter(({ cluster }) => !clusters.includes(cluster)),
  };
}

function withFailing(marks: WhatIf, clusters: readonly string[]): WhatIf {
  return { ...marks, failing: [...new Set([...marks.failing, ...clusters])].sort() };
}

function clustersToTaint(state: DashboardState, view: DashboardView): readonly string[] {
  const chosen = clusterChosen(state, view);
  if (chosen === undefined) return [];
  return state.marks.failing.length > 0 ? state.marks.failing : [chosen];
}

function clusterChosen(state: DashboardState, view: DashboardView): string | undefined {
  const listed = listedOn(state, view);
  if (viewChosen(state, view) !== 'clusters' || !listed) return undefined;
  const cluster = itemChosen(listed, state);
  return cluster === undefined ? undefined : listed.list.key(cluster);
}
