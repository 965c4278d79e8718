import type {
  AggregatedStatusItem,
  GracefulEvictionTask,
  ResourceBinding,
  ResourceHealth,
} from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { formatDuration, instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { countedTasks } from './countedTasks.ts';

/** What the graceful eviction controller needs besides the binding. */
export interface EvictionClock {
  /** epoch milliseconds */
  now: number;
  /** the flag graceful-eviction-timeout, in milliseconds; a task's gracePeriodSeconds replaces it */
  gracefulEvictionTimeout: number;
  rules: Rules;
}

/** The clock of a configuration. */
export function evictionClock(now: number, { controllerManager, rules }: Configuration): EvictionClock {
  return { now, gracefulEvictionTimeout: controllerManager['graceful-eviction-timeout'], rules };
}

/**
 * The rule that decides about a task, the first that applies:
 * - `new`: it has no creationTimestamp; it gets one and stays
 * - `suppressed`: suppressDeletion is true; it stays, without a timeout
 * - `released`: suppressDeletion is false; it ends
 * - `timeout`: its time is up; it ends
 * - `healthy`: scheduled, and healthy on every cluster of spec.clusters; it ends
 * - `waiting`: none of these; it stays
 */
export type EvictionRule = 'new' | 'suppressed' | 'released' | 'timeout' | 'healthy' | 'waiting';

/** Whether the rule ends a task, so that the old copy in its cluster is deleted. */
export function endsTask(rule: EvictionRule): boolean {
  return rule === 'released' || rule === 'timeout' || rule === 'healthy';
}

/**
 * The rule that applies to a task now (graceful eviction controllers). Neither the purgeMode nor the health of
 * fromCluster matters.
 *
 * @param task as the controller counts it, see `countedTasks`
 */
export function evictionRule(
  task: GracefulEvictionTask,
  replaced: Replacement,
  clock: EvictionClock,
): EvictionRule {
  const created = creationOf(task);
  if (created === undefined) return 'new';
  if (task.suppressDeletion === true) return 'suppressed';
  if (task.suppressDeletion === false) return 'released';
  if (clock.now > created + timeoutOf(task, clock)) return 'timeout';
  return replaced.scheduled && replaced.healthy() ? 'healthy' : 'waiting';
}

/**
 * When a task times out, in epoch milliseconds: right after that instant. Undefined if the task is new, or if
 * suppressDeletion decides.
 */
export function evictionDeadline(task: GracefulEvictionTask, clock: EvictionClock): number | undefined {
  return typeof task.suppressDeletion === 'boolean' ? undefined : timeIsUp(task, clock);
}

/** The same without regard to suppressDeletion: when Karmada would give up the old copy if nobody held it. */
export function timeIsUp(
  task: GracefulEvictionTask,
  clock: Pick<EvictionClock, 'gracefulEvictionTimeout'>,
): number | undefined {
  const created = creationOf(task);
  return created === undefined ? undefined : created + timeoutOf(task, clock);
}

/** Milliseconds from a task's creationTimestamp to its timeout. */
function timeoutOf(
  { gracePeriodSeconds }: GracefulEvictionTask,
  { gracefulEvictionTimeout }: Pick<EvictionClock, 'gracefulEvictionTimeout'>,
): number {
  return gracePeriodSeconds == null ? gracefulEvictionTimeout : gracePeriodSeconds * 1000;
}

const ZERO_TIME = '0001-01-01T00:00:00Z';

function creationOf({ creationTimestamp }: GracefulEvictionTask): number | undefined {
  return creationTimestamp && creationTimestamp !== ZERO_TIME ? instant(creationTimestamp) : undefined;
}

/** How far the replacement of an evicted copy has come. */
export interface Replacement {
  /** whether the scheduler has seen the present spec; before that, health says nothing */
  scheduled: boolean;
  /** whether it is healthy on all of spec.clusters; true if that is empty */
  healthy(): boolean;
}

/**
 * The replacement by the binding's status, however old that is. Versions that only wake up for scheduled bindings take
 * every binding that they look at for scheduled.
 */
export function replacementOf(binding: ResourceBinding, { eviction }: Rules): Replacement {
  let healthy: boolean | undefined;
  return {
    scheduled: eviction.taskAssessment === 'scheduledBindings' || isScheduled(binding),
    healthy: () => (healthy ??= unhealthyTargets(binding).length === 0),
  };
}

/** Whether the scheduler's last success was with the present spec. */
export function isScheduled({ metadata, status }: ResourceBinding): boolean {
  return (status?.schedulerObservedGeneration ?? 0) === (metadata.generation ?? 0);
}

/** The clusters in spec.clusters that have not reported it Healthy, with what they have reported. */
function unhealthyTargets({ spec, status }: ResourceBinding): { cluster: string; health?: ResourceHealth }[] {
  return (spec.clusters ?? [])
    .map(({ name }) => ({ cluster: name, health: healthOn(status?.aggregatedStatus, name) }))
    .filter(({ health }) => health !== 'Healthy');
}

function healthOn(
  aggregatedStatus: AggregatedStatusItem[] | undefined,
  cluster: string,
): ResourceHealth | undefined {
  return aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)?.health;
}

/** The evidence for the rule of the task at `index`. */
export function evictionEvidence(
  binding: ResourceBinding,
  index: number,
  rule: EvictionRule,
  clock: EvictionClock,
): Evidence[] {
  const task = countedTasks(binding.spec.gracefulEvictionTasks!, clock.rules)[index]!;
  const field = (name: keyof GracefulEvictionTask) => `spec.gracefulEvictionTasks[${index}].${name}`;
  switch (rule) {
    case 'new':
      return [
        {
          rule: 'the graceful eviction controller has not seen the task yet; its time starts when it does',
          field: field('creationTimestamp'),
        },
      ];
    case 'suppressed':
      return [
        {
          rule: 'the old copy stays until suppressDeletion is set to false or the task is removed',
          field: field('suppressDeletion'),
          value: true,
        },
      ];
    case 'released':
      return [{ rule: 'the old copy has been released', field: field('suppressDeletion'), value: false }];
    case 'timeout':
      return [timeEvidence(task, field, clock, 'was over at')];
    case 'healthy':
      return [...scheduledEvidence(binding), ...healthEvidence(binding)];
    case 'waiting':
      return [
        timeEvidence(task, field, clock, 'runs until'),
        ...scheduledEvidence(binding),
        ...(isScheduled(binding) ? healthEvidence(binding) : []),
      ];
  }
}

function timeEvidence(
  task: GracefulEvictionTask,
  field: (name: keyof GracefulEvictionTask) => string,
  clock: EvictionClock,
  state: string,
): Evidence {
  const own = task.gracePeriodSeconds != null;
  const length = formatDuration(timeoutOf(task, clock));
  const deadline = evictionDeadline(task, clock);
  const at = deadline === undefined ? 'no instant' : rfc3339(deadline);
  return {
    rule: `the time of ${length} ${state} ${at} (${own ? 'gracePeriodSeconds' : 'graceful-eviction-timeout'})`,
    field: own ? field('gracePeriodSeconds') : field('creationTimestamp'),
    value: own ? task.gracePeriodSeconds : task.creationTimestamp,
  };
}

function scheduledEvidence(binding: ResourceBinding): Evidence[] {
  const { metadata, status } = binding;
  return [
    {
      rule: isScheduled(binding)
        ? 'the present spec has been scheduled'
        : `the present spec (generation ${metadata.generation ?? 0}) has not been scheduled`,
      field: 'status.schedulerObservedGeneration',
      value: status?.schedulerObservedGeneration ?? 0,
    },
  ];
}

function healthEvidence(binding: ResourceBinding): Evidence[] {
  const field = 'status.aggregatedStatus';
  const unhealthy = unhealthyTargets(binding);
  if (unhealthy.length > 0)
    return unhealthy.map(({ cluster, health }) => ({
      rule: `${cluster} ${health === undefined ? 'has reported nothing' : `reports ${health}`}`,
      field,
      ...(health && { value: health }),
    }));
  const clusters = (binding.spec.clusters ?? []).map(({ name }) => name);
  const rule =
    clusters.length > 0
      ? 'every cluster of the result reports Healthy'
      : 'the result names no cluster, so none is unhealthy';
  return [{ rule, field: 'spec.clusters', value: clusters }];
}
