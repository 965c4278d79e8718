import { isEnding } from '../explanation/tasks/taskWait.ts';
import { holdTask, purgesDirectly, releaseTask } from '../../karmada/eviction/evictionTasks.ts';
import { timesOut } from '../../karmada/eviction/evictionRule.ts';
import type { ActionOutcome, TaskToChange } from './actionOutcome.ts';
import {
  judgeTask,
  lossText,
  notReady,
  oldCopyExists,
  oldCopyIsKept,
  oldCopyServes,
  explainTask,
} from './judgement.ts';
import type { EvictionTaskExplanation } from '../explanation/tasks/evictionTask.ts';

/** Sets suppressDeletion: true: the task then has no timeout, and health does not end it either. */
export function holdOutcome(question: TaskToChange): ActionOutcome {
  const { binding, task, context } = question;
  const from = task.fromCluster;
  const after = holdTask(binding.spec, from);
  const exists = oldCopyExists(question);
  const direct = purgesDirectly(task.purgeMode, context.configuration.rules);
  const stays = oldCopyIsKept(question);
  const warnings: string[] = [];
  if (direct)
    warnings.push(
      `purge mode ${task.purgeMode}: the copy on ${from} is deleted at once, even if held; a hold only keeps the scheduler from choosing ${from} again`,
    );
  else if (!exists) warnings.push(`no copy remains on ${from}`);
  const { attempt, task: held } = judgeTask(question, after);
  const common = {
    after,
    taskEnds: 'never' as const,
    deadline: null,
    oldCopy: stays ? ('stays' as const) : ('gone' as const),
    clusters: attempt.binding.spec.clusters ?? [],
    warnings,
    evidence: held?.evidence ?? [],
  };
  const kept = stays ? `the copy on ${from} stays` : 'the task stays';
  if (after === binding.spec)
    return { ...common, verdict: 'already', next: `held already: ${kept} until it is released or completed` };
  const before = explainTask(question);
  return {
    ...common,
    verdict: 'change',
    next: `${kept} until it is released or completed; ${otherwise(before, question)}`,
    evidence: [...before.evidence, ...common.evidence],
  };
}

function otherwise(
  { verdict, deadline, evidence }: ReturnType<typeof explainTask>,
  { task, context }: TaskToChange,
): string {
  const { rules } = context.configuration;
  if (isEnding(verdict))
    return `Karmada was about to end the task: ${evidence[0]?.rule ?? 'its rule applied'}`;
  if (deadline === null && !timesOut(task, rules))
    return 'otherwise the task would have ended after its copy is replaced, without a timeout';
  if (deadline === null) return 'its timeout had not begun';
  return `otherwise the task would have ended at ${deadline} at the latest`;
}

/** Lets Karmada decide about the task again: health ends it or, if it has one, the deadline, possibly at once. */
export function releaseOutcome(question: TaskToChange): ActionOutcome {
  const { binding, task } = question;
  const from = task.fromCluster;
  // suppressDeletion: false makes Karmada end the task, so removing the field would prevent that.
  const after = task.suppressDeletion === true ? releaseTask(binding.spec, from) : binding.spec;
  const changes = after !== binding.spec;
  const { attempt, task: judged } = judgeTask(question, after);
  const judgement = judged!;
  const endsNow = isEnding(judgement.verdict);
  const mayGo = endsNow || judgement.deadline !== null;
  const missing = changes && mayGo && oldCopyServes(question) ? notReady(question) : undefined;
  const prefix = changes ? '' : task.suppressDeletion === false ? 'completed already: ' : 'not held: ';
  return {
    verdict: changes ? 'change' : 'already',
    after,
    next: prefix + whatKarmadaDoes(judgement),
    taskEnds: endsNow ? 'now' : 'later',
    deadline: judgement.deadline,
    oldCopy: !oldCopyIsKept(question) ? 'gone' : endsNow ? 'deleted' : 'stays',
    clusters: attempt.binding.spec.clusters ?? [],
    ...(missing === undefined ? {} : { risk: lossText(question, whenItEnds(judgement), missing) }),
    warnings: [],
    evidence: judgement.evidence,
  };
}

/** What the graceful eviction controller does with a task that is not held. */
function whatKarmadaDoes({
  verdict,
  waitingFor,
  deadline,
  consequence: then,
  atDeadline,
  evidence,
}: EvictionTaskExplanation): string {
  switch (verdict) {
    case 'ends-now':
    case 'overdue':
      return `Karmada ends the task now, because ${reasonOf(evidence)}: ${then}`;
    default:
      return [
        `Karmada waits for ${waitingFor}, ${deadline === null ? 'without a timeout' : `until ${deadline} at the latest`}`,
        atDeadline === 'kept' ? then : `when the task ends, ${then}`,
      ].join('; ');
  }
}

function reasonOf(evidence: EvictionTaskExplanation['evidence']): string {
  // The last reason is the decisive one.
  const decisive = evidence.filter(({ certainty }) => certainty !== 'unknown').at(-1);
  return decisive?.rule ?? 'its rule applies';
}

function whenItEnds({ verdict, deadline }: EvictionTaskExplanation): string {
  return isEnding(verdict) ? 'at once' : `at ${deadline}, with or without a replacement`;
}
