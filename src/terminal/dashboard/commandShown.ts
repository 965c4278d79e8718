import type { Choice } from '../../views/dashboard/answered.ts';
import { workloadName } from '../../views/words/names.ts';
import { listedOn, itemChosen, sectionChosen } from './items.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Place } from '../../views/dashboard/place.ts';
import { taintChangeText, type WhatIf } from '../../views/dashboard/whatIf.ts';
import type { Action } from '../../views/dashboard/actions/action.ts';

/** The command line equivalent to the current page; on the page of commands, the selected one. */
export function commandLineShown(state: DashboardState, view: DashboardView): string | undefined {
  if (pageShown(state).place.view === 'commands') {
    const listed = listedOn(state, view);
    return listed && (itemChosen(listed, state) as Choice | undefined)?.key;
  }
  const words = commandShown(state, view);
  return words && view.commandLine(words);
}

/** The words of the command equivalent to the current page, without those that name the control plane; undefined if there is none. */
export function commandShown(state: DashboardState, view: DashboardView): readonly string[] | undefined {
  const { feed } = view;
  const chosen = sectionChosen(state, view)?.view;
  const place: Place = chosen ? { view: chosen } : pageShown(state).place;
  if (place.view === 'action') return commandOfAction(place.action, feed.source?.live ?? false);
  if (place.view === 'choose' || place.view === 'actions') return commandChosen(state, view);
  // kubectl cannot read files
  if (place.view === 'object') return feed.source?.live ? kubectlGet(place.object) : undefined;
  return commandOf(place, state.namespace, (key) => {
    const found = feed.workloads.find((one) => one.key === key);
    return found && workloadName(found.workload);
  });
}

/** The command of the selected action. */
function commandChosen(state: DashboardState, view: DashboardView): readonly string[] | undefined {
  const listed = listedOn(state, view);
  const place = listed && (itemChosen(listed, state) as Choice | undefined)?.opens;
  if (place?.view !== 'action') return undefined;
  return commandOfAction(place.action, view.feed.source?.live ?? false);
}

/**
 * The words of the command equivalent to a place, without those that name the control plane; undefined if there is none. Words before a `|`
 * are piped into it.
 * @param workloadOf the workload of a binding's key, in the form of a selection
 */
export function commandOf(
  place: Place,
  namespace: string | undefined,
  workloadOf: (key: string) => string | undefined,
): string[] | undefined {
  const within = namespace === undefined ? [] : ['-n', namespace];
  switch (place.view) {
    case 'clusters':
    case 'failover':
      return ['failover', 'status', ...within];
    case 'workloads':
      return place.cluster === undefined
        ? ['failover', 'status', ...within]
        : ['failover', 'status', place.cluster, ...within];
    case 'evictions':
      return ['eviction', 'inspect', ...within];
    case 'drains':
      return ['failover', 'status'];
    case 'events':
      return ['timeline', ...(place.cluster === undefined ? [] : [place.cluster])];
    case 'eviction': {
      const workload = workloadOf(place.key);
      return workload === undefined ? undefined : ['eviction', 'inspect', workload];
    }
    case 'workload':
    case 'evidence': {
      const workload = workloadOf(place.key);
      if (workload === undefined) return undefined;
      const failing = (place.ifFails ?? []).flatMap((cluster) => ['--if-fails', cluster]);
      const wide = place.view === 'evidence' ? ['-o', 'wide'] : [];
      const moment = place.at === undefined ? [] : ['--at', rfc3339Milliseconds(place.at)];
      return ['failover', 'explain', workload, ...failing, ...wide, ...moment];
    }
    case 'tomorrow':
      return simulation(place.whatIf, within);
    case 'replay':
      return simulation(place.whatIf, ['--timeline', ...within]);
    case 'fate': {
      const [scope = '', name = ''] = place.key.split('/');
      const one = ['--field-selector', `metadata.name=${name}`, ...(scope === '' ? [] : ['-n', scope])];
      return simulation(place.whatIf, [...one, '--timeline', '-o', 'wide']);
    }
    case 'recording':
      return ['timeline', ...within];
    case 'audit':
      return ['failover', 'audit', ...within];
    case 'findings':
      return ['doctor', ...within];
    case 'finding':
      return ['doctor', '--only', place.id.split(' ')[0] ?? '', '-o', 'wide'];
    case 'policies':
      return ['taint-policy', 'list'];
    default:
      return undefined;
  }
}

/** `failover simulate` with all events of a what-if; edits come from a pipe. */
function simulation({ given = [], failing, taints, edits }: WhatIf, more: readonly string[]): string[] {
  const patches = edits.length === 0 ? [] : ['printf', '%s', JSON.stringify(edits), '|'];
  return [
    ...[...patches, 'failover', 'simulate', ...given],
    ...(edits.length === 0 ? [] : ['--apply', '-']),
    ...failing.flatMap((cluster) => ['--fail', cluster]),
    ...taints.flatMap((mark) => ['--taint', `${mark.cluster}:${taintChangeText(mark)}`]),
    ...more,
  ];
}

/** The words of kubectl's command that shows an object, without those that name the control plane. */
function kubectlGet({ kind, namespace, name }: ObjectIdentity): string[] {
  return ['kubectl', 'get', kind.toLowerCase(), name, ...(namespace ? ['-n', namespace] : []), '-o', 'yaml'];
}

/**
 * The words of the equivalent command, without those that name the control plane. For a read-only state, the command that shows its plan;
 * undefined if there is none.
 */
export function commandOfAction(action: Action, live: boolean): string[] | undefined {
  const words = wordsOf(action);
  if (live) return words;
  return action.name === 'cordon' || action.name === 'uncordon' ? undefined : [...words, '--dry-run=client'];
}

function wordsOf(action: Action): string[] {
  switch (action.name) {
    case 'drain':
    case 'cordon':
    case 'uncordon':
      return [action.name, action.cluster];
    case 'take-back':
      return ['drain', ...action.clusters, '--cancel'];
    case 'hold':
    case 'release':
    case 'cancel':
      return ['eviction', action.name, action.workload, '--from', action.from];
    case 'apply-policies':
      return ['taint-policy', 'apply', '-f', action.file];
    case 'delete-policy':
      return ['taint-policy', 'delete', action.policy];
  }
}
