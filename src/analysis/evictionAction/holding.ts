import { isEnding } from '../explanation/tasks/taskWait.ts';
import { holdTask } from '../../karmada/eviction/evictionTasks.ts';
import { timesOut } from '../../karmada/eviction/evictionRule.ts';
import { purgesDirectly } from '../../karmada/eviction/purgeMode.ts';
import type { ActionOutcome, TaskInQuestion } from './actionOutcome.ts';
import { judgeTask, present } from './judgement.ts';
import { oldCopyExists, oldCopyIsKept } from './oldCopy.ts';

/** Sets suppressDeletion: true: the task then has no timeout, and health does not end it either. */
export function holding(question: TaskInQuestion): ActionOutcome {
  const { binding, task, context } = question;
  const from = task.fromCluster;
  const after = holdTask(binding.spec, from);
  const exists = oldCopyExists(question);
  const direct = purgesDirectly(task.purgeMode, context.configuration.rules);
  const stays = oldCopyIsKept(question);
  const warnings: string[] = [];
  if (direct)
    warnings.push(
      `purge mode ${task.purgeMode}: the copy on ${from} is deleted at once, held or not; holding keeps ${from} from being chosen again`,
    );
  else if (!exists) warnings.push(`there is no copy on ${from} any more that could be kept`);
  const { look, task: held } = judgeTask(question, after);
  const common = {
    after,
    taskEnds: 'never' as const,
    deadline: null,
    oldCopy: stays ? ('stays' as const) : ('gone' as const),
    clusters: look.binding.spec.clusters ?? [],
    warnings,
    evidence: held?.evidence ?? [],
  };
  const kept = stays ? `the copy on ${from} stays` : 'the task stays';
  if (after === binding.spec)
    return { ...common, verdict: 'already', next: `held already: ${kept} until it is released or completed` };
  const before = present(question);
  return {
    ...common,
    verdict: 'change',
    next: `${kept} until it is released or completed; ${otherwise(before, question)}`,
    evidence: [...before.evidence, ...common.evidence],
  };
}

function otherwise(
  { verdict, deadline, evidence }: ReturnType<typeof present>,
  { task, context }: TaskInQuestion,
): string {
  const { rules } = context.configuration;
  if (isEnding(verdict))
    return `Karmada was about to end the task: ${evidence[0]?.rule ?? 'its rule applied'}`;
  if (deadline === null && !timesOut(task, rules))
    return 'without that the task would have ended once its copy is replaced, however long that takes';
  if (deadline === null) return 'its time had not begun';
  return `without that the task would have ended at ${deadline} at the latest`;
}
