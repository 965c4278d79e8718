import type { DeletionDrift } from '../../analysis/taintPolicy/deletionPlan.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { listed } from '../words/listed.ts';
import { taintText } from './taintWords.ts';

/** What has changed since a plan to delete policies was made, in a line: "Cluster alpha: …". */
export function deletionDriftText(drift: DeletionDrift): string {
  switch (drift.change) {
    case 'edited':
      return `${drift.kind} ${drift.name} was edited`;
    case 'replaced':
      return `${drift.kind} ${drift.name} was deleted and created anew`;
    case 'taint changed':
      return `Cluster ${drift.cluster}: the taint ${taintText(drift.taint)} was ${changeText(drift.taint, drift.now)}`;
    case 'taint kept': {
      const { cluster, taint, why, listedBy } = drift;
      const because =
        why === 'still listed'
          ? `ClusterTaintPolicy ${listed(listedBy)} lists it now`
          : 'it is no longer known to be of these policies';
      return `Cluster ${cluster}: the taint ${taintText(taint)} would stay: ${because}`;
    }
    case 'taint new':
      return `Cluster ${drift.cluster}: the taint ${taintText(drift.taint)} is new`;
  }
}

function changeText(before: Taint, now: Taint): string {
  if ((before.value ?? '') !== (now.value ?? '')) return `changed to ${taintText(now)}`;
  return now.timeAdded ? `added again at ${now.timeAdded}` : 'set again by a person';
}
