import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Place } from '../../views/dashboard/place.ts';
import { taintChangeText, type WhatIf } from '../../views/dashboard/whatIf.ts';

/**
 * The words of the command that shows the same as a place, without those that name the control plane; undefined if
 * there is none. What stands before a `|` is piped into it.
 *
 * @param workloadOf the workload of a binding's key, in the form that a selection takes
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
    case 'policies':
      return ['taint-policy', 'list'];
    default:
      return undefined;
  }
}

/** `failover simulate` with everything that happens in a what-if; edits come from a pipe. */
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
export function kubectlGet({ kind, namespace, name }: ObjectIdentity): string[] {
  return ['kubectl', 'get', kind.toLowerCase(), name, ...(namespace ? ['-n', namespace] : []), '-o', 'yaml'];
}
