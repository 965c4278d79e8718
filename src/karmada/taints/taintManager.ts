import type { Cluster } from '../api/cluster.ts';
import type { Taint } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Rules } from '../dialects/rules.ts';
import type { Evidence } from '../evidence.ts';
import { stayText, termsOf, type EvictionTerms } from './evictionTerms.ts';
import { hasOneQueue } from '../configuration/taintEviction.ts';
import {
  dueSince,
  enqueueDecision,
  evictionDue,
  TAINTED_CLUSTER_RESYNC,
  taintsInForce,
  type EnqueueDecision,
  taintedPairKey,
} from './taintedPair.ts';
import { appliedPlacement, type AppliedPlacement } from '../objects/appliedPlacement.ts';
import { bindingKey } from '../objects/identities.ts';
import { instant, SECOND } from '../../kubernetes/time.ts';
import type { View } from '../controllers/view.ts';
import type {
  Controller,
  Dequeue,
  ReconcileRequest,
  Note,
  Step,
  Wake,
  WakeContext,
} from '../controllers/controller.ts';
import type { ControllerName } from '../controllers/karmada.ts';
import type { QueuedEviction } from './evictionQueue.ts';
import { paceIn } from './evictionPace.ts';
import { largest } from '../../kubernetes/longLists.ts';

/** The reports and queued keys of the last reconcile of a cluster, to avoid repeating them. */
interface TaintManagerMemory {
  /** by binding key: until when it tolerates the taints (epoch milliseconds), null: forever */
  tolerated: Record<string, number | null>;
  /** number of its bindings that were due immediately */
  due: number;
  /** the bindings remembered until the cluster has recovered, if the version does that */
  incident?: Incident;
  /** in a captured world: the last reconcile of the cluster before the capture (epoch milliseconds) */
  lookedBefore?: number;
}

/**
 * The taint manager's reconcile of a cluster: while the cluster has evicting taints, its bindings are put into the
 * eviction queues every 10 s and at every event of the cluster. Bindings and policies do not wake it. A pair of cluster
 * and binding is checked at its turn in the queue (`bindingEviction`, `evictionQueue`).
 */
export const taintManager: Controller<TaintManagerMemory> = {
  wakes: {
    Cluster: ({ key, before, after }, _view, { configuration }) =>
      isTainted(before, configuration) || isTainted(after, configuration) ? [{ key }] : [],
  },
  *resumes(view, context) {
    for (const cluster of view.all('Cluster'))
      if (isTainted(cluster, context.configuration)) yield resumed(cluster, context);
  },
  reconcile,
};

function reconcile({
  key: cluster,
  view,
  memory,
  configuration,
  now,
  evidence,
}: ReconcileRequest<TaintManagerMemory>): Step<TaintManagerMemory> {
  const taints = taintsInForce(view.get('Cluster', cluster), configuration);
  if (taints.length === 0) return recovered(cluster, view, memory);
  const { rules } = configuration;
  const incident = rules.taints.evictionTerms === 'atFailure' ? trackIncident(memory?.incident) : undefined;
  // Bindings due before the first reconcile, as after a restart, keep their order.
  const isFirst = incident !== undefined && memory?.incident === undefined;
  const tolerated: TaintManagerMemory['tolerated'] = {};
  const enqueues: NonNullable<Step<never>['enqueues']>[number][] = [];
  const notes: Note[] = [];
  const entering: string[] = [];
  const { lookedBefore } = memory ?? {};
  let due = 0;
  let waiting = 0;
  for (const binding of view.bindingsOn(cluster)) {
    const placement = appliedPlacement(binding.metadata);
    const kept = incident?.kept(binding, placement);
    const terms = kept?.terms ?? termsOf(binding, placement);
    const decision = evictionDue(taints, binding, terms, now);
    const queued = enqueueDecision(taints, decision, rules);
    const own = bindingKey(binding);
    // the next reconcile finds it
    if (lookedBefore !== undefined && queued.kind !== 'skip' && cameSince(binding, lookedBefore)) {
      if (decision.kind === 'immediate') due++;
      continue;
    }
    if (queued.kind === 'skip') incident?.withholds(binding);
    else if (incident?.gives(binding, queued, now) ?? true) {
      if (queued.kind === 'immediate' && kept?.given === undefined) entering.push(own);
      enqueues.push({
        queue: queueOf(binding, configuration),
        key: taintedPairKey({ cluster, binding: own }),
        ...delayOf(queued),
        ...(isFirst && queued.kind === 'immediate' && { since: dueSince(taints, binding, terms) }),
        ...(kept?.terms.tolerations && { memory: { terms: kept.terms } satisfies QueuedEviction }),
      });
    }
    if (decision.kind === 'immediate') {
      due++;
      continue;
    }
    const until = decision.kind === 'after' ? now + decision.milliseconds : null;
    if (until !== null) waiting++;
    tolerated[own] = until;
    if (memory?.tolerated[own] === until) continue;
    const why: Evidence[] | undefined = evidence && [];
    // The evidence is only computed if it is read.
    if (why) evictionDue(taints, binding, terms, now, why);
    const stays = until === null ? stayText(taints, terms) : undefined;
    notes.push(
      stays === undefined
        ? toleratedNote(own, cluster, taints, until, why)
        : { type: 'NotMoved', binding: own, cluster, reason: stays, ...(why && { evidence: why }) },
    );
  }
  if (incident && entering.length > 0)
    notes.push({ type: 'EvictionsQueued', cluster, bindings: entering, pace: paceIn(view, configuration) });
  // Bindings are listed from a hash table: the first turn is random.
  if (!incident && due > 1 && due > (memory?.due ?? 0))
    notes.push({ type: 'FreeChoice', cluster, choice: 'turn in a paced queue' });
  const replaced = incident?.replaced ?? [];
  return {
    ...(replaced.length > 0 && {
      dequeues: replaced.map((binding) => dequeued(cluster, binding, 'another object has its name now')),
    }),
    enqueues,
    notes,
    memory: { tolerated, due, ...(incident && { incident: incident.end(view) }) },
    requeue: {
      after: untilResync(lookedBefore, now),
      ...(lookedBefore === undefined &&
        findsNothingNew(due + waiting, rules) && {
          unless: [{ kind: 'Binding', on: cluster }],
        }),
    },
  };
}

/** No taint evicts now: queued keys stay, except those of an incident, which is over. */
function recovered(
  cluster: string,
  view: View,
  memory: TaintManagerMemory | undefined,
): Step<TaintManagerMemory> {
  const kept = Object.keys(memory?.incident ?? {});
  if (kept.length === 0) return {};
  const reason = view.get('Cluster', cluster) ? `${cluster} has recovered` : `${cluster} is gone`;
  return { dequeues: kept.map((binding) => dequeued(cluster, binding, reason)) };
}

function dequeued(cluster: string, binding: string, reason: string): Dequeue {
  return {
    queue: 'eviction-queue' satisfies ControllerName,
    key: taintedPairKey({ cluster, binding }),
    reason,
  };
}

/**
 * A tainted cluster of a captured world: due bindings are in the queue, and the next reconcile is at its regular time.
 * The last reconcile was at the last visible change, or one of the regular reconciles after it.
 */
function resumed({ metadata: { name }, spec, status }: Cluster, { now, unseen }: WakeContext): Wake {
  if (!unseen) return { key: name };
  const times = [
    ...(spec?.taints ?? []).map(({ timeAdded }) => timeAdded),
    ...(status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime),
  ].flatMap((time) => (time ? [instant(time)] : []));
  const place = unseen(`taints of ${name}`);
  const past =
    place === undefined && times.length > 0
      ? Math.max(0, now - largest(times)) % TAINTED_CLUSTER_RESYNC
      : (place ?? 0.5) * TAINTED_CLUSTER_RESYNC;
  return {
    key: name,
    memory: { tolerated: {}, due: 0, lookedBefore: now - past } satisfies TaintManagerMemory,
  };
}

/** Whether a binding was placed at or after that reconcile: then only the next one finds it. */
function cameSince({ status }: ResourceBinding, time: number): boolean {
  const { lastScheduledTime } = status ?? {};
  return Boolean(lastScheduledTime) && instant(lastScheduledTime!) > time - SECOND;
}

function untilResync(lookedBefore: number | undefined, now: number): number {
  if (lookedBefore === undefined) return TAINTED_CLUSTER_RESYNC;
  return TAINTED_CLUSTER_RESYNC - ((now - lookedBefore) % TAINTED_CLUSTER_RESYNC);
}

/**
 * Whether the next reconcile can find nothing but other bindings: events of the cluster wake it anyway, and queued
 * pairs stay queued. In versions that queue every binding, tolerant ones delay the others with each reconcile.
 *
 * @param evicted bindings that are due now or when their toleration ends
 */
function findsNothingNew(evicted: number, { taints }: Rules): boolean {
  return evicted === 0 || taints.evictionQueue === 'intolerantBindings' || taints.evictionPace === 'unpaced';
}

function isTainted(cluster: Cluster | undefined, configuration: Configuration): boolean {
  return taintsInForce(cluster, configuration).length > 0;
}

function queueOf(binding: ResourceBinding, { rules }: Configuration): ControllerName {
  if (hasOneQueue(rules)) return 'eviction-queue';
  return binding.metadata.namespace ? 'binding-eviction' : 'cluster-binding-eviction';
}

function delayOf(decision: EnqueueDecision): { after?: number } {
  return decision.kind === 'after' ? { after: decision.milliseconds } : {};
}

function toleratedNote(
  binding: string,
  cluster: string,
  taints: readonly Taint[],
  until: number | null,
  evidence: Evidence[] | undefined,
): Note {
  return {
    type: 'Tolerated',
    binding,
    cluster,
    taints: taints.map(({ key }) => key),
    ...(until !== null && { until }),
    ...(evidence && { evidence }),
  };
}

/**
 * The taint manager's memory of a faulty cluster's bindings, by key, from its first evicting taint until the last is
 * gone. Changes of tolerations and policies in between do not affect evictions. Design optimize-cluster-failover, "The
 * scenario of a faulty cluster's recovery".
 */
type Incident = Readonly<Record<string, KeptBinding>>;

/** A binding as it was when the taint manager first reconciled it in an incident. */
interface KeptBinding {
  uid?: string;
  terms: EvictionTerms;
  /** the last queued version, with its due time: the same is not queued twice */
  given?: string;
}

/** Remembers bindings between reconciles, and forgets those that are gone. */
interface IncidentTracker {
  /** the remembered terms of a binding; recorded now if this is the first reconcile of it */
  kept(binding: ResourceBinding, applied: AppliedPlacement): KeptBinding;
  /** Whether a decision must still be queued; records it as queued. */
  gives(binding: ResourceBinding, decision: EnqueueDecision, now: number): boolean;
  /** Records that a binding no longer belongs in the queue. */
  withholds(binding: ResourceBinding): void;
  /** the keys of bindings that were deleted and created again */
  readonly replaced: readonly string[];
  /** the incident after the reconcile */
  end(view: View): Incident;
}

/** @param before the incident after the last reconcile; undefined at the first */
function trackIncident(before: Incident | undefined): IncidentTracker {
  const kept: Record<string, KeptBinding> = {};
  const replaced: string[] = [];

  return {
    kept(binding, applied) {
      const key = bindingKey(binding);
      const { uid } = binding.metadata;
      const known = before?.[key];
      if (known && known.uid === uid) return (kept[key] = known);
      if (known) replaced.push(key);
      const terms = termsOf(binding, applied);
      const entry: KeptBinding = { ...(uid && { uid }), terms };
      // Unreadable tolerations are recorded once they can be read.
      if (terms.tolerations) kept[key] = entry;
      return entry;
    },
    gives(binding, decision, now) {
      const key = bindingKey(binding);
      const at = decision.kind === 'after' ? now + decision.milliseconds : 'now';
      const given = `${binding.metadata.generation ?? `unknown at ${now}`} ${at}`;
      if (kept[key]?.given === given) return false;
      if (kept[key]) kept[key] = { ...kept[key], given };
      return true;
    },
    withholds(binding) {
      const key = bindingKey(binding);
      const { given, ...rest } = kept[key] ?? {};
      if (given !== undefined) kept[key] = rest as KeptBinding;
    },
    replaced,
    end(view) {
      // Bindings that have left the cluster may return to it.
      for (const key in before) {
        const binding = kept[key] ? undefined : view.get('Binding', key);
        if (binding && binding.metadata.uid === before[key]!.uid) kept[key] = before[key]!;
      }
      return kept;
    },
  };
}
