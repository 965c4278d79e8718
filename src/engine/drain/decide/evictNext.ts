import { bindingKey } from '../../objects/identities.ts';
import { clustersToLeave } from './drainSituation.ts';
import { evictionCheck, type EvictionCheck } from './evictionCheck.ts';
import { dependentsToHold } from './dependentCopies.ts';
import { queueOrder } from './queueOrder.ts';
import { lookAgain, report, type Candidate, type DrainRound } from './drainRound.ts';

/** Evicts the first binding in order that has a place to go to, if the pace allows an eviction now. */
export function evictNext(round: DrainRound): void {
  const { waiting, options, pace, now } = round;
  if (waiting.length === 0) {
    round.nothingGoes = true;
    return;
  }
  // What has no place now may have one when the clusters are healthy.
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
      round.pacer.skipped.add(bindingKey(candidate.binding));
      continue;
    }
    // What is on its way already counts itself among those in flight.
    const mayGo = !full || candidate.again;
    const due = mayGo && now >= next;
    // Found before its turn: what has a place to go to keeps the drain going, unless nothing in flight moves.
    round.open ||= mayGo || round.stuck < round.inFlight;
    round.next = bindingKey(candidate.binding);
    const holds = due ? dependentsToHold(round, candidate.binding, check.clusters) : [];
    if (holds.length > 0) round.writes.push(...holds);
    else if (due)
      round.writes.push({
        type: 'evict',
        binding: candidate.binding,
        after: check.spec,
        clusters: check.clusters,
      });
    if (pace.rate > 0 && mayGo)
      lookAgain(round, holds.length > 0 ? now : due ? now + 1000 / pace.rate : next);
    return;
  }
  round.nothingGoes = true;
}

/** The candidates in order, one at each call; most looks need the first alone. */
function queueOf({ waiting, situation: { order }, pacer }: DrainRound): () => Candidate | undefined {
  const before = queueOrder(waiting, order, (key) => pacer.skipped.has(key));
  let first: Candidate | undefined = waiting[0];
  for (const candidate of waiting) if (before(candidate, first!) < 0) first = candidate;
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

/** The check on the newest state; made once as long as neither the binding changes nor what matters of a cluster. */
function checked(round: DrainRound, candidate: Candidate): EvictionCheck {
  if (candidate.check) return candidate.check;
  const { situation, options, configuration, now, view } = round;
  const { binding } = candidate;
  // Other bindings decide too where they are kept together or apart.
  const lasting = !configuration.featureGates.WorkloadAffinity;
  const known = lasting ? round.pacer.checks.get(binding) : undefined;
  if (known?.snapshot === situation.snapshot) return (candidate.check = known.check);
  const leave = clustersToLeave(situation, binding, view);
  const check = evictionCheck({ binding, leave, situation, options, configuration, now });
  if (lasting) round.pacer.checks.set(binding, { snapshot: situation.snapshot, check });
  return (candidate.check = check);
}

/** How what may be evicted stands: in the queue, or refused by the check. */
export function reportWaiting(round: DrainRound, { binding, check, again }: Candidate): void {
  if (check && check.verdict !== 'evict') {
    const phase = check.verdict === 'stays' ? 'stays' : 'skipped';
    return report(round, binding, again ? 'stuck' : phase, check.reason, check.evidence);
  }
  report(round, binding, 'queued', undefined, check?.evidence ?? []);
}
