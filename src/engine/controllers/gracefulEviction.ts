import type { ResourceBinding } from '../../karmada/api/work.ts';
import { assessEvictionTasks } from '../eviction/gracefulEviction.ts';
import { bindingKey } from '../objects/identities.ts';
import type { Controller } from './controller.ts';

/**
 * The graceful eviction controllers of both kinds of bindings: any change of a binding that has tasks makes them look; they
 * stamp new tasks, and take out those that end.
 */
export const gracefulEviction: Controller = {
  name: 'graceful-eviction',
  wakes: {
    Binding: ({ key, after }) => (after && hasTasks(after) ? [{ key }] : []),
  },
  *resumes(view) {
    for (const binding of view.all('Binding')) if (hasTasks(binding)) yield { key: bindingKey(binding) };
  },
  look({ key, view, configuration, now, evidence }) {
    const binding = view.get('Binding', key);
    if (!binding || !hasTasks(binding)) return {};
    const gracefulEvictionTimeout = configuration.controllerManager['graceful-eviction-timeout'];
    const assessment = assessEvictionTasks(binding, { now, gracefulEvictionTimeout }, evidence);
    const { changed, keptTasks, nextRetry } = assessment;
    const spec = { ...binding.spec, gracefulEvictionTasks: keptTasks };
    return {
      ...(changed && {
        writes: [
          {
            verb: 'update',
            kind: 'Binding',
            key,
            part: 'object',
            lock: true,
            base: binding,
            object: { ...binding, spec },
          },
        ],
      }),
      // A task times out strictly after its deadline.
      ...(nextRetry > 0 && { again: { after: nextRetry + 1 } }),
    };
  },
};

function hasTasks({ spec }: ResourceBinding): boolean {
  return (spec.gracefulEvictionTasks?.length ?? 0) > 0;
}
