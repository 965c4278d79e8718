import type { ResourceBinding } from '../../karmada/api/work.ts';
import {
  applicationFailover as rule,
  startsApplicationFailover,
} from '../application/applicationFailover.ts';
import { hasHealthInterpreter } from '../status/healthInterpreter.ts';
import { bindingKey } from '../objects/identities.ts';
import type { Controller } from './controller.ts';

/** Since when (epoch milliseconds) each cluster has reported the application Unhealthy, by the cluster's name. */
type ApplicationFailoverMemory = Record<string, number>;

/**
 * The application failover controllers of both kinds of bindings. Their timers are in memory alone: a controller manager that
 * starts, and so a captured world that is gone on with, begins every toleration anew.
 */
export const applicationFailover: Controller<ApplicationFailoverMemory> = {
  name: 'application-failover',
  runs: startsApplicationFailover,
  wakes: {
    Binding: ({ key, before, after }) => (takesPart(before) || takesPart(after) ? [{ key }] : []),
  },
  *resumes(view) {
    for (const binding of view.all('Binding')) if (takesPart(binding)) yield { key: bindingKey(binding) };
  },
  look({ key, view, memory = {}, configuration, now, evidence }) {
    const binding = view.get('Binding', key);
    if (!binding) return {};
    const result = rule(
      binding,
      new Map(Object.entries(memory)),
      {
        now,
        gates: configuration.featureGates,
        rules: configuration.rules,
        hasHealthInterpreter: (resource) => hasHealthInterpreter(resource, view.hooks),
      },
      evidence,
    );
    const timers =
      result.unhealthySince.size > 0 ? { memory: Object.fromEntries(result.unhealthySince) } : {};
    if (result.error !== undefined)
      return {
        ...timers,
        failure: {
          reason: 'EvictWorkloadFromClusterFailed',
          message: result.error,
          unless: [{ kind: 'Binding', key }],
        },
      };
    return {
      ...timers,
      ...(result.evictedClusters.length > 0 && {
        writes: [
          {
            verb: 'update',
            kind: 'Binding',
            key,
            part: 'object',
            lock: true,
            base: binding,
            object: { ...binding, spec: result.spec },
          },
        ],
      }),
      // At the very end of the toleration it is not over yet.
      ...(result.requeueAfter > 0 && { again: { after: result.requeueAfter + 1 } }),
    };
  },
};

function takesPart(binding: ResourceBinding | undefined): boolean {
  return binding?.spec.failover?.application !== undefined;
}
