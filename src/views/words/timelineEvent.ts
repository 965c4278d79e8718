import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { duration } from './duration.ts';
import { placementText } from './names.ts';

/** An event for json and yaml; offsets count from `start` (epoch milliseconds). */
export function eventDocument({ time, controller, type, object, ...rest }: TimelineEvent, start: number) {
  return {
    time: rfc3339Milliseconds(time),
    offsetSeconds: (time - start) / 1000,
    controller,
    type,
    object,
    ...rest,
  };
}

/** "T+35.1s", "T+3m": tenths of a second in the first minute, when steps are close together. */
export function offsetText(time: number, start: number): string {
  const milliseconds = time - start;
  if (milliseconds < 60_000) return `T+${(Math.round(milliseconds / 100) / 10).toString()}s`;
  return `T+${duration(milliseconds)}`;
}

/** The text of an event, without its object. */
export function eventWords({ type, cluster, message, reason, clusters, evicting }: TimelineEvent): string {
  const placement = clusters ? placementText(clusters) : '';
  switch (type) {
    case 'ClusterFailed':
      return 'fails';
    case 'ClusterRecovered':
      return 'recovers';
    case 'ConditionChanged':
      return `${message ?? ''}${reason ? ` (${reason})` : ''}`;
    case 'TaintAdded':
      return `gets taint ${message ?? ''}`;
    case 'TaintRemoved':
      return `loses taint ${message ?? ''}`;
    case 'TaintRenewed':
      return `has taint ${message ?? ''} renewed`;
    case 'TaintClusterFailed':
      return `refuses its taints: ${message ?? ''}`;
    case 'EvictionWaits':
      return `${message ?? ''} on ${cluster ?? ''}`;
    case 'Evicted':
      return message ?? `evicted from ${cluster ?? ''}`;
    case 'Scheduled':
      // a single state does not show all of a duplicated placement
      if (!clusters) return 'rescheduled';
      return placement === '' ? 'placed on no cluster' : `placed on ${placement}`;
    case 'ScheduleFailed':
      return `not placed: ${message ?? reason ?? ''}`;
    case 'TaskStamped':
      return `eviction task gets its creationTimestamp, evicting ${(evicting ?? []).join(', ')}`;
    case 'HealthChanged':
      return `${message ?? ''} on ${cluster ?? ''}`;
    case 'WorkCreated':
      return `Work for ${cluster ?? ''} created${message ? `, ${message}` : ''}`;
    case 'WorkUpdated':
      return `Work for ${cluster ?? ''} written${message ? `, ${message}` : ''}`;
    case 'WorkDeleted':
      return `Work for ${cluster ?? ''} deleted`;
    case 'WorkRemoved':
      return `gone from ${cluster ?? ''}`;
    case 'BindingFollowed':
      return 'follows its policy';
    case 'RescheduleTriggered':
      return 'is due for rescheduling';
    case 'PolicyWaits':
      return `not claimed by a policy: ${message ?? ''}`;
    case 'Restarted':
      return 'is restarted';
    case 'Stopped':
      return 'is stopped';
    case 'Started':
      return 'is started';
    case 'ObjectApplied':
      return 'applied';
    case 'ObjectDeleted':
      return message ?? 'deleted';
    case 'EvictionsQueued':
      return `is faulty: ${message ?? ''}`;
    case 'EvictionAbandoned':
      return `eviction from ${cluster ?? ''} abandoned: ${message ?? ''}`;
    case 'EvictionDropped':
      return `eviction from ${cluster ?? ''} dropped from the queue: ${message ?? ''}`;
    case 'EvictionPaceChanged':
      return `changes the pace: ${message ?? ''}`;
    case 'EvictionBlocked':
      return `eviction blocked: ${message ?? ''}`;
    case 'TaintsWritten':
      return `has the taints ${message ?? ''}`;
    case 'TaintsFailed':
      return `taints could not be written: ${message ?? ''}`;
    case 'EvictionFailed':
      return `eviction from ${cluster ?? ''} could not be written`;
    case 'WorksWritten':
      return 'Works written';
    case 'WorksFailed':
      return `Works could not be written: ${message ?? ''}`;
    case 'DependenciesFollowed':
      return message ?? 'follows the workloads that need it';
    case 'TaskEnded':
    case 'TaskReleased':
    case 'WaitsForDirectPurge':
      return message ?? type;
  }
}
