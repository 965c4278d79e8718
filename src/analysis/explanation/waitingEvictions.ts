import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { EVICTION_QUEUED_CONDITION } from '../../karmada/api/names.ts';
import { instant, LAST_INSTANT, rfc3339 } from '../../kubernetes/time.ts';
import type { Taint } from '../../kubernetes/schema/core.ts';
import type { QueuedEviction } from '../../karmada/taints/evictionQueue.ts';
import { taintedPairKey } from '../../karmada/taints/taintedPair.ts';
import { appliedPlacement } from '../../karmada/objects/appliedPlacement.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import { bindingIdentity, bindingKey, workloadIdentity } from '../../karmada/objects/identities.ts';
import { compareText } from '../../simulator/store/indexes.ts';
import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { paceInWords, queuePace } from '../../karmada/taints/evictionPace.ts';
import type { EvictionPace } from '../../karmada/controllers/controller.ts';
import { termsOf, type EvictionTerms } from '../../karmada/taints/evictionTerms.ts';
import { abandonedBecause, matchingNames, type MatchingNames } from '../../karmada/taints/preScheduling.ts';
import type { SavedRatedQueue } from '../../karmada/queues/ratedQueue.ts';
import { hasOneQueue, startsTaintManager } from '../../karmada/configuration/taintEviction.ts';
import { dueSince, evictionDue, taintsInForce } from '../../karmada/taints/taintedPair.ts';

/**
 * An eviction that the single queue of the design optimize-cluster-failover has not released: it waits for its turn,
 * tolerates the taints for a time, or is abandoned when its turn comes. Times are RFC 3339.
 */
export interface WaitingEviction {
  binding: ObjectIdentity;
  workload: ObjectIdentity & { apiVersion: string };
  cluster: string;
  state: 'waiting' | 'tolerating' | 'abandoned';
  /** its position: 1 is next; null if it does not wait, or if other waiting evictions are unknown */
  position: number | null;
  /** when it began to wait, or to tolerate the taints; null if unknown */
  since: string | null;
  /**
   * when it is expected to leave the cluster, or its toleration to end; null: never as things are, after the year 9999,
   * or unknown
   */
  expected: string | null;
  /**
   * What delays it: the rate, the secondary rate, too many faulty clusters, a toleration, or the pre-scheduling check,
   * which finds or found no target cluster.
   */
  waitsFor: 'rate' | 'secondary-rate' | 'threshold' | 'toleration' | 'pre-scheduling';
  /** the same in words */
  reason: string;
}

/** The eviction queue, by the state. */
export interface WaitingEvictions {
  pace: EvictionPace;
  /** the waiting ones in the order of their turns, then the others */
  items: WaitingEviction[];
  /** certain: a saved simulation has the queue itself */
  certainty: 'certain' | 'estimate';
  /** for an estimate: the input that would make it certain */
  missing?: string;
}

/** How many evictions wait, by cluster. Times are RFC 3339. */
export interface WaitingSummary extends Pick<WaitingEvictions, 'certainty' | 'missing'> {
  waiting: number;
  /** clusters by name whose workloads wait, tolerate the taints or are abandoned */
  clusters: { cluster: string; waiting: number; tolerating: number; abandoned: number }[];
  /** when the last waiting one leaves at the present rate; null: none waits, or its turn is after the year 9999 */
  lastTurn: string | null;
}

/** The state of the queue: its pace, and how many evictions wait. */
export interface QueueStatus extends WaitingSummary {
  pace: EvictionPace;
}

/** The queue in figures. */
export function waitingSummary({ items, certainty, missing }: WaitingEvictions): WaitingSummary {
  const clusters = new Map<string, WaitingSummary['clusters'][number]>();
  let lastTurn: string | null = null;
  let waiting = 0;
  for (const { cluster, state, expected, waitsFor } of items) {
    const own = getOrAdd(clusters, cluster, () => ({ cluster, waiting: 0, tolerating: 0, abandoned: 0 }));
    own[state]++;
    if (state !== 'waiting') continue;
    waiting++;
    // An abandoned eviction moves nothing.
    if (waitsFor !== 'pre-scheduling') lastTurn = expected;
  }
  return {
    waiting,
    clusters: [...clusters.values()].sort((a, b) => (a.cluster < b.cluster ? -1 : 1)),
    lastTurn,
    certainty,
    ...(missing !== undefined && { missing }),
  };
}

const IN_MEMORY =
  'the order of the queue, its abandoned evictions and its last turn: only the memory of karmada-controller-manager has these';

interface WaitingQuestion {
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  /** bindings of other namespaces were not read: the position of an eviction is unknown */
  partial?: boolean | undefined;
  /** the bindings whose evictions are returned; absent: all. The evictions of others count for positions */
  asked?: ((binding: ResourceBinding) => boolean) | undefined;
}

/**
 * The evictions waiting in the queue now; undefined in versions without one, or if the taint manager does not run. In a
 * saved simulation it is certain; otherwise it is estimated from the taints and the current tolerations. Evictions
 * queue in the order in which they became due. Those of one instant follow the order of the taint manager: cluster by
 * cluster, then by the age of their bindings. The condition EvictionQueued of a binding, written by `controller run`,
 * shows since when it waits, and which evictions were abandoned.
 */
export function waitingEvictions(
  world: Pick<ResumableWorld, 'clusters' | 'bindings' | 'simulation'>,
  { now, configuration, partial = false, asked = () => true }: WaitingQuestion,
): WaitingEvictions | undefined {
  if (!hasOneQueue(configuration.rules) || !startsTaintManager(configuration)) return undefined;
  const pace = queuePace(world.clusters, configuration.controllerManager);
  const saved = world.simulation?.queues.paced['eviction-queue'] as SavedRatedQueue | undefined;
  const memories = (world.simulation?.queues.memories['eviction-queue'] ?? {}) as Record<
    string,
    QueuedEviction
  >;
  const pairs = pairsOf(world, now, configuration).map((pair): Pair => {
    const abandoned = memories[pair.key]?.abandoned;
    return abandoned === undefined ? pair : { ...pair, state: 'abandoned', abandoned };
  });
  const turns = new Map(saved?.waiting.map((key, index) => [key, index]));
  const turn = (key: string) => turns.get(key) ?? -1;
  pairs.sort(
    (a, b) =>
      turn(a.key) - turn(b.key) ||
      a.since - b.since ||
      compareText(a.cluster, b.cluster) ||
      a.born - b.born ||
      compareText(a.key, b.key),
  );
  const waiting = pairs.filter(({ key, state }) => (saved ? turn(key) >= 0 : state === 'waiting'));
  const inLine = new Set(waiting);
  const others = pairs.filter((pair) => !inLine.has(pair) && (!saved || pair.state !== 'waiting'));
  const first = Math.max(now, saved?.lastTurn === undefined ? now : saved.lastTurn + 1000 / pace.rate);
  const itemsOf = (list: readonly Pair[], inOrder: boolean) =>
    list.flatMap((pair, at) =>
      asked(pair.binding)
        ? [itemOf(pair, pace, inOrder && !partial ? { position: at + 1, first } : undefined)]
        : [],
    );
  return {
    pace,
    items: [...itemsOf(waiting, true), ...itemsOf(others, false)],
    ...(saved ? { certainty: 'certain' } : { certainty: 'estimate', missing: missingOf(partial) }),
  };
}

function missingOf(partial: boolean): string {
  return partial ? `${IN_MEMORY}; and the bindings of other namespaces, which were not read` : IN_MEMORY;
}

/** A binding on a faulty cluster whose taints it does not tolerate forever. */
interface Pair {
  key: string;
  binding: ResourceBinding;
  cluster: string;
  state: WaitingEviction['state'];
  /** when it became due or started to tolerate the taints (epoch milliseconds); Infinity if no taint has a time */
  since: number;
  /** creation of the binding, epoch milliseconds */
  born: number;
  /** epoch milliseconds at which a toleration ends */
  until?: number;
  /** why it is or was abandoned when its turn came */
  abandoned?: string;
}

interface FaultyCluster {
  name: string;
  taints: readonly Taint[];
  /** when it became faulty (epoch milliseconds); Infinity if no taint has a time */
  began: number;
}

function faultyCluster({ metadata: { name } }: Cluster, taints: readonly Taint[]): FaultyCluster {
  const times = taints.flatMap(({ timeAdded }) => (timeAdded ? [instant(timeAdded)] : []));
  return { name, taints, began: times.reduce((first, time) => Math.min(first, time), Infinity) };
}

function pairsOf(
  { clusters, bindings }: Pick<ResumableWorld, 'clusters' | 'bindings'>,
  now: number,
  configuration: Configuration,
): Pair[] {
  const faulty = new Map<string, FaultyCluster>();
  for (const cluster of clusters) {
    const taints = taintsInForce(cluster, configuration);
    if (taints.length > 0) faulty.set(cluster.metadata.name, faultyCluster(cluster, taints));
  }
  if (faulty.size === 0) return [];
  const matching = matchingNames(clusters, configuration.rules);
  const pairs: Pair[] = [];
  for (const binding of bindings) {
    const on = new Set<FaultyCluster>();
    for (const { name } of binding.spec.clusters ?? []) {
      const one = faulty.get(name);
      if (one) on.add(one);
    }
    for (const one of on) {
      const pair = pairOf(binding, one, {
        terms: termsOf(binding, appliedPlacement(binding.metadata)),
        now,
        matching,
      });
      if (pair) pairs.push(pair);
    }
  }
  return pairs;
}

/** Undefined if the binding tolerates the taints forever. */
function pairOf(
  binding: ResourceBinding,
  { name, taints, began }: FaultyCluster,
  { terms, now, matching }: { terms: EvictionTerms; now: number; matching: MatchingNames },
): Pair | undefined {
  const decision = evictionDue(taints, binding, terms, now);
  if (decision.kind === 'skip') return undefined;
  const { creationTimestamp } = binding.metadata;
  const common = {
    key: taintedPairKey({ cluster: name, binding: bindingKey(binding) }),
    binding,
    cluster: name,
    born: creationTimestamp ? instant(creationTimestamp) : 0,
  };
  if (decision.kind === 'after')
    return { ...common, state: 'tolerating', since: began, until: now + decision.milliseconds };
  const queued = conditionOf(binding.status?.conditions, EVICTION_QUEUED_CONDITION);
  const queuedSince = queued?.lastTransitionTime ? instant(queued.lastTransitionTime) : undefined;
  if (queued?.status === 'False' && queued.reason === 'Abandoned')
    return {
      ...common,
      state: 'abandoned',
      since: queuedSince ?? began,
      abandoned: queued.message ?? 'abandoned',
    };
  const due = dueSince(taints, binding, terms);
  const since = due === Infinity ? due : Math.min(due, now);
  const abandoned = abandonedBecause(binding, name, matching);
  return {
    ...common,
    state: 'waiting',
    since: queued?.status === 'True' ? (queuedSince ?? since) : since,
    ...(abandoned !== undefined && { abandoned }),
  };
}

/** @param line its position among waiting evictions, and when the first of them is due (epoch milliseconds) */
function itemOf(
  { binding, cluster, state, since, until, abandoned }: Pair,
  pace: EvictionPace,
  line: { position: number; first: number } | undefined,
): WaitingEviction {
  const turn = line && pace.rate > 0 ? line.first + ((line.position - 1) * 1000) / pace.rate : undefined;
  const at = abandoned === undefined ? (until ?? turn) : undefined;
  return {
    binding: bindingIdentity(binding),
    workload: workloadIdentity(binding),
    cluster,
    state,
    position: line?.position ?? null,
    since: since === Infinity ? null : rfc3339(since),
    expected: at === undefined || at > LAST_INSTANT ? null : rfc3339(at),
    ...waitOf(state, pace, abandoned),
  };
}

function waitOf(
  state: WaitingEviction['state'],
  pace: EvictionPace,
  abandoned: string | undefined,
): Pick<WaitingEviction, 'waitsFor' | 'reason'> {
  if (state === 'tolerating')
    return { waitsFor: 'toleration', reason: 'tolerates the taints until then, and then waits in the queue' };
  if (abandoned !== undefined) {
    const reason = state === 'abandoned' ? abandoned : `its eviction is, or was, abandoned: ${abandoned}`;
    return { waitsFor: 'pre-scheduling', reason };
  }
  const waitsFor = ({ normal: 'rate', slow: 'secondary-rate', paused: 'threshold' } as const)[pace.mode];
  return { waitsFor, reason: `the queue ${paceInWords(pace)}: ${pace.reason}` };
}
