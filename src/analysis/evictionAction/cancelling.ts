import { isEnding } from '../explanation/tasks/taskWait.ts';
import type { Work } from '../../karmada/api/work.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { drainMarkOf } from '../drain/cordon.ts';
import { type Return, returnOf } from '../drain/back/returnOf.ts';
import { appliedPlacement } from '../../karmada/objects/appliedPlacement.ts';
import { evictingEffects, evictingTaints } from '../../karmada/taints/evictingTaints.ts';
import { taintDecision, termsOf } from '../../karmada/taints/evictionTerms.ts';
import { evictsByTaints } from '../../karmada/configuration/taintEviction.ts';
import { samePlacement } from '../explanation/schedulingDecision.ts';
import { isStale, readyCondition } from '../../karmada/objects/clusterReadiness.ts';
import type { ActionOutcome, TaskToChange } from './actionOutcome.ts';
import {
  judgeTask,
  lossText,
  notReady,
  oldCopyExists,
  oldCopyIsKept,
  oldCopyServes,
  placementWords,
  explainTask,
} from './judgement.ts';
import { completeTask, purgesDirectly } from '../../karmada/eviction/evictionTasks.ts';

/** Cancels an eviction: one write removes the task and restores the cluster in spec.clusters. */
export function cancelling(question: TaskToChange): ActionOutcome {
  const { binding, task, context } = question;
  const from = task.fromCluster;
  const obstacle = noWayBack(question);
  if (obstacle !== undefined) return impossible(question, obstacle);
  const way = returnOf(binding, [from], context.works ?? new Map<string, Work>(), context);
  if ('refused' in way) return impossible(question, way.refused);
  const { spec: after, affinityName, attempt, risk } = way;
  return {
    verdict: 'change',
    after,
    ...(affinityName === undefined ? {} : { affinityName }),
    next: [
      backText(from, way),
      ...(affinityName === undefined ? [] : [`the scheduler returns to affinity group ${affinityName}`]),
      ...(way.note === undefined ? [] : [way.note]),
      schedulerText(way),
    ].join('; '),
    taskEnds: 'no-task',
    deadline: null,
    oldCopy: 'stays',
    clusters: attempt.binding.spec.clusters ?? [],
    ...(risk === undefined ? {} : { risk }),
    warnings: obstacles(question),
    evidence: [],
  };
}

function impossible(question: TaskToChange, why: string): ActionOutcome {
  const { spec } = question.binding;
  const { verdict, deadline } = explainTask(question);
  return {
    verdict: 'impossible',
    after: spec,
    next: `it cannot return: ${why}`,
    taskEnds: verdict === 'held' ? 'never' : isEnding(verdict) ? 'now' : 'later',
    deadline,
    oldCopy: !oldCopyIsKept(question) ? 'gone' : isEnding(verdict) ? 'deleted' : 'stays',
    clusters: spec.clusters ?? [],
    warnings: [],
    evidence: [],
  };
}

function noWayBack({ task, context }: TaskToChange): string | undefined {
  const from = task.fromCluster;
  const cluster = context.clusters.get(from);
  if (!cluster) return `cluster ${from} no longer exists`;
  if (cluster.metadata.deletionTimestamp) return `${from} is being deleted`;
  if (!context.works) return `unknown whether the copy on ${from} still exists: its Works cannot be read`;
  return undefined;
}

function backText(from: string, { restored, given }: Return): string {
  const replicas = restored.find(({ name }) => name === from)?.replicas;
  const back = replicas ? `back on ${from} with ${counted(replicas)}` : `back on ${from}`;
  const gives = given.filter((target) => target.replicas);
  if (gives.length === 0) return back;
  return `${back}, for which ${gives.map((one) => `${one.name} loses ${one.replicas}`).join(', ')}`;
}

function schedulerText({ spec: written, attempt: { outcome, binding } }: Return): string {
  const clusters = binding.spec.clusters ?? [];
  if (!outcome) return 'the scheduler does not reconcile it';
  if (samePlacement(written.clusters ?? [], clusters)) return 'the scheduler does not change it';
  const why = outcome.failure?.message ?? outcome.trigger ?? 'another result';
  return `the scheduler then places it on ${placementWords(clusters)} (${why})`;
}

/** Reasons why it may be evicted again, or not run there. */
function obstacles({ binding, task, context }: TaskToChange): string[] {
  const from = task.fromCluster;
  const cluster = context.clusters.get(from)!;
  const warnings: string[] = [];
  if (isStale(cluster)) {
    const ready = readyCondition(cluster);
    warnings.push(
      `${from} is not Ready (${ready ? `Ready=${ready.status}, ${ready.reason ?? 'no reason given'}` : 'it reports nothing'}): unknown whether the copy there runs`,
    );
  }
  const taints = evictingTaints(cluster.spec?.taints, context.configuration.rules);
  const terms = { tolerations: [], ...termsOf(binding, appliedPlacement(binding.metadata)) };
  const decision = taintDecision(taints, terms, context.now) ?? { kind: 'stay' };
  if (decision.kind !== 'stay') {
    const names = taints.map(formatTaint).join(', ');
    const when =
      decision.kind === 'evict'
        ? 'again'
        : `again in ${formatDuration(Math.ceil(decision.milliseconds / 1000) * 1000)}`;
    warnings.push(
      evictsByTaints(context.configuration)
        ? `${from} has the taint ${names}: Karmada evicts it ${when}`
        : `${from} has the taint ${names}: Karmada evicts it ${when} if ${evictingEffects(context.configuration.rules)} eviction is on (assumed: off)`,
    );
  }
  if (drainMarkOf(cluster))
    warnings.push(
      `${from} is being drained: a running drain evicts it again; cancel the drain to restore all workloads`,
    );
  return warnings;
}

function counted(replicas: number): string {
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}

/**
 * Ends the task now with suppressDeletion: false. The graceful eviction controller removes the task, with its usual
 * event, and the binding controller the Work that is then unneeded.
 */
export function completeOutcome(question: TaskToChange): ActionOutcome {
  const { binding, task, context } = question;
  const from = task.fromCluster;
  const after = completeTask(binding.spec, from);
  const changes = after !== binding.spec;
  const { attempt, task: judged } = judgeTask(question, after);
  const judgement = judged!;
  const exists = oldCopyExists(question);
  const missing = changes && oldCopyServes(question) ? notReady(question) : undefined;
  const warnings: string[] = [];
  if (purgesDirectly(task.purgeMode, context.configuration.rules) && task.preservedLabelState)
    warnings.push('the preserved state ends with the task: later copies do not get it');
  if (exists && isStale(context.clusters.get(from)))
    warnings.push(
      `${from} is not Ready: the copy there is deleted once it is Ready again, and may run until then`,
    );
  return {
    verdict: changes ? 'change' : 'already',
    after,
    next: `${changes ? '' : 'completed already: '}Karmada ends the task now: ${judgement.consequence}`,
    taskEnds: 'now',
    deadline: null,
    oldCopy: oldCopyIsKept(question) ? 'deleted' : 'gone',
    clusters: attempt.binding.spec.clusters ?? [],
    ...(missing === undefined ? {} : { risk: lossText(question, 'at once', missing) }),
    warnings,
    evidence: judgement.evidence,
  };
}
