import type { ResourceBinding } from '../api/work.ts';
import { instant, SECOND } from '../../kubernetes/time.ts';
import { applicationPass, clustersByHealth, tolerationSecondsOf } from './applicationPass.ts';
import { failsPreConditions, startOf } from './preConditions.ts';
import { hasHealthInterpreter } from '../status/healthInterpreter.ts';
import { bindingKey, workKey } from '../objects/identities.ts';
import type { Controller, ReconcileRequest, Step, Wake, WakeContext } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';
import { smallest } from '../../kubernetes/longLists.ts';
import type { MemoryOf } from '../controllers/karmada.ts';

/** By cluster name: when the cluster started to report the application Unhealthy (epoch milliseconds). */
type ApplicationFailoverMemory = MemoryOf<'application-failover'>;

/**
 * The application failover controllers of both kinds of bindings. Their timers exist only in memory: a restarted
 * controller manager restarts every toleration. In a captured world they were running, but the capture shows only
 * partly for how long.
 */
export const applicationFailover: Controller<ApplicationFailoverMemory> = {
  wakes: {
    Binding: ({ key, before, after }) => (takesPart(before) || takesPart(after) ? [{ key }] : []),
  },
  *resumes(view, context) {
    for (const binding of view.all('Binding')) if (takesPart(binding)) yield resumed(binding, view, context);
  },
  reconcile,
};

function reconcile({
  key,
  view,
  memory = {},
  configuration,
  now,
  evidence,
}: ReconcileRequest<ApplicationFailoverMemory>): Step<ApplicationFailoverMemory> {
  const binding = view.get('Binding', key);
  if (!binding) return {};
  const result = applicationPass(
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
  const timers = result.unhealthySince.size > 0 ? { memory: Object.fromEntries(result.unhealthySince) } : {};
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
    // At exactly that instant the toleration has not expired yet.
    ...(result.requeueAfter > 0 && { requeue: { after: result.requeueAfter + 1 } }),
  };
}

/** Milliseconds from the condition Applied to a report of the object's health, doubled because of truncated times. */
const REPORTED_AFTER = 200;

/**
 * Resumes the timers that ran at the capture: due when the first of them ends. Without a toleration there is no timer:
 * at the next change of the binding, a second reconcile finds it unhealthy and evicts.
 */
function resumed(binding: ResourceBinding, view: View, { configuration, now, unseen }: WakeContext): Wake {
  const key = bindingKey(binding);
  const unhealthy = clustersByHealth(binding).unhealthyClusters;
  if (!unseen || unhealthy.length === 0) return { key };
  const { rules } = configuration;
  const toleration = tolerationSecondsOf(binding.spec, rules) * SECOND;
  if (toleration === 0) return { key };
  const memory: Record<string, number> = {};
  for (const cluster of unhealthy) {
    const item = binding.status!.aggregatedStatus!.find(({ clusterName }) => clusterName === cluster)!;
    // Clusters held back by preconditions have no timer; it starts only once they hold.
    if (failsPreConditions(binding.spec, item, rules, now)) continue;
    const started = rules.application.preConditions ? startOf(item, delayOf(binding)) : undefined;
    const work = view.worksOf(binding).get(cluster);
    const applied = work?.status?.conditions?.find(
      ({ type, status }) => type === 'Applied' && status === 'True',
    );
    const starting = work !== undefined && view.get('Copy', workKey(work))?.readyAt !== undefined;
    // A Work with a later generation was changed right after the scheduling.
    const changed =
      starting && work.metadata.generation !== 1 ? binding.status?.lastScheduledTime : undefined;
    const place = unseen(`${key} ${cluster}`) ?? 0.5;
    const first = applied?.lastTransitionTime
      ? instant(later(applied.lastTransitionTime, changed)) + place * SECOND + REPORTED_AFTER
      : -Infinity;
    // A copy applied longer ago than its toleration turned unhealthy later, otherwise it would already be evicted; or
    // it has never been healthy and soon will be. A rescheduled one may have been evicted, which restarts its timer.
    const over = now - first - toleration;
    const scheduled = binding.status?.lastScheduledTime;
    const restarted = scheduled ? instant(scheduled) + place * SECOND : -Infinity;
    const since =
      over < (starting ? SECOND : 0)
        ? first
        : now - restarted < toleration
          ? restarted
          : now - place * toleration;
    memory[cluster] = Math.min(now, Math.max(since, started ?? -Infinity));
  }
  if (Object.keys(memory).length < unhealthy.length) return { key, memory };
  const ends = smallest(Object.values(memory)) + toleration + 1;
  return { key, memory, after: Math.max(0, ends - now) };
}

function later(time: string, other: string | null | undefined): string {
  return other && other > time ? other : time;
}

function delayOf({ spec }: ResourceBinding): number | undefined {
  return spec.failover?.application?.preConditions?.delaySeconds;
}

function takesPart(binding: ResourceBinding | undefined): boolean {
  return binding?.spec.failover?.application !== undefined;
}
