import { completeTask } from '../../karmada/eviction/evictionTasks.ts';
import { purgesDirectly } from '../../karmada/eviction/purgeMode.ts';
import { isStale } from '../../karmada/objects/clusterReadiness.ts';
import type { ActionOutcome, TaskInQuestion } from './actionOutcome.ts';
import { judgeTask, lossText, notReady } from './judgement.ts';
import { oldCopyExists, oldCopyIsKept, oldCopyServes } from './oldCopy.ts';

/**
 * Ends the task now with suppressDeletion: false. The graceful eviction controller removes the task, with its usual
 * event, and the binding controller the Work that nothing keeps any more.
 */
export function completing(question: TaskInQuestion): ActionOutcome {
  const { binding, task, context } = question;
  const from = task.fromCluster;
  const after = completeTask(binding.spec, from);
  const changes = after !== binding.spec;
  const { look, task: judged } = judgeTask(question, after);
  const judgement = judged!;
  const exists = oldCopyExists(question);
  const missing = changes && oldCopyServes(question) ? notReady(question) : undefined;
  const warnings: string[] = [];
  if (purgesDirectly(task.purgeMode, context.configuration.rules) && task.preservedLabelState)
    warnings.push('the preserved state goes with the task: copies that are written later do not get it');
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
    clusters: look.binding.spec.clusters ?? [],
    ...(missing === undefined ? {} : { risk: lossText(question, 'at once', missing) }),
    warnings,
    evidence: judgement.evidence,
  };
}
