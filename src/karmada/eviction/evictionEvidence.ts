import type { GracefulEvictionTask, ResourceBinding } from '../api/work.ts';
import { whenTold } from '../dialects/history.ts';
import type { Rules } from '../dialects/rules.ts';
import { eviction } from '../dialects/switches/eviction.ts';
import { formatDuration, rfc3339 } from '../../kubernetes/time.ts';
import type { Evidence } from '../evidence.ts';
import { countedTasks } from './countedTasks.ts';
import {
  evictionDeadline,
  graceOf,
  timesOut,
  type EvictionClock,
  type EvictionRule,
} from './evictionRule.ts';
import { isScheduled, unhealthyTargets } from './replacement.ts';

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
    case 'unattended':
      return [
        {
          rule: 'karmada-controller-manager does not start the graceful eviction controller (controllers): Karmada ends the task neither by health nor by time',
        },
      ];
    case 'unscheduled':
      return [{ rule: unscheduledText }, ...scheduledEvidence(binding)];
    case 'new':
      return [
        {
          rule: `the graceful eviction controller has not seen the task yet${timesOut(task, clock.rules) ? '; its time starts when it does' : ''}`,
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
      return [...scheduledEvidence(binding), ...healthEvidence(binding, clock.rules)];
    case 'returned':
      return [returnedEvidence(task)];
    case 'waiting':
      return [
        timesOut(task, clock.rules) ? timeEvidence(task, field, clock, 'runs until') : timeless,
        ...checkedEvidence(binding, clock),
      ];
  }
}

/** Why each check that is in use fails; nothing if one of them passes. */
function checkedEvidence(binding: ResourceBinding, { plugins, rules }: EvictionClock): Evidence[] {
  if (!plugins.includes('ResourceHealth')) return [unchecked];
  return [...scheduledEvidence(binding), ...(isScheduled(binding) ? healthEvidence(binding, rules) : [])];
}

const { values } = eviction.taskAssessment;
const unscheduledText = `this version looks at tasks only while the present spec is scheduled: until then neither health nor time ends them (mended ${whenTold(values, (value) => value === 'allBindings')})`;

const timeless: Evidence = { rule: 'tasks do not time out: it stays until its copy is replaced' };
const unchecked: Evidence = {
  rule: 'evict-plugins does not have ResourceHealth: the health of a replacement ends no task',
};

function returnedEvidence({ fromCluster }: GracefulEvictionTask): Evidence {
  return { rule: `the result has ${fromCluster} again`, field: 'spec.clusters', value: fromCluster };
}

function timeEvidence(
  task: GracefulEvictionTask,
  field: (name: keyof GracefulEvictionTask) => string,
  clock: EvictionClock,
  state: string,
): Evidence {
  const own = task.gracePeriodSeconds != null;
  const length = formatDuration(graceOf(task, clock));
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

function healthEvidence(binding: ResourceBinding, { eviction }: Rules): Evidence[] {
  const field = 'status.aggregatedStatus';
  const unhealthy = unhealthyTargets(binding);
  if (unhealthy.length > 0)
    return unhealthy.map(({ cluster, health }) => ({
      rule: `${cluster} ${health === undefined ? 'has reported nothing' : `reports ${health}`}`,
      field,
      ...(health && { value: health }),
    }));
  const clusters = (binding.spec.clusters ?? []).map(({ name }) => name);
  const ofNone =
    eviction.emptyResult === 'healthy'
      ? 'the result names no cluster, so none is unhealthy'
      : 'the result names no cluster, so that nothing replaces the old copy';
  const rule = clusters.length > 0 ? 'every cluster of the result reports Healthy' : ofNone;
  return [{ rule, field: 'spec.clusters', value: clusters }];
}
