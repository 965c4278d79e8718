import { isEvictionQueue, type EvictionQueueName } from '../../karmada/controllers/registry.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ObjectMeta, Taint } from '../../karmada/api/meta.ts';
import type { FreeChoice } from '../../karmada/controllers/controller.ts';
import { paceIn } from '../../karmada/taints/evictionPace.ts';
import { parseTaintedPairKey } from '../../karmada/taints/taintedPair.ts';
import type { ChangeOf } from '../../karmada/controllers/write.ts';
import { appliedPlacement } from '../../karmada/objects/appliedPlacement.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingKey } from '../../karmada/objects/identities.ts';
import { noExecuteDecision } from '../../karmada/taints/noExecuteDecision.ts';
import { termsOf } from '../../karmada/taints/evictionTerms.ts';
import { evictionDue, taintsInForce } from '../../karmada/taints/taintedPair.ts';
import { hasOneQueue } from '../../karmada/configuration/taintEviction.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import { firstWith } from '../../kubernetes/firstWith.ts';

/** Milliseconds by which a turn may be early or late, besides a worker's sleep. */
const MOMENT = 1000;
/** At a rate of 0 workers sleep for half an hour. */
const LONGEST_SLEEP = 1_800_000;
/** Clusters that fail within this many milliseconds fail together: which one is processed first is random. */
const TOGETHER = 3000;

/** Bindings that one queue evicts from a tainted cluster, in any order. */
interface Batch {
  cluster: string;
  /** eviction times by key (epoch milliseconds) */
  evicted: Map<string, number>;
  /** epoch milliseconds */
  first: number;
  last: number;
  /** in the single queue of the design: only the order of its entries decides */
  ordered: boolean;
}

/**
 * Follows turns in the paced eviction queues, which Karmada fills in no guaranteed order. If a taint is removed while
 * some bindings wait, or shortly after the last turn, any of those queued together may be the one that stays. A binding
 * placed on the cluster at that time may have a turn as well. Other clusters' events precede some turns and follow
 * others. The design's single queue keeps its order: only clusters that failed together, or before the capture, have no
 * guaranteed order there; otherwise timing decides.
 *
 * One long function: batches, removed taints and placements belong together.
 *
 * @param doubted called for each such binding, by its key
 * @returns a function to call at the end, with whether the simulation was cut: then waiting bindings may also have had
 *   their turn
 */
export function followTurns(
  start: Pick<StartingWorld, 'configuration' | 'world' | 'clusters'>,
  time: VirtualTime,
  doubted: (binding: string, choice: FreeChoice) => void,
): { end(cut: boolean): void } {
  const { configuration } = start;
  const oneQueue = hasOneQueue(configuration.rules);
  const doubt = (binding: string) =>
    doubted(binding, oneQueue ? 'turn in the one queue' : 'turn in a paced queue');
  const sleep = longestSleep(configuration);
  /**
   * when clusters got a taint that evicts (epoch milliseconds); -Infinity for taints from the capture, whose time is
   * irrelevant
   */
  const failed = new Map<string, number>();
  if (!start.world.simulation) for (const cluster of taintedAtStart(start)) failed.set(cluster, -Infinity);
  const open = new Map<string, Batch>();
  const batches: Batch[] = [];
  const events: { cluster: string; at: number }[] = [];
  /** the taints that each cluster lost last, and when (epoch milliseconds) */
  const lost = new Map<string, { taints: readonly Taint[]; at: number }>();
  /** epoch milliseconds at which bindings were rescheduled */
  const placed = new Map<string, number[]>();

  function settle(cluster: string, taints: readonly Taint[]): void {
    const now = time.now();
    if (isOrdered(cluster)) return settleInOrder(cluster);
    const all = [...time.view.bindingsOn(cluster)].filter(
      (binding) =>
        evictionDue(taints, binding, termsOf(binding, appliedPlacement(binding.metadata)), now).kind ===
        'immediate',
    );
    for (const queue of oneQueue ? ONE_QUEUE : BY_SCOPE) {
      const waiting = oneQueue ? all : all.filter(({ metadata }) => scopeOf(metadata) === queue);
      const batch = open.get(batchKey(cluster, queue));
      const justNow = batch !== undefined && now - batch.last <= sleep + MOMENT;
      if (waiting.length === 0 && !justNow) continue;
      for (const key of [...waiting.map(bindingKey), ...(batch?.evicted.keys() ?? [])]) doubt(key);
    }
  }

  /** Whether the order of a cluster's turns depends only on the order in which the queue was filled. */
  function isOrdered(cluster: string): boolean {
    if (!oneQueue) return false;
    const at = failed.get(cluster) ?? -Infinity;
    return (
      [...failed].every(([other, otherAt]) => other === cluster || Math.abs(otherAt - at) > TOGETHER) &&
      at > -Infinity
    );
  }

  /** Doubts bindings whose turn was just before, or is due soon: in Karmada it may be late, or early. */
  function settleInOrder(cluster: string): void {
    const now = time.now();
    for (const { evicted, last } of batches)
      if (now - last <= MOMENT) for (const [binding, at] of evicted) if (now - at <= MOMENT) doubt(binding);
    const { rate } = paceIn(time.view, configuration);
    if (rate <= 0) return;
    const lastTurn = Math.max(-Infinity, ...batches.map(({ last }) => last));
    let turn = Math.max(now, lastTurn + 1000 / rate);
    for (const { controller, key, time: due } of time.pending()) {
      if (turn > now + MOMENT) return;
      if (controller !== 'eviction-queue' || !key || due > now) continue;
      const pair = parseTaintedPairKey(key);
      if (pair.cluster === cluster) doubt(pair.binding);
      turn += 1000 / rate;
    }
  }

  function clusterChanged({ key: cluster, before, after }: ChangeOf<'Cluster'>): void {
    if (!before) return;
    if (taintsInForce(before, configuration).length === 0 && taintsInForce(after, configuration).length > 0)
      failed.set(cluster, time.now());
    const same = before.spec?.taints === after?.spec?.taints && isReady(before) === isReady(after);
    if (same && before.metadata.labels === after?.metadata.labels) return;
    events.push({ cluster, at: time.now() });
    const had = taintsInForce(before, configuration);
    const has = new Set(taintsInForce(after, configuration).map(({ key }) => key));
    if (had.some(({ key }) => !has.has(key))) {
      settle(cluster, had);
      lost.set(cluster, { taints: had, at: time.now() });
    }
    if (has.size === 0) {
      for (const queue of [...ONE_QUEUE, ...BY_SCOPE]) open.delete(batchKey(cluster, queue));
      failed.delete(cluster);
    }
  }

  function hadTurn(cluster: string, binding: string, queue: EvictionQueueName, now: number): void {
    const known = open.get(batchKey(cluster, queue));
    const batch = known ?? {
      cluster,
      evicted: new Map<string, number>(),
      first: now,
      last: now,
      ordered: true,
    };
    if (!known) {
      open.set(batchKey(cluster, queue), batch);
      batches.push(batch);
    }
    batch.evicted.set(binding, now);
    batch.last = now;
    batch.ordered &&= isOrdered(cluster);
  }

  /**
   * A binding placed on a cluster just as its taint is removed may arrive earlier and be evicted, if a toleration lets
   * the scheduler place it there; the taint manager decides how long it tolerates.
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

  /** Whether a binding of a batch was rescheduled because of another cluster close to the time of its turn. */
  function meets({ cluster, first, last }: Batch, binding: string): boolean {
    const times = placed.get(binding) ?? [];
    const until = last + sleep + MOMENT;
    for (let next = firstWith(events, ({ at }) => at > first); next < events.length; next++) {
      const event = events[next]!;
      if (event.at > until) return false;
      if (event.cluster === cluster) continue;
      const at = times[firstWith(times, (time) => time >= event.at)];
      if (at !== undefined && at <= event.at + MOMENT) return true;
    }
    return false;
  }

  /** Whether a binding is being evicted: with an earlier turn, its next steps would be earlier too. */
  function isUnderWay(binding: string): boolean {
    return (time.view.get('Binding', binding)?.spec.gracefulEvictionTasks?.length ?? 0) > 0;
  }

  time.follow(({ time: now, by, key, changes }) => {
    if (isEvictionQueue(by) && key && changes.length > 0) {
      const { cluster, binding } = parseTaintedPairKey(key);
      hadTurn(cluster, binding, by, now);
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
        if (batch.evicted.size > 1 && !batch.ordered)
          for (const binding of batch.evicted.keys())
            if (meets(batch, binding) || (cut && isUnderWay(binding))) doubt(binding);
      if (!cut) return;
      for (const cluster of time.view.all('Cluster')) {
        const taints = taintsInForce(cluster, configuration);
        if (taints.length > 0) settle(cluster.metadata.name, taints);
      }
    },
  };
}

/** The clusters with a taint that evicts in a capture. */
const taintedAtStart = lazilyFor(
  ({ clusters, configuration }: Pick<StartingWorld, 'configuration' | 'clusters'>) =>
    [...clusters.values()]
      .filter((cluster) => taintsInForce(cluster, configuration).length > 0)
      .map(({ metadata }) => metadata.name),
);

const ONE_QUEUE = ['eviction-queue'] as const;
const BY_SCOPE = ['binding-eviction', 'cluster-binding-eviction'] as const;

function scopeOf({ namespace }: ObjectMeta): EvictionQueueName {
  return namespace ? 'binding-eviction' : 'cluster-binding-eviction';
}

function batchKey(cluster: string, queue: EvictionQueueName): string {
  return `${cluster} ${queue}`;
}

/** The longest time between two turns, in milliseconds. */
function longestSleep({ rules, controllerManager }: Configuration): number {
  const rates = [
    controllerManager['resource-eviction-rate'],
    ...(hasOneQueue(rules) ? [controllerManager['secondary-resource-eviction-rate']] : []),
  ];
  return Math.min(1000 / Math.min(...rates), LONGEST_SLEEP);
}
