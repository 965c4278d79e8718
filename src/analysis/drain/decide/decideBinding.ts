import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { startsController } from '../../../karmada/dialects/controllerList.ts';
import { rfc3339 } from '../../../kubernetes/time.ts';
import { graceEnd, timesOut } from '../../../karmada/eviction/evictionRule.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { appliedPlacement } from '../../../karmada/objects/appliedPlacement.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { termsOf } from '../../../karmada/taints/evictionTerms.ts';
import { evictionDue } from '../../../karmada/taints/taintedPair.ts';
import { abandonedBecause, matchingNames } from '../../../karmada/taints/preScheduling.ts';
import { evictingTaints } from '../../../karmada/taints/evictingTaints.ts';
import { isDrainTask } from '../../../karmada/eviction/drainTask.ts';
import { bindingState, evictedAt, leftBehind, type BindingState } from './bindingState.ts';
import { workloadsNeeding, dependentTasks } from './dependentCopies.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import { evictedTogether, releaseTasks } from '../drainTasks.ts';
import { latestOf } from './drainMemory.ts';
import { responseOf, waitsSince } from './silentScheduler.ts';
import {
  knownLeavingBinding,
  requeue,
  recordEvicted,
  report,
  templateFor,
  writeSpec,
  type DrainRound,
} from './drainRound.ts';
import { replacementReady } from '../../../karmada/status/replacementReady.ts';

/** Decides what to do with one binding now, and reports its state. `evictNext` chooses what to evict. */
export function decideBinding(round: DrainRound, binding: ResourceBinding): void {
  const key = bindingKey(binding);
  // An eviction that has begun is completed.
  const planned = knownLeavingBinding(round, key) ? undefined : round.plan?.(binding);
  if (planned === 'unplanned') return;
  if (typeof planned === 'object') return void round.leftOut.push({ binding, because: planned.changed });
  const dependent = dependentTasks(round, binding);
  if (dependent.length > 0) return void round.dependents.push({ binding, tasks: dependent });
  const state = bindingState(binding, round.situation, round.view, round.configuration.rules);
  if (!state) return;
  const isFound = !knownLeavingBinding(round, key);
  const since = () => {
    if (state.type !== 'evicted') return undefined;
    return isFound ? waitsSince(binding, evictedAt(state.tasks, round.now), round.now) : round.now;
  };
  if (state.type === 'again' || state.type === 'evicted') {
    recordEvicted(round, binding, leftBehind(state.tasks), true);
    round.lastEvictionAt = latestOf(round.lastEvictionAt, evictedAt(state.tasks, round.now));
  } else if (isFound && !round.situation.selection.selects(binding, templateFor(round, binding))) return;
  round.present.add(key);
  const known = knownLeavingBinding(round, key);
  if (known) round.leavers.set(key, responseOf(known, binding, since(), round));
  switch (state.type) {
    case 'there':
      return decidePresent(round, binding, state.on, false);
    case 'again':
      round.inFlight++;
      return decidePresent(round, binding, state.on, true);
    case 'evicted':
      return decideEvicted(round, binding, state);
    case 'foreign':
      return decideForeign(round, binding, state);
    case 'leaving':
    case 'deleted':
      return decideLeaving(round, binding, state);
  }
}

function decidePresent(
  round: DrainRound,
  binding: ResourceBinding,
  on: TargetCluster[],
  again: boolean,
): void {
  const key = bindingKey(binding);
  const evictions = () => round.course.evictions.filter((one) => one === key).length;
  const names = on.map(({ name }) => name).join(', ');
  if (knownLeavingBinding(round, key)?.certain && (!again || evictions() > 1)) {
    return report(
      round,
      binding,
      again ? 'stuck' : 'skipped',
      `it was placed on ${names} again after the drain had evicted it: its policy selects this cluster, or it tolerates the cordon`,
    );
  }
  if (round.options.method === 'taint') return decideTainted(round, binding, on);
  round.waiting.push({ binding, on, again });
}

/** With method taint Karmada itself evicts, cluster by cluster; a binding that tolerates all taints stays. */
function decideTainted(round: DrainRound, binding: ResourceBinding, on: TargetCluster[]): void {
  const { now, situation } = round;
  const evidence: Evidence[] = [];
  const terms = termsOf(binding, appliedPlacement(binding.metadata));
  const looks = on.map(({ name }) => {
    const taints = evictingTaints(situation.clusters.get(name)?.spec?.taints, round.configuration.rules);
    // A cluster without a taint will get one.
    if (taints.length === 0) return { name, due: { kind: 'immediate' } as const };
    return { name, due: evictionDue(taints, binding, terms, now, evidence) };
  });
  const tolerated = looks.filter(({ due }) => due.kind === 'skip').map(({ name }) => name);
  const tolerates = `tolerates the taints of ${tolerated.join(', ')}`;
  if (tolerated.length === on.length) {
    const tasks = binding.spec.gracefulEvictionTasks?.filter(({ fromCluster }) =>
      situation.own.has(fromCluster),
    );
    if (tasks?.length) return decideForeign(round, binding, { type: 'foreign', tasks });
    return report(round, binding, 'stays', tolerates, evidence);
  }
  const abandoned = abandonedOn(round, binding, on, evidence);
  if (abandoned !== undefined) return report(round, binding, 'stays', abandoned, evidence);
  round.open = true;
  const ends = looks.flatMap(({ name, due }) =>
    due.kind === 'after' ? [{ name, at: now + due.milliseconds }] : [],
  );
  for (const { at } of ends) requeue(round, at);
  const immediate = looks.filter(({ due }) => due.kind === 'immediate').map(({ name }) => name);
  // It may have been evicted and removed between two rounds.
  if (immediate.length > 0)
    recordEvicted(
      round,
      binding,
      on.filter(({ name }) => immediate.includes(name)),
      false,
    );
  const from = immediate.length === on.length ? '' : ` from ${immediate.join(', ')}`;
  const parts = [
    ...(immediate.length > 0 ? [`Karmada's taint manager will evict it${from}`] : []),
    ...ends.map(({ name, at }) => `tolerates the taints of ${name} until ${rfc3339(at)}`),
    ...(tolerated.length > 0 ? [tolerates] : []),
  ];
  report(round, binding, 'queued', parts.join('; it '), evidence);
}

/** In versions with a pre-scheduling check: why Karmada abandons the evictions from all of the clusters. */
function abandonedOn(
  { configuration: { rules }, situation }: DrainRound,
  binding: ResourceBinding,
  on: readonly TargetCluster[],
  evidence: Evidence[],
): string | undefined {
  if (!rules.taints.preScheduling) return undefined;
  const matching = matchingNames(situation.clusters.values(), rules);
  const reasons = on.map(({ name }) => abandonedBecause(binding, name, matching, evidence));
  const [first] = reasons;
  return reasons.every((reason) => reason !== undefined)
    ? `Karmada abandons its eviction: ${first}`
    : undefined;
}

function decideEvicted(
  round: DrainRound,
  binding: ResourceBinding,
  { tasks }: BindingState & { type: 'again' | 'evicted' },
): void {
  const { now, options, configuration, situation, view } = round;
  round.inFlight++;
  const patience = patienceEnds(tasks, configuration);
  const held = tasks.some(({ suppressDeletion }) => suppressDeletion === true);
  const readiness = replacementReady(
    binding,
    view.worksOf(binding),
    situation.clusters,
    view.hooks,
    configuration.rules.scheduling,
  );
  const expired = patience !== undefined && now > patience;
  if (held && readiness.ready) {
    const keepers = workloadsNeeding(round, binding);
    if (keepers.length > 0) {
      // It only waits for other workloads, so it must not count against their limit.
      round.inFlight--;
      return void round.companions.push({ binding, keepers });
    }
  }
  if (held && (readiness.ready || (options.accept.loss && expired))) {
    const clusters = readiness.ready
      ? (binding.spec.gracefulEvictionTasks ?? []).filter(isDrainTask).map(({ fromCluster }) => fromCluster)
      : acceptedLoss(round, binding, tasks);
    const after = releaseTasks(binding.spec, clusters, configuration, !readiness.ready);
    if (round.mayWrite) writeSpec(round, binding, after);
    round.open = true;
    const why = readiness.ready
      ? 'release pending'
      : `past its timeout, and its loss is accepted: ${readiness.waitingFor}`;
    return report(round, binding, 'ready', why, readiness.evidence);
  }
  if (held && expired) {
    round.stuckBindings.add(bindingKey(binding));
    return report(round, binding, 'stuck', readiness.waitingFor, readiness.evidence, patience);
  }
  round.open = true;
  if (held) {
    if (patience !== undefined) requeue(round, patience + 1);
    return report(round, binding, readiness.phase, readiness.waitingFor, readiness.evidence, patience);
  }
  const deadline = latestEnd(tasks, configuration);
  const at = untilText(deadline);
  // A binding that is no longer held was seen ready: the scheduler has not processed its release yet.
  if (!readiness.ready && !options.hold)
    return report(
      round,
      binding,
      readiness.phase,
      `${readiness.waitingFor}; Karmada ends the task${at}`,
      readiness.evidence,
      deadline,
    );
  report(round, binding, 'leaving', `Karmada will end the task${at}`, readiness.evidence, deadline);
}

/** The clusters whose copies may be deleted without a replacement, except those held by another drain. */
function acceptedLoss(
  { situation: { others } }: DrainRound,
  { spec }: ResourceBinding,
  tasks: readonly GracefulEvictionTask[],
): string[] {
  const own = tasks.map(({ fromCluster }) => fromCluster);
  return evictedTogether(spec, own, (name) => others.has(name));
}

/**
 * When a drain stops waiting for the replacements of held copies, in epoch milliseconds: as Karmada's timeout would be
 * without the hold, or that of earlier versions if tasks have no timeout.
 */
function patienceEnds(
  tasks: readonly GracefulEvictionTask[],
  { controllerManager }: Configuration,
): number | undefined {
  const clock = { gracefulEvictionTimeout: controllerManager['graceful-eviction-timeout'] };
  let end: number | undefined;
  for (const task of tasks) {
    const up = graceEnd(task, clock);
    if (up === undefined) return undefined;
    end = Math.max(end ?? 0, up);
  }
  return end;
}

/** When Karmada would have ended all of the tasks without a hold; undefined if time does not end each of them. */
function latestEnd(tasks: readonly GracefulEvictionTask[], configuration: Configuration): number | undefined {
  const { controllerManager, rules } = configuration;
  if (!startsController(controllerManager.controllers, 'gracefulEviction')) return undefined;
  return tasks.every((task) => timesOut(task, rules)) ? patienceEnds(tasks, configuration) : undefined;
}

function untilText(deadline: number | undefined): string {
  return deadline === undefined ? '' : `, at the latest at ${rfc3339(deadline)}`;
}

function decideForeign(
  round: DrainRound,
  binding: ResourceBinding,
  { tasks }: BindingState & { type: 'foreign' },
): void {
  const holding = tasks.find(({ suppressDeletion }) => suppressDeletion === true);
  if (holding)
    return report(
      round,
      binding,
      'skipped',
      `${holding.producer} holds the copy on ${holding.fromCluster} with its own task`,
    );
  // It may have ended between two rounds; a dependent has no placement of its own.
  if (binding.spec.placement) recordEvicted(round, binding, leftBehind(tasks), false);
  round.open = true;
  const producers = [...new Set(tasks.map(({ producer }) => producer))].join(', ');
  const deadline = latestEnd(tasks, round.configuration);
  const why = `Karmada will end the task of ${producers}${untilText(deadline)}`;
  report(round, binding, 'leaving', why, [], deadline);
}

function decideLeaving(
  round: DrainRound,
  binding: ResourceBinding,
  { type, clusters }: BindingState & { type: 'leaving' | 'deleted' },
): void {
  // A dependent has no placement of its own, and does not count as leaving.
  if (binding.spec.placement) {
    const from = clusters.map((name) => ({ name }));
    recordEvicted(round, binding, from, false);
  }
  round.open = true;
  const unreachable = clusters.filter((name) => isStale(round.situation.clusters.get(name)));
  // A copy on an unreachable cluster may never be removed, and must not block other evictions.
  if (unreachable.length < clusters.length) round.inFlight++;
  report(
    round,
    binding,
    'leaving',
    unreachable.length > 0
      ? `${unreachable.join(', ')} is not Ready: the old copy is deleted once it is Ready again`
      : type === 'deleted'
        ? 'the binding is being deleted'
        : `the Work for ${clusters.join(', ')} is being removed`,
  );
}
