import { isEnding } from '../explanation/tasks/taskWait.ts';
import { releaseTask } from '../../karmada/eviction/evictionTasks.ts';
import type { EvictionTaskExplanation } from '../explanation/tasks/evictionTask.ts';
import type { ActionOutcome, TaskInQuestion } from './actionOutcome.ts';
import { judgeTask, lossText, notReady } from './judgement.ts';
import { oldCopyIsKept, oldCopyServes } from './oldCopy.ts';

/** Lets Karmada decide about the task again: health ends it or, if it has one, the deadline, which may have passed. */
export function releasing(question: TaskInQuestion): ActionOutcome {
  const { binding, task } = question;
  const from = task.fromCluster;
  // with suppressDeletion: false Karmada ends the task: removing that would stop it
  const after = task.suppressDeletion === true ? releaseTask(binding.spec, from) : binding.spec;
  const changes = after !== binding.spec;
  const { look, task: judged } = judgeTask(question, after);
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
    clusters: look.binding.spec.clusters ?? [],
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
        `Karmada waits for ${waitingFor}, ${deadline === null ? 'however long that takes' : `until ${deadline} at the latest`}`,
        atDeadline === 'kept' ? then : `when the task ends, ${then}`,
      ].join('; ');
  }
}

function reasonOf(evidence: EvictionTaskExplanation['evidence']): string {
  // of several reasons the last one is the one that was missing
  const decisive = evidence.filter(({ certainty }) => certainty !== 'unknown').at(-1);
  return decisive?.rule ?? 'its rule applies';
}

function whenItEnds({ verdict, deadline }: EvictionTaskExplanation): string {
  return isEnding(verdict) ? 'at once' : `at ${deadline}, whatever replaces it by then`;
}
