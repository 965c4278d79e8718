import { hasOneQueue } from '../../karmada/configuration/taintEviction.ts';
import { type QueuedEviction } from '../../karmada/taints/evictionQueue.ts';
import { paceIn } from '../../karmada/taints/evictionPace.ts';
import { parseTaintedPairKey } from '../../karmada/taints/taintedPair.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { paceInWords } from '../../karmada/taints/evictionPace.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import type { QueuedOutcome } from './outcome.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Note } from '../../karmada/controllers/controller.ts';
import { appliedPlacement } from '../../karmada/objects/appliedPlacement.ts';
import { evictingTaints } from '../../karmada/taints/evictingTaints.ts';
import { stayText, termsOf } from '../../karmada/taints/evictionTerms.ts';
import { evictionDue } from '../../karmada/taints/taintedPair.ts';
import type { OutcomeFacts } from './judge.ts';

/** The outcome of evictions in the single queue of the design optimize-cluster-failover. */
interface QueuedEvictions {
  /**
   * The evictions of a binding still in the queue; undefined if there are none. Excludes clusters that the binding has
   * left in another way: their turn will find nothing.
   */
  of(binding: string): QueuedOutcome[] | undefined;
  /** all bindings that may have one, and those that waited for their turn at the start */
  bindings(): Iterable<string>;
}

const none: QueuedEvictions = { of: () => undefined, bindings: () => [] };

/**
 * Follows the eviction queue from the start of a simulation; a saved simulation includes earlier abandoned evictions.
 */
export function followQueuedEvictions(start: StartingWorld, time: VirtualTime): QueuedEvictions {
  if (!hasOneQueue(start.configuration.rules)) return none;
  const held = new Map<string, Map<string, QueuedOutcome>>();
  const note = (binding: string, outcome: QueuedOutcome) =>
    void getOrAdd(held, binding, () => new Map<string, QueuedOutcome>()).set(outcome.cluster, outcome);
  const memories = start.world.simulation?.queues.memories['eviction-queue'] ?? {};
  for (const [key, memory] of Object.entries(memories as Record<string, QueuedEviction>)) {
    const { binding, cluster } = parseTaintedPairKey(key);
    const { abandoned: reason } = memory;
    if (reason !== undefined) note(binding, { state: 'abandoned', cluster, reason });
  }

  time.follow(({ by, key, changes, step, dequeued = [] }) => {
    if (by === 'eviction-queue' && key !== undefined && changes.length > 0) {
      const { binding, cluster } = parseTaintedPairKey(key);
      held.get(binding)?.delete(cluster);
    }
    for (const one of step?.notes ?? [])
      if (one.type === 'EvictionAbandoned')
        note(one.binding, { state: 'abandoned', cluster: one.cluster, reason: one.reason });
    for (const { key: pair, reason } of dequeued) {
      const { binding, cluster } = parseTaintedPairKey(pair);
      note(binding, { state: 'dropped', cluster, reason });
    }
  });

  const waitingAtStart = waiting().map((key) => parseTaintedPairKey(key).binding);

  /** The pairs of binding and cluster that wait for their turn. */
  function waiting(): string[] {
    const now = time.now();
    return [...time.pending()].flatMap(({ controller, key, time: due }) =>
      controller !== 'eviction-queue' || !key || due > now ? [] : [key],
    );
  }

  /** The pairs that wait for their turn, by binding; cached for one instant. */
  let counted: { at: number; found: Map<string, QueuedOutcome[]> } | undefined;

  function waitingNow(): Map<string, QueuedOutcome[]> {
    const now = time.now();
    if (counted?.at === now) return counted.found;
    const found = new Map<string, QueuedOutcome[]>();
    const pace = paceIn(time.view, start.configuration);
    const reason = `it ${paceInWords(pace)}, as ${pace.reason}`;
    let position = 0;
    for (const key of waiting()) {
      const { binding, cluster } = parseTaintedPairKey(key);
      const one: QueuedOutcome = { state: 'queued', cluster, position: ++position, reason };
      getOrAdd(found, binding, () => []).push(one);
    }
    counted = { at: now, found };
    return found;
  }

  return {
    bindings: () => [...waitingAtStart, ...held.keys(), ...waitingNow().keys()],
    of(binding) {
      const queued = waitingNow().get(binding) ?? [];
      const others = [...(held.get(binding)?.values() ?? [])].filter(
        ({ cluster }) => !queued.some((one) => one.cluster === cluster),
      );
      const order: readonly QueuedOutcome['state'][] = ['queued', 'abandoned', 'dropped'];
      const clusters = time.view.get('Binding', binding)?.spec.clusters ?? [];
      const isThere = ({ cluster }: QueuedOutcome) => clusters.some(({ name }) => name === cluster);
      const all = [...queued, ...others]
        .filter(isThere)
        .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
      return all.length > 0 ? all : undefined;
    },
  };
}

/** Why taints do not evict a binding, in a sentence: it tolerates them, or they do not move it. */
type KeptThere = Pick<OutcomeFacts, 'tolerated' | 'notMoved'>;

/** Why bindings stay on tainted clusters: as the taint manager reports, or as it decided before the start. */
interface StayingBindings {
  /** call it at the end, with a binding from the start */
  of(key: string, initial: ResourceBinding): KeptThere;
  /** those that the taint manager has reported since the start */
  changed(): Iterable<string>;
}

/** Follows why bindings stay on tainted clusters. */
export function followStaying(start: StartingWorld, time: VirtualTime): StayingBindings {
  const kept = new Map<string, KeptThere>();
  const startedAt = time.now();
  const { rules } = start.configuration;

  function noted(note: Note): void {
    if (note.type === 'NotMoved') kept.set(note.binding, { notMoved: notMovedText(note) });
    if (note.type !== 'Tolerated') return;
    const tolerated = toleratedText(note.taints, note.cluster, note.until === undefined);
    kept.set(note.binding, { tolerated });
  }

  /** By the taints at the start: in a saved simulation the taint manager has already decided. */
  function atStart(binding: ResourceBinding): KeptThere {
    const terms = termsOf(binding, appliedPlacement(binding.metadata));
    for (const { name } of binding.spec.clusters ?? []) {
      const taints = evictingTaints(start.clusters.get(name)?.spec?.taints, rules);
      if (taints.length === 0) continue;
      const due = evictionDue(taints, binding, terms, startedAt);
      if (due.kind === 'immediate') continue;
      const reason = due.kind === 'skip' ? stayText(taints, terms) : undefined;
      if (reason !== undefined) return { notMoved: notMovedText({ cluster: name, reason }) };
      const keys = taints.map(({ key }) => key);
      return { tolerated: toleratedText(keys, name, due.kind === 'skip') };
    }
    return {};
  }

  time.follow(({ step }) => step?.notes?.forEach(noted));
  return { of: (key, initial) => kept.get(key) ?? atStart(initial), changed: () => kept.keys() };
}

function toleratedText(taints: readonly string[], cluster: string, forever: boolean): string {
  return `tolerates ${taints.join(', ')} on ${cluster} ${forever ? 'forever' : 'for a time'}`;
}

function notMovedText({ cluster, reason }: { cluster: string; reason: string }): string {
  return `stays on ${cluster}: ${reason}`;
}
