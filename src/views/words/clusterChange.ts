import type { Column, Words } from '../../presentation/model.ts';
import { asBad } from '../../presentation/words.ts';

interface ClusterMoment {
  /** the status of its condition Ready */
  ready: string;
  workloads: number;
  replicas: number;
}

interface ClusterChange {
  before: ClusterMoment;
  after: ClusterMoment;
}

/** The first columns of tables of clusters before and after. */
export const clusterChangeColumns: readonly Column[] = ['CLUSTER', 'READY', 'WORKLOADS', 'REPLICAS'].map(
  (name) => ({ name }),
);

/** Their cells: the cluster, then "6 → 7", or one value if nothing changes. */
export function clusterChangeCells(cluster: Words, { before, after }: ClusterChange): Words[] {
  const ready = changeText(before.ready, after.ready);
  return [
    cluster,
    after.ready === 'True' ? ready : asBad(ready),
    changeText(before.workloads, after.workloads),
    changeText(before.replicas, after.replicas),
  ];
}

/** Whether the cluster has other workloads, or other numbers of replicas, afterwards. */
export function changesWorkloads({ before, after }: ClusterChange): boolean {
  return before.workloads !== after.workloads || before.replicas !== after.replicas;
}

/** "6 → 7"; "6" if nothing changes. */
export function changeText(before: number | string, after: number | string): string {
  return before === after ? String(after) : `${before} → ${after}`;
}
