import { rfc3339 } from '../../../kubernetes/time.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { cordoned, drainMarkOf, drainTainted, hasDrainTaint, isCordoned } from '../cordon.ts';
import type { DrainMark, DrainOptions } from '../drainOptions.ts';
import { clusterKey, isBehind } from './drainPacer.ts';
import type { DrainWrite } from './drainStep.ts';
import type { DrainRound } from './drainRound.ts';

/** Why the drain must not go on: its clusters are not what it made of them. */
export function somebodyInterferes({ situation, options, pacer }: DrainRound): string | undefined {
  for (const name of options.clusters) {
    const cluster = situation.clusters.get(name);
    if (!cluster) return `there is no Cluster ${name} any more`;
    if (cluster.metadata.deletionTimestamp) return `Cluster ${name} is being deleted`;
    if (isBehind(pacer, clusterKey(name), cluster.metadata)) continue;
    const mark = isCordoned(cluster) ? drainMarkOf(cluster) : undefined;
    if (sameDrain(mark, options)) pacer.cordoned.add(name);
    else if (!mark && pacer.cordoned.has(name)) return `somebody has uncordoned Cluster ${name}`;
    if (options.method !== 'taint') continue;
    if (hasDrainTaint(cluster)) pacer.tainted.add(name);
    else if (pacer.tainted.has(name)) return `somebody has removed the drain's taint from Cluster ${name}`;
  }
  return undefined;
}

/**
 * Cordons, and with --method=taint the taints after all of them; none while one is written and not yet seen. A mark with
 * other options is written over: where that happens to a cluster that this run has marked, a rival is at work.
 */
export function dueCordons({ situation, options, pacer, now }: DrainRound): DrainWrite[] {
  const clusters = options.clusters.map((name) => situation.clusters.get(name)!);
  const cordons = clusters.flatMap((cluster): DrainWrite[] => {
    const known = drainMarkOf(cluster);
    if (isCordoned(cluster) && sameDrain(known, options)) return [];
    if (isBehind(pacer, clusterKey(cluster.metadata.name), cluster.metadata)) return [];
    const started = known?.started || rfc3339(now);
    const { selection, hold } = options;
    const after = cordoned(cluster, { started, clusters: options.clusters, selection, hold });
    return after === cluster ? [] : [{ type: 'cordon', cluster, after }];
  });
  if (cordons.length > 0 || options.method !== 'taint') return cordons;
  if (clusters.some(({ metadata }) => isBehind(pacer, clusterKey(metadata.name), metadata))) return [];
  return clusters.flatMap((cluster): DrainWrite[] => {
    const after = drainTainted(cluster);
    return after === cluster ? [] : [{ type: 'taint', cluster, after }];
  });
}

function sameDrain(mark: DrainMark | undefined, { clusters, selection, hold }: DrainOptions): boolean {
  return mark?.hold === hold && deepEqual(mark.clusters, clusters) && deepEqual(mark.selection, selection);
}

/** Whether a cordon was written that the view does not show yet. */
export function isCordonUnseen({ situation, options, pacer }: DrainRound): boolean {
  return options.clusters.some((name) => {
    const cluster = situation.clusters.get(name);
    return cluster !== undefined && isBehind(pacer, clusterKey(name), cluster.metadata);
  });
}
