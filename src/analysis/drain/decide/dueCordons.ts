import { cordoned, drainMarkOf, drainTainted, hasDrainTaint, isCordoned, isMarkOf } from '../cordon.ts';
import type { DrainMark } from '../drainOptions.ts';
import { markFor } from '../markFor.ts';
import { clusterKey, isBehind, type DrainPacer } from './drainPacer.ts';
import type { DrainWrite } from './drainStep.ts';
import type { DrainRound } from './drainRound.ts';

/** Why the drain must not go on: somebody has changed its clusters. */
export function somebodyInterferes({ situation, options, pacer }: DrainRound): string | undefined {
  for (const name of options.clusters) {
    const cluster = situation.clusters.get(name);
    if (!cluster) return `there is no Cluster ${name} any more`;
    if (cluster.metadata.deletionTimestamp) return `Cluster ${name} is being deleted`;
    if (isBehind(pacer, clusterKey(name), cluster.metadata)) continue;
    const mark = isCordoned(cluster) ? drainMarkOf(cluster) : undefined;
    if (isMarkOf(mark, options)) pacer.cordoned.add(name);
    else if (!mark && pacer.cordoned.has(name)) return `somebody has uncordoned Cluster ${name}`;
    if (options.method !== 'taint') continue;
    if (hasDrainTaint(cluster)) pacer.tainted.add(name);
    else if (pacer.tainted.has(name)) return `somebody has removed the drain's taint from Cluster ${name}`;
  }
  return undefined;
}

/**
 * The due cordons and, for a drain by taint, then the taints; none while a write is not seen yet. Overwrites a mark
 * with other options: if this run has marked the cluster before, a rival drain is at work.
 */
export function dueCordons({ view, situation, options, pacer, now }: DrainRound): DrainWrite[] {
  const clusters = options.clusters.map((name) => situation.clusters.get(name)!);
  const cordons = clusters.flatMap((cluster): DrainWrite[] => {
    const { name } = cluster.metadata;
    const known = drainMarkOf(cluster);
    if (isCordoned(cluster) && isMarkOf(known, options) && isOurs(pacer, name, known)) return [];
    if (isBehind(pacer, clusterKey(name), cluster.metadata)) return [];
    const after = cordoned(
      cluster,
      markFor(cluster, options, { bindings: view.onItsClusters(), now }, pacer.runner),
    );
    return after === cluster ? [] : [{ type: 'cordon', cluster, after }];
  });
  if (cordons.length > 0 || options.method !== 'taint') return cordons;
  if (clusters.some(({ metadata }) => isBehind(pacer, clusterKey(metadata.name), metadata))) return [];
  return clusters.flatMap((cluster): DrainWrite[] => {
    const after = drainTainted(cluster);
    return after === cluster ? [] : [{ type: 'taint', cluster, after }];
  });
}

/** Whether a mark names the runner of this drain, or of a later run of the same drain. */
function isOurs({ runner, named }: DrainPacer, cluster: string, mark: DrainMark | undefined): boolean {
  return runner === undefined || mark?.by === runner || named.has(cluster);
}

/** Whether a cordon was written that the view does not show yet. */
export function isCordonUnseen({ situation, options, pacer }: DrainRound): boolean {
  return options.clusters.some((name) => {
    const cluster = situation.clusters.get(name);
    return cluster !== undefined && isBehind(pacer, clusterKey(name), cluster.metadata);
  });
}
