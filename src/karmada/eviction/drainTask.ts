import type { GracefulEvictionTask, TargetCluster } from '../api/work.ts';

export const DRAIN_PRODUCER = 'karmada-failover';
export const DRAIN_REASON = 'ClusterDrain';

/** Whether a drain created a task. */
export function isDrainTask({ producer }: GracefulEvictionTask): boolean {
  return producer === DRAIN_PRODUCER;
}

const BEFORE = 'before: ';

/** "drained by kubectl karmada-failover, before: member1=3 member2=0" */
export function drainMessage(before: readonly TargetCluster[]): string {
  const targets = before.map(({ name, replicas }) => `${name}=${replicas ?? 0}`).join(' ');
  return `drained by kubectl karmada-failover, ${BEFORE}${targets}`;
}

/**
 * The placement of a workload before a drain evicted it, by the task's message; undefined if it is not in the message.
 */
export function placementBefore({ message, producer }: GracefulEvictionTask): TargetCluster[] | undefined {
  const at = message?.indexOf(BEFORE) ?? -1;
  if (producer !== DRAIN_PRODUCER || at < 0) return undefined;
  const targets: TargetCluster[] = [];
  for (const word of message!.slice(at + BEFORE.length).split(' ')) {
    const match = /^([^=]+)=(\d+)$/.exec(word);
    if (!match) return undefined;
    targets.push({ name: match[1]!, replicas: Number(match[2]) });
  }
  return targets;
}
