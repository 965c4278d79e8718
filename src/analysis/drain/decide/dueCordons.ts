import type { Cluster } from '../../../karmada/api/cluster.ts';
import { cordoned, drainMarkOf, drainTainted, hasDrainTaint, isCordoned, isMarkOf } from '../cordon.ts';
import { markFor } from '../markFor.ts';
import { bindingsConcernedBy } from './drainView.ts';
import type { DrainRound } from './drainRound.ts';

/** Why the drain must not go on: somebody has changed its clusters. */
export function somebodyInterferes({ situation, options, course }: DrainRound): string | undefined {
  for (const name of options.clusters) {
    const cluster = situation.clusters.get(name);
    if (!cluster) return `there is no Cluster ${name} any more`;
    if (cluster.metadata.deletionTimestamp) return `Cluster ${name} is being deleted`;
    const mark = isCordoned(cluster) ? drainMarkOf(cluster) : undefined;
    if (isMarkOf(mark, options)) course.cordoned.add(name);
    // another drain of the same clusters has ended, and leaves them cordoned: this one will end in a moment
    else if (isCordoned(cluster) && !mark) course.cordoned.delete(name);
    else if (!mark && course.cordoned.has(name)) return `somebody has uncordoned Cluster ${name}`;
    if (options.method !== 'taint') continue;
    if (hasDrainTaint(cluster)) course.tainted.add(name);
    else if (course.tainted.has(name)) return `somebody has removed the drain's taint from Cluster ${name}`;
  }
  return undefined;
}

/**
 * Plans the due cordons and, for a drain by taint, then the taints. Overwrites a mark with other options: if this run has
 * marked the cluster before, a rival drain is at work.
 */
export function cordon(round: DrainRound): void {
  const { view, situation, options, course, runner, now } = round;
  const clusters = options.clusters.flatMap((name) => situation.clusters.get(name) ?? []);
  const isDue = (base: Cluster, object: Cluster) => {
    if (object !== base)
      round.writes.push({
        ...{ verb: 'update', kind: 'Cluster', key: base.metadata.name, part: 'object', lock: true },
        ...{ base, object },
      });
    return object !== base;
  };
  for (const cluster of clusters) {
    const { name } = cluster.metadata;
    const known = drainMarkOf(cluster);
    const isOurs = runner === undefined || known?.by === runner || course.named.has(name);
    if (isCordoned(cluster) && isMarkOf(known, options) && isOurs) continue;
    const bindings = bindingsConcernedBy(view, situation.own);
    if (!isDue(cluster, cordoned(cluster, markFor(cluster, options, { bindings, now }, runner)))) continue;
    course.cordoned.add(name);
    course.named.add(name);
  }
  if (round.writes.length > 0 || options.method !== 'taint') return;
  for (const cluster of clusters)
    if (isDue(cluster, drainTainted(cluster))) course.tainted.add(cluster.metadata.name);
}
