import type { ResourceBinding } from '../api/work.ts';
import {
  assessEvictionTasks,
  assessmentEvidence,
  pendingTimers,
  wakesEvictionController,
} from './evictionAssessment.ts';
import { evictionClock } from './evictionRule.ts';
import { bindingKey } from '../objects/identities.ts';
import type { Controller, ReconcileRequest, Step } from '../controllers/controller.ts';
import type { Write } from '../controllers/write.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

/**
 * The graceful eviction controllers of both kinds of bindings: any change of a binding with gracefulEvictionTasks wakes
 * them (in older versions only if its current spec has been scheduled); they set the creationTimestamp of new tasks and
 * remove those that end.
 */
export const gracefulEviction: Controller = {
  wakes: {
    Binding: ({ key, after }, _view, { configuration: { rules } }) =>
      after && wakesEvictionController(after, rules)
        ? [{ key, ...(hasNewTask(after) && { contended: true }) }]
        : [],
  },
  *resumes(view, { configuration, now }) {
    const clock = evictionClock(now, configuration);
    for (const binding of view.all('Binding')) {
      const key = bindingKey(binding);
      if (wakesEvictionController(binding, configuration.rules)) yield { key };
      else for (const deadline of pendingTimers(binding, clock)) yield { key, after: deadline - now + 1 };
    }
  },
  reconcile,
};

/** Whether a task has no creationTimestamp yet; until then the scheduler looks for another cluster. */
function hasNewTask({ spec }: ResourceBinding): boolean {
  return spec.gracefulEvictionTasks?.some((task) => !task.creationTimestamp) ?? false;
}

function reconcile({ key, view, configuration, now, evidence }: ReconcileRequest<unknown>): Step<unknown> {
  const binding = view.get('Binding', key);
  if (!binding?.spec.gracefulEvictionTasks?.length) return {};
  const { rules } = configuration;
  const clock = evictionClock(now, configuration);
  const assessment = assessEvictionTasks(binding, clock);
  const { changed, keptTasks, nextRetry } = assessment;
  // A task times out strictly after its deadline.
  const requeue = nextRetry > 0 && { requeue: { after: nextRetry + 1 } };
  if (!changed) return { ...requeue };
  if (evidence) appendAll(evidence, assessmentEvidence(binding, assessment, clock));
  const write: Write = {
    verb: 'update',
    kind: 'Binding',
    key,
    part: 'object',
    lock: rules.eviction.taskListPatch === 'locked',
    base: binding,
    object: { ...binding, spec: { ...binding.spec, gracefulEvictionTasks: keptTasks } },
  };
  return { writes: [write], ...requeue };
}
