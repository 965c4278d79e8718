import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Copy } from '../../karmada/controllers/kinds.ts';
import { parseTaintedPairKey, taintedPairKey } from '../../karmada/taints/taintedPair.ts';
import { keptByTasks } from '../../karmada/eviction/works.ts';
import type { Certainty, Evidence } from '../../karmada/evidence.ts';
import { appliedPlacement } from '../../karmada/objects/appliedPlacement.ts';
import { bindingIdentity, bindingKey, objectKey, workloadOf } from '../../karmada/objects/identities.ts';
import { evictingFrom, leavingClusters, targetClusters } from '../../karmada/objects/placement.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { termsOf } from '../../karmada/taints/evictionTerms.ts';
import { taintsInForce } from '../../karmada/taints/taintedPair.ts';
import { evictionDue } from '../../karmada/taints/taintedPair.ts';
import { copyPhase, createSpanRecorder, type OngoingSpan } from '../timeline/spanRecorder.ts';
import type { Span } from '../timeline/span.ts';
import type { WorkloadOutcome } from '../verdicts/outcome.ts';
import type { OnMissingReplicas } from '../verdicts/readinessCourse.ts';
import type { ReadyReplicas } from '../verdicts/readyReplicas.ts';
import type { AppliedStep, VirtualTime } from '../virtualTime/virtualTime.ts';

export interface FollowedSpans {
  /** called when ready replicas are missing */
  missing: OnMissingReplicas;
  /** All spans, at the end; no span is more certain than the outcome of its workload. */
  all(outcomes: readonly WorkloadOutcome[]): Span[];
}

/** Whether a binding tolerates the taints of a cluster that would evict it, and until when. */
interface PairState {
  taints: 'tolerates' | 'waits';
  /** epoch milliseconds when the toleration ends; absent: never */
  until?: number;
  evidence: readonly Evidence[];
}

/**
 * Follows a simulation from its start, without deciding anything: the writes and notes of controllers show placed,
 * kept, tolerated and ready copies.
 */
export function followSpans(start: StartingWorld, time: VirtualTime, ready: ReadyReplicas): FollowedSpans {
  const { view } = time;
  const { configuration } = start;
  const recorder = createSpanRecorder();
  const workloads = new Map<string, ObjectIdentity>();
  /** clusters on which a binding has or had a copy, by binding key */
  const places = new Map<string, Set<string>>();
  const pairStates = new Map<string, PairState>();
  const changed = new Set<string>();
  let lacking: { key: string; now: number; missing: number }[] = [];

  for (const [key, binding] of start.bindings) {
    known(key, binding);
    for (const { name } of targetClusters(binding.spec)) standAtStart(key, binding, name);
    update(key, time.now(), []);
  }
  ready.onChange((key) => void changed.add(key));
  time.follow(happened);

  function known(key: string, binding: ResourceBinding): Set<string> {
    if (!workloads.has(key)) workloads.set(key, workloadOf(binding));
    const own = places.get(key) ?? new Set<string>();
    places.set(key, own);
    for (const { name } of targetClusters(binding.spec)) own.add(name);
    for (const name of evictingFrom(binding.spec)) own.add(name);
    for (const name of view.worksOf(binding).keys()) own.add(name);
    return own;
  }

  /** Its state at the start, as the taint manager decided it earlier. */
  function standAtStart(key: string, binding: ResourceBinding, cluster: string): void {
    const taints = taintsInForce(view.get('Cluster', cluster), configuration);
    if (taints.length === 0) return;
    const evidence: Evidence[] = [];
    const now = time.now();
    const due = evictionDue(
      taints,
      binding,
      termsOf(binding, appliedPlacement(binding.metadata)),
      now,
      evidence,
    );
    pairStates.set(taintedPairKey({ cluster, binding: key }), {
      taints: due.kind === 'immediate' ? 'waits' : 'tolerates',
      ...(due.kind === 'after' && { until: now + due.milliseconds }),
      evidence,
    });
  }

  function happened(happening: AppliedStep): void {
    for (const change of happening.changes) {
      if (change.kind === 'Binding') changed.add(change.key);
      else if (change.kind === 'Cluster') taintsChanged(change.key);
      else if (change.kind === 'Member' && change.before?.up !== change.after?.up)
        // No span depends on other fields of a Member, such as allocated resources.
        for (const one of view.bindingsOn(change.key)) changed.add(bindingKey(one));
    }
    noted(happening);
    if (changed.size === 0 && lacking.length === 0) return;
    // slice() drops spare capacity.
    const evidence = happening.evidence.slice();
    for (const key of changed) update(key, happening.time, evidence);
    changed.clear();
    reportLacking(evidence);
  }

  /** On a cluster without evicting taints, bindings neither tolerate nor wait. */
  function taintsChanged(cluster: string): void {
    if (taintsInForce(view.get('Cluster', cluster), configuration).length > 0) return;
    for (const one of view.bindingsOn(cluster)) setPairState(bindingKey(one), cluster, undefined);
  }

  function setPairState(binding: string, cluster: string, standing: PairState | undefined): void {
    const pair = taintedPairKey({ cluster, binding });
    if (!standing && !pairStates.has(pair)) return;
    if (standing) pairStates.set(pair, standing);
    else pairStates.delete(pair);
    changed.add(binding);
  }

  function noted({ time: now, by, step, dequeued = [], evidence }: AppliedStep): void {
    for (const note of step?.notes ?? []) {
      if (note.type === 'Tolerated')
        setPairState(note.binding, note.cluster, {
          taints: 'tolerates',
          ...(note.until !== undefined && { until: note.until }),
          evidence: note.evidence ?? [],
        });
      else if (note.type === 'EvictionAbandoned' || note.type === 'NotMoved')
        setPairState(note.binding, note.cluster, undefined);
    }
    if (by === 'taint-manager')
      for (const { key, after } of step?.enqueues ?? []) {
        const { binding, cluster } = parseTaintedPairKey(key);
        // Some versions also queue bindings that tolerate the taints.
        if (after || isTolerating(binding, cluster, now)) continue;
        setPairState(binding, cluster, { taints: 'waits', evidence: evidence.slice() });
      }
    for (const { key } of dequeued) {
      const { binding, cluster } = parseTaintedPairKey(key);
      setPairState(binding, cluster, undefined);
    }
  }

  function isTolerating(binding: string, cluster: string, now: number): boolean {
    const standing = pairStates.get(taintedPairKey({ cluster, binding }));
    return standing?.taints === 'tolerates' && (standing.until ?? Infinity) > now;
  }

  /** Updates the spans of all copies of a binding. */
  function update(key: string, now: number, evidence: readonly Evidence[]): void {
    const binding = view.get('Binding', key);
    const own = binding ? known(key, binding) : (places.get(key) ?? new Set<string>());
    const workload = workloads.get(key);
    if (!workload) return;
    for (const cluster of own) {
      endToleration(key, cluster, now);
      recorder.set(workload, { cluster }, now, ongoingSpan(key, binding, cluster, evidence));
    }
    recorder.set(workload, { of: 'scheduling' }, now, binding && scheduling(binding));
  }

  /** A toleration ends by time, without a write: then the workload waits for its turn. */
  function endToleration(key: string, cluster: string, now: number): void {
    const pair = taintedPairKey({ cluster, binding: key });
    const { until, evidence = [] } = pairStates.get(pair) ?? {};
    if (until === undefined || until > now) return;
    pairStates.set(pair, { taints: 'waits', evidence });
    const workload = workloads.get(key)!;
    const open = recorder.open(workload, { cluster });
    if (open?.phase === 'tolerating' && until > open.from)
      recorder.set(workload, { cluster }, until, { ...open, phase: 'queued', evidence });
  }

  function ongoingSpan(
    key: string,
    binding: ResourceBinding | undefined,
    cluster: string,
    evidence: readonly Evidence[],
  ): OngoingSpan | undefined {
    const pair = taintedPairKey({ cluster, binding: key });
    const target = binding && targetClusters(binding.spec).find(({ name }) => name === cluster);
    if (!target) pairStates.delete(pair);
    const standing = pairStates.get(pair);
    const left = binding && leavingClusters(binding.spec).find(({ name }) => name === cluster);
    const copies = ready.there(key, cluster);
    const reachable = view.get('Member', cluster)?.up ?? false;
    const replicas = (target ?? left)?.replicas ?? largestOf(copies);
    const isReady = ready.of(key, cluster);
    const phase = copyPhase({
      placed: target !== undefined,
      kept: binding !== undefined && keptByTasks(binding.spec, configuration.rules).includes(cluster),
      present: copies.length > 0 || (binding !== undefined && !target && view.worksOf(binding).has(cluster)),
      unmanaged: copies.length > 0 && copies.every(({ managed }) => !managed),
      reachable,
      replicas: binding?.spec.replicas ? replicas : 0,
      ready: isReady,
      unhealthy: copies.some(({ health, stuck }) => health === 'Unhealthy' || stuck === true),
      taints: standing?.taints,
    });
    if (!phase) return undefined;
    const because = phase === 'tolerating' || phase === 'queued' ? standing!.evidence : evidence;
    return {
      phase,
      replicas,
      ready: isReady,
      // The time until replicas are ready is an assumption.
      ...(phase === 'starting' && { certainty: 'estimate' as const }),
      evidence: because.length > 0 ? because : evidence,
    };
  }

  function reportLacking(evidence: readonly Evidence[]): void {
    for (const { key, now, missing } of lacking) {
      const workload = workloads.get(key);
      if (workload)
        recorder.set(
          workload,
          { of: 'gap' },
          now,
          missing > 0 ? { phase: 'gap', replicas: missing, evidence } : undefined,
        );
    }
    lacking = [];
  }

  return {
    missing: (key, now, missing) => void lacking.push({ key, now, missing }),
    all(outcomes) {
      reportLacking([]);
      const end = time.now();
      for (const pair of [...pairStates.keys()]) {
        const { binding, cluster } = parseTaintedPairKey(pair);
        if (workloads.has(binding)) endToleration(binding, cluster, end);
      }
      const certainty = new Map(outcomes.map((one) => [objectKey(one), one.certainty]));
      return recorder
        .spans()
        .map((span) => ({ ...span, certainty: leastOf(span, certainty.get(objectKey(span.workload))) }));
    },
  };
}

/** Whether the scheduler reported that it finds no cluster. */
function scheduling(binding: ResourceBinding): OngoingSpan | undefined {
  const conditions = binding.status?.conditions ?? [];
  const at = conditions.findIndex(({ type }) => type === 'Scheduled');
  const condition = conditions[at];
  if (!condition || condition.status === 'True') return undefined;
  const { reason, message } = condition;
  const evidence: Evidence = {
    rule: message || reason || 'unschedulable',
    object: bindingIdentity(binding),
    field: `status.conditions[${at}]`,
    ...(reason && { value: reason }),
  };
  return { phase: 'scheduling', evidence: [evidence] };
}

function largestOf(copies: readonly Copy[]): number {
  return copies.reduce((most, { replicas }) => Math.max(most, replicas), 0);
}

const LEVELS: readonly Certainty[] = ['certain', 'estimate', 'unknown'];

/** The certainty of a span: at most that of the outcome and of its evidence. */
function leastOf({ certainty, evidence }: Span, ofOutcome: Certainty = 'certain'): Certainty {
  const all = [certainty, ofOutcome, ...evidence.map((one) => one.certainty ?? 'certain')];
  return LEVELS[all.reduce((most, one) => Math.max(most, LEVELS.indexOf(one)), 0)]!;
}
