import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition, Taint } from '../../karmada/api/meta.ts';
import { TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE } from '../../karmada/names.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { readyCondition } from '../objects/clusterReadiness.ts';
import { sameTaint } from '../objects/sameTaint.ts';

const NOT_READY: Taint = { key: TAINT_CLUSTER_NOT_READY, effect: 'NoSchedule' };
const UNREACHABLE: Taint = { key: TAINT_CLUSTER_UNREACHABLE, effect: 'NoSchedule' };

/**
 * The taints of a cluster after the cluster controller's look at its Ready condition: NoSchedule with
 * not-ready while it is False or absent, with unreachable while it is Unknown, neither while it is True. No
 * gate or flag switches this off. Existing taints keep value and time, new ones go to the end. The very same
 * list comes back when nothing changes; a cluster that is being deleted is left alone.
 *
 * @param now epoch milliseconds, becomes timeAdded of what is added
 */
export function conditionTaints(cluster: Cluster, now: number): { taints: Taint[]; evidence: Evidence[] } {
  const taints = cluster.spec?.taints ?? [];
  if (cluster.metadata.deletionTimestamp) return { taints, evidence: [] };
  const ready = readyCondition(cluster);
  const { add, remove } = changesFor(ready);
  const added = add.filter((taint) => !taints.some((other) => sameTaint(other, taint)));
  const kept = taints.filter((taint) => !remove.some((other) => sameTaint(other, taint)));
  if (added.length === 0 && kept.length === taints.length) return { taints, evidence: [] };
  const timeAdded = rfc3339(now);
  return {
    taints: [...kept, ...added.map((taint) => ({ ...taint, timeAdded }))],
    evidence: [
      {
        rule: ready
          ? `a cluster whose Ready condition is ${ready.status} carries ${add[0] ? add[0].key : 'neither not-ready nor unreachable'}`
          : 'a cluster without a Ready condition counts as not ready',
        object: { kind: 'Cluster', name: cluster.metadata.name },
        field: 'status.conditions[type=Ready]',
        value: ready,
      },
    ],
  };
}

function changesFor(ready: Condition | undefined): { add: Taint[]; remove: Taint[] } {
  switch (ready?.status) {
    case 'True':
      return { add: [], remove: [NOT_READY, UNREACHABLE] };
    case 'False':
      return { add: [NOT_READY], remove: [UNREACHABLE] };
    case 'Unknown':
      return { add: [UNREACHABLE], remove: [NOT_READY] };
    default:
      return { add: ready ? [] : [NOT_READY], remove: [] };
  }
}
