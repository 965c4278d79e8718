import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import { clustersToLeave } from './drainSituation.ts';
import { evictionCheck, type EvictionCheck } from './evictionCheck.ts';
import { holdDependents } from './dependentCopies.ts';
import { queueOrder } from './drainOrder.ts';
import {
  requeue,
  recordEvicted,
  report,
  templateFor,
  writeSpec,
  type Candidate,
  type DrainRound,
} from './drainRound.ts';

/** Evicts the first binding with a possible replacement, in drain order, if the pace allows it now. */
export function evictNext(round: DrainRound): void {
  const { waiting, options, pace, now } = round;
  if (waiting.length === 0) {
    round.nothingGoes = true;
    return;
  }
  // A binding without a possible replacement may have one once the clusters are healthy.
  if (pace.mode === 'paused') round.open = true;
  const { maxConcurrent } = options.pace;
  const full = maxConcurrent !== undefined && round.inFlight >= maxConcurrent;
  const next =
    pace.rate <= 0
      ? Infinity
      : round.lastEvictionAt === undefined
        ? now
        : round.lastEvictionAt + 1000 / pace.rate;
  const queue = queueOf(round);
  for (let candidate = queue(); candidate; candidate = queue()) {
    const check = checked(round, candidate);
    if (check.verdict !== 'evict') {
      round.course.skipped.add(bindingKey(candidate.binding));
      continue;
    }
    // A binding that is already being evicted counts as in flight itself.
    const mayGo = !full || candidate.again;
    const due = mayGo && now >= next;
    // A binding with a possible replacement keeps the drain open, even before its turn. If others use that capacity
    // first, they keep it open themselves, unless all of them are stuck.
    round.open ||= mayGo;
    round.next = bindingKey(candidate.binding);
    const holds = due && holdDependents(round, candidate.binding, check.clusters);
    if (holds) round.prepares = true;
    else if (due) {
      writeSpec(round, candidate.binding, check.spec);
      round.evicts = round.next;
      recordEvicted(round, candidate.binding, leftBy(candidate.binding, check.clusters), true);
    }
    if (pace.rate > 0 && mayGo) {
      round.nextEvictionAt = holds ? now : due ? now + 1000 / pace.rate : next;
      requeue(round, round.nextEvictionAt);
    }
    return;
  }
  round.nothingGoes = true;
}

/** The replicas of a binding on the clusters that it is leaving. */
function leftBy({ spec }: ResourceBinding, clusters: readonly string[]): TargetCluster[] {
  return (spec.clusters ?? []).filter(({ name }) => clusters.includes(name));
}

/** The candidates in order, sorted lazily: most rounds need only the first. */
function queueOf({ waiting, situation: { order }, course }: DrainRound): () => Candidate | undefined {
  const before = queueOrder(waiting, order, (key) => course.skipped.has(key));
  let [first] = waiting;
  for (const candidate of waiting) if (first && before(candidate, first) < 0) first = candidate;
  let rest: Candidate[] | undefined;
  let at = 0;
  return () => {
    if (first) {
      const found = first;
      first = undefined;
      return found;
    }
    rest ??= waiting.toSorted(before);
    return rest[++at];
  };
}

/** The check on the newest state; cached until the binding or a deciding cluster field changes. */
function checked(round: DrainRound, candidate: Candidate): EvictionCheck {
  const { situation, options, configuration, now } = round;
  const { binding } = candidate;
  // With WorkloadAffinity other bindings decide as well, so a check is not cached.
  const lasting = !configuration.featureGates.WorkloadAffinity;
  const known = lasting ? round.cached.checks.get(binding) : undefined;
  if (known?.snapshot === situation.snapshot) return (candidate.check = known.check);
  const leave = clustersToLeave(situation, binding, templateFor(round, binding));
  const check = evictionCheck({ binding, leave, situation, options, configuration, now });
  if (lasting) round.cached.checks.set(binding, { snapshot: situation.snapshot, check });
  return (candidate.check = check);
}

/** Reports a candidate: queued, or refused by the check. */
export function reportWaiting(round: DrainRound, { binding, check, again }: Candidate): void {
  if (check && check.verdict !== 'evict') {
    const phase = check.verdict === 'stays' ? 'stays' : 'skipped';
    return report(round, binding, again ? 'stuck' : phase, check.reason, check.evidence);
  }
  report(round, binding, 'queued', undefined, check?.evidence ?? []);
}
