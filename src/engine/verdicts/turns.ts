import type { Configuration } from '../../karmada/configuration.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { parseTaintedPairKey } from '../controllers/taintedPair.ts';
import type { ChangeOf } from '../controllers/write.ts';
import { appliedPlacement } from '../objects/appliedPlacement.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import { bindingKey } from '../objects/identities.ts';
import { noExecuteDecision } from '../taints/noExecuteDecision.ts';
import { evictionDue, taintsInForce } from '../taints/taintManager.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

/** Milliseconds by which a turn may come sooner or later, besides a worker's sleep. */
const MOMENT = 1000;
/** At a rate of 0 workers sleep for half an hour. */
const LONGEST_SLEEP = 1_800_000;

/** Bindings that one queue evicts from a tainted cluster, in whatever order. */
interface Batch {
  cluster: string;
  evicted: Set<string>;
  /** epoch milliseconds */
  first: number;
  last: number;
}

/**
 * Follows whose turn came in the paced eviction queues, which Karmada fills in no fixed order. Any of those that were
 * queued together may be the one that stays if the taint goes while some still wait, or a moment after the last turn;
 * what comes to the cluster as the taint goes may have a turn, too; and what happens to other clusters meanwhile comes
 * before the turn of some, and after that of others.
 *
 * One long function: batches, removed taints and placements belong together.
 *
 * @param doubt called for each such binding, by its key
 * @returns to be asked at the end, and whether that is a cut: then those that wait may have had their turn as well
 */
export function followTurns(
  time: VirtualTime,
  configuration: Configuration,
  doubt: (binding: string) => void,
): { end(cut: boolean): void } {
  const rate = configuration.controllerManager['resource-eviction-rate'];
  const sleep = Math.min(1000 / rate, LONGEST_SLEEP);
  const open = new Map<string, Batch>();
  const batches: Batch[] = [];
  const events: { cluster: string; at: number }[] = [];
  /** the taints that clusters lost last, and when (epoch milliseconds) */
  const lost = new Map<string, { taints: readonly Taint[]; at: number }>();
  /** epoch milliseconds at which bindings were placed anew */
  const placed = new Map<string, number[]>();

  function settle(cluster: string, taints: readonly Taint[]): void {
    const now = time.now();
    const all = [...time.view.bindingsOn(cluster)].filter(
      (binding) => evictionDue(taints, binding, appliedPlacement(binding.metadata), now).kind === 'immediate',
    );
    for (const namespaced of [true, false]) {
      const waiting = all.filter(({ metadata }) => Boolean(metadata.namespace) === namespaced);
      const batch = open.get(batchKey(cluster, namespaced));
      const justNow = batch !== undefined && now - batch.last <= sleep + MOMENT;
      if (waiting.length === 0 && !justNow) continue;
      for (const key of [...waiting.map(bindingKey), ...(batch?.evicted ?? [])]) doubt(key);
    }
  }

  function clusterChanged({ key: cluster, before, after }: ChangeOf<'Cluster'>): void {
    if (!before) return;
    const same = before.spec?.taints === after?.spec?.taints && isReady(before) === isReady(after);
    if (same && before.metadata.labels === after?.metadata.labels) return;
    events.push({ cluster, at: time.now() });
    const had = taintsInForce(before, configuration);
    const has = new Set(taintsInForce(after, configuration).map(({ key }) => key));
    if (had.some(({ key }) => !has.has(key))) {
      settle(cluster, had);
      lost.set(cluster, { taints: had, at: time.now() });
    }
    if (has.size === 0) for (const namespaced of [true, false]) open.delete(batchKey(cluster, namespaced));
  }

  function hadTurn(cluster: string, binding: string, namespaced: boolean, now: number): void {
    const known = open.get(batchKey(cluster, namespaced));
    const batch = known ?? { cluster, evicted: new Set<string>(), first: now, last: now };
    if (!known) {
      open.set(batchKey(cluster, namespaced), batch);
      batches.push(batch);
    }
    batch.evicted.add(binding);
    batch.last = now;
  }

  /**
   * What is placed on a cluster as its taint goes may be there before it is gone, and be evicted, if the scheduler lets
   * it: it asks for a toleration, the taint manager for how long.
   */
  function doubtIfPlacedNow({ key, before, after }: ChangeOf<'Binding'>, now: number): void {
    const known = new Set(before?.spec.clusters?.map(({ name }) => name));
    for (const { name } of after?.spec.clusters ?? []) {
      const { taints, at } = lost.get(name) ?? {};
      if (known.has(name) || !taints || now - at! > MOMENT) continue;
      const applied = appliedPlacement(after!.metadata);
      const tolerations = ('placement' in applied && applied.placement?.clusterTolerations) || [];
      const decision = noExecuteDecision(taints, tolerations, now);
      if (decision.kind === 'evict' && decision.after === 'toleration') doubt(key);
    }
  }

  /**
   * Whether a binding of a batch was placed anew because of another cluster, before or after what may have been its
   * turn.
   */
  function meets({ cluster, first, last }: Batch, binding: string): boolean {
    return events.some(
      (event) =>
        event.cluster !== cluster &&
        event.at > first &&
        event.at <= last + sleep + MOMENT &&
        placed.get(binding)?.some((at) => at >= event.at && at <= event.at + MOMENT),
    );
  }

  /** Whether a binding is under eviction: after an earlier turn its next steps would have come sooner. */
  function isUnderWay(binding: string): boolean {
    return (time.view.get('Binding', binding)?.spec.gracefulEvictionTasks?.length ?? 0) > 0;
  }

  time.follow(({ time: now, by, key, changes }) => {
    if ((by === 'binding-eviction' || by === 'cluster-binding-eviction') && key && changes.length > 0) {
      const { cluster, binding } = parseTaintedPairKey(key);
      hadTurn(cluster, binding, by === 'binding-eviction', now);
    }
    for (const change of changes) {
      if (change.kind === 'Cluster') clusterChanged(change);
      if (change.kind !== 'Binding' || change.before?.spec.clusters === change.after?.spec.clusters) continue;
      doubtIfPlacedNow(change, now);
      const times = placed.get(change.key);
      if (times) times.push(now);
      else placed.set(change.key, [now]);
    }
  });
  return {
    end(cut) {
      for (const batch of batches)
        if (batch.evicted.size > 1)
          for (const binding of batch.evicted)
            if (meets(batch, binding) || (cut && isUnderWay(binding))) doubt(binding);
      if (!cut) return;
      for (const cluster of time.view.all('Cluster')) {
        const taints = taintsInForce(cluster, configuration);
        if (taints.length > 0) settle(cluster.metadata.name, taints);
      }
    },
  };
}

function batchKey(cluster: string, namespaced: boolean): string {
  return `${cluster} ${namespaced}`;
}
