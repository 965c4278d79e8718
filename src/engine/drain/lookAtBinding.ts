import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import { timeoutOf } from '../eviction/evictionRule.ts';
import type { Evidence } from '../evidence.ts';
import { isStale } from '../objects/clusterReadiness.ts';
import { enqueueDecision } from '../taints/taintManager.ts';
import { noExecuteTaints } from '../taints/noExecuteDecision.ts';
import { isDrainTask } from '../eviction/drainTask.ts';
import { bindingState, leftBehind, type BindingState } from './bindingState.ts';
import { isBehind, noteEvicted } from './drainPacer.ts';
import { bindingKey } from '../objects/identities.ts';
import { evictedTogether, releaseTasks } from './drainTasks.ts';
import { lookAgain, report, type Look } from './look.ts';
import { replacementReady } from './replacementReady.ts';
import { selects } from './selects.ts';

/** What is to be done with one binding now, and how it stands. What may be evicted is left to `evictNext`. */
export function lookAtBinding(look: Look, binding: ResourceBinding, mayWrite: boolean): void {
  const state = bindingState(binding, look.situation, look.view);
  if (!state) return;
  const { pacer } = look;
  const key = bindingKey(binding);
  if (state.type === 'again' || state.type === 'evicted') {
    noteEvicted(pacer, binding, leftBehind(state.tasks), true);
    for (const { creationTimestamp } of state.tasks) {
      const created = creationTimestamp ? instant(creationTimestamp) : undefined;
      // A stamp of the future is of a clock that is ahead: waiting for it would stop the drain.
      if (created !== undefined && created <= look.now)
        look.lastEvictionAt = Math.max(created, look.lastEvictionAt ?? created);
    }
  } else if (
    !pacer.evicted.has(key) &&
    !selects(look.options.selection, binding, look.view.templateOf(binding))
  )
    return;
  look.present.add(key);
  if (isBehind(pacer, key, binding.metadata)) {
    look.inFlight++;
    look.open = true;
    report(look, binding, 'scheduling', 'the write is not seen yet');
    return;
  }
  switch (state.type) {
    case 'there':
      return lookAtPresent(look, binding, state.on, false);
    case 'again':
      look.inFlight++;
      return lookAtPresent(look, binding, state.on, true);
    case 'evicted':
      return lookAtEvicted(look, binding, state, mayWrite);
    case 'foreign':
      return lookAtForeign(look, binding, state);
    case 'leaving':
    case 'deleted':
      return lookAtLeaving(look, binding, state);
  }
}

function lookAtPresent(look: Look, binding: ResourceBinding, on: TargetCluster[], again: boolean): void {
  const known = look.pacer.evicted.get(bindingKey(binding));
  const names = on.map(({ name }) => name).join(', ');
  if (known?.certain && (!again || known.evictions > 1)) {
    if (again) look.stuck++;
    return report(
      look,
      binding,
      again ? 'stuck' : 'skipped',
      `it was placed on ${names} again after the drain had evicted it: somebody wants it there, or it tolerates the cordon`,
    );
  }
  if (look.options.method === 'taint') return lookAtTainted(look, binding, on);
  look.waiting.push({ binding, on, again });
}

/** With --method=taint Karmada evicts by itself; what tolerates the taints stays. */
function lookAtTainted(look: Look, binding: ResourceBinding, on: TargetCluster[]): void {
  for (const { name } of on) {
    const taints = noExecuteTaints(look.situation.clusters.get(name)?.spec?.taints);
    const evidence: Evidence[] = [];
    const decision = enqueueDecision(taints, binding, look.now, evidence);
    if (taints.length > 0 && decision.kind === 'skip') {
      return report(look, binding, 'stays', `tolerates the taints of ${name}`, evidence);
    }
    look.open = true;
    if (decision.kind === 'after') {
      lookAgain(look, look.now + decision.milliseconds);
      const until = rfc3339(look.now + decision.milliseconds);
      return report(look, binding, 'queued', `tolerates the taints of ${name} until ${until}`, evidence);
    }
  }
  report(look, binding, 'queued', "Karmada's taint manager is to evict it");
}

function lookAtEvicted(
  look: Look,
  binding: ResourceBinding,
  { tasks }: BindingState & { type: 'again' | 'evicted' },
  mayWrite: boolean,
): void {
  const { now, options, configuration, situation, view } = look;
  look.inFlight++;
  const deadline = deadlineOf(tasks, configuration);
  const held = tasks.some(({ suppressDeletion }) => suppressDeletion === true);
  const readiness = replacementReady(binding, view.worksOf(binding), situation.clusters, view.hooks);
  const expired = deadline !== undefined && now > deadline;
  if (held && (readiness.ready || (options.accept.loss && expired))) {
    const clusters = readiness.ready
      ? (binding.spec.gracefulEvictionTasks ?? []).filter(isDrainTask).map(({ fromCluster }) => fromCluster)
      : acceptedLoss(look, binding, tasks);
    const after = releaseTasks(binding.spec, clusters);
    if (mayWrite) look.writes.push({ type: 'release', binding, after, clusters });
    look.open = true;
    const why = readiness.ready
      ? 'to be released'
      : `its time is over and --allow-loss was given: ${readiness.waitingFor}`;
    return report(look, binding, 'ready', why, readiness.evidence);
  }
  if (held && expired) {
    look.stuck++;
    return report(look, binding, 'stuck', readiness.waitingFor, readiness.evidence);
  }
  look.open = true;
  if (held) {
    if (deadline !== undefined) lookAgain(look, deadline + 1);
    return report(look, binding, readiness.phase, readiness.waitingFor, readiness.evidence);
  }
  const at = deadline === undefined ? '' : `, at the latest at ${rfc3339(deadline)}`;
  // What was held and is not any more was seen ready; the release itself is a change that the scheduler looks at.
  if (!readiness.ready && !options.hold)
    return report(
      look,
      binding,
      readiness.phase,
      `${readiness.waitingFor}; Karmada ends the task by itself${at}`,
      readiness.evidence,
    );
  report(look, binding, 'leaving', `Karmada is to end the task${at}`, readiness.evidence);
}

/** The clusters whose copies may go without a replacement: what another drain holds is not this one's to lose. */
function acceptedLoss(
  { situation: { others } }: Look,
  { spec }: ResourceBinding,
  tasks: readonly GracefulEvictionTask[],
): string[] {
  const own = tasks.map(({ fromCluster }) => fromCluster);
  return evictedTogether(spec, own, (name) => others.some(({ cluster }) => cluster === name));
}

/** The time after which Karmada would delete the old copies if they were not held; epoch milliseconds. */
function deadlineOf(
  tasks: readonly GracefulEvictionTask[],
  { controllerManager }: Configuration,
): number | undefined {
  let deadline: number | undefined;
  for (const task of tasks) {
    if (!task.creationTimestamp) return undefined;
    const clock = { now: 0, gracefulEvictionTimeout: controllerManager['graceful-eviction-timeout'] };
    deadline = Math.max(deadline ?? 0, instant(task.creationTimestamp) + timeoutOf(task, clock));
  }
  return deadline;
}

function lookAtForeign(
  look: Look,
  binding: ResourceBinding,
  { tasks }: BindingState & { type: 'foreign' },
): void {
  const holding = tasks.find(({ suppressDeletion }) => suppressDeletion === true);
  if (holding)
    return report(
      look,
      binding,
      'skipped',
      `${holding.producer} holds the copy on ${holding.fromCluster} by a task of its own`,
    );
  look.open = true;
  const producers = [...new Set(tasks.map(({ producer }) => producer))].join(', ');
  report(look, binding, 'leaving', `Karmada is to end the task of ${producers}`);
}

function lookAtLeaving(
  look: Look,
  binding: ResourceBinding,
  { type, clusters }: BindingState & { type: 'leaving' | 'deleted' },
): void {
  // What has no placement of its own goes where others go, and is none of those that leave.
  if (binding.spec.placement) {
    const from = clusters.map((name) => ({ name }));
    noteEvicted(look.pacer, binding, from, false);
  }
  look.open = true;
  const unreachable = clusters.filter((name) => isStale(look.situation.clusters.get(name)));
  // What only a cluster out of reach still has may take for ever, and keeps nothing else from leaving.
  if (unreachable.length < clusters.length) look.inFlight++;
  report(
    look,
    binding,
    'leaving',
    unreachable.length > 0
      ? `${unreachable.join(', ')} is not Ready: the old copy is removed once it is again`
      : type === 'deleted'
        ? 'the binding is being deleted'
        : `the Work for ${clusters.join(', ')} is being removed`,
  );
}
