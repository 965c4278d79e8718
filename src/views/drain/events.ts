import type { CurrentPace, DrainEvent, DrainResult } from '../../analysis/drain/decide/drainStep.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Words } from '../../presentation/model.ts';
import { bad, faint, good, warn } from '../../presentation/words.ts';
import { plural } from '../words/amounts.ts';
import { duration } from '../words/duration.ts';
import { objectText, placementText, workloadName } from '../words/names.ts';
import { because } from './planFates.ts';

/** Wide enough for the offsets of an hour, so that lines stay aligned. */
const OFFSET = 8;

/** An event as a line of a log; offsets count from `startedAt`. Empty for the end, which has a text of its own. */
export function eventLine(event: DrainEvent, startedAt: number): Words {
  const words = eventWords(event);
  if (words === '') return '';
  const offset = `T+${duration(Math.max(0, event.time - startedAt))}`;
  return [faint(offset.padEnd(OFFSET)), ' ', words];
}

/** An event without its time; empty for the end. */
export function eventWords(event: DrainEvent): Words {
  switch (event.type) {
    case 'started':
      return `${event.resumed ? 'going on with' : 'draining'} ${event.clusters.join(', ')}: ${plural(event.workloads, 'workload')}`;
    case 'cordoned':
    case 'uncordoned':
      return `${event.type} cluster/${event.cluster}`;
    case 'evicted':
      return `evicted ${workloadName(event.workload)} from ${fromText(event.from)}`;
    case 'scheduled':
      return event.to.length === 0
        ? warn(`no place for ${workloadName(event.workload)}`)
        : `placed ${workloadName(event.workload)} on ${placementText(event.to)}`;
    case 'released':
      return `released ${workloadName(event.workload)} on ${event.from.join(', ')}, its replacement is ready`;
    case 'gone':
      return good(`gone ${workloadName(event.workload)} from ${event.from.join(', ')}`);
    case 'stays':
      return `${workloadName(event.workload)} stays: ${event.reason}`;
    case 'skipped':
      return warn([`skipped ${workloadName(event.workload)}`, because(event.reason)]);
    case 'stuck':
      return bad([`stuck ${workloadName(event.workload)}`, because(event.reason)]);
    case 'cancelled':
      return `put back ${workloadName(event.workload)} on ${placementText(event.to)}`;
    case 'conflict':
      return `looked again at ${objectText(event.object)}, which somebody else has changed`;
    case 'pace': {
      const { mode, rate } = event.pace;
      const reason = paceReason(event.pace);
      const text = `pace ${mode}${mode === 'paused' ? '' : ` (${rate}/s)`}${reason === '' ? '' : `: ${reason}`}`;
      return mode === 'normal' ? text : warn(text);
    }
    case 'stale':
      return warn(`the server has not answered since ${rfc3339Milliseconds(event.since)}`);
    case 'heard-again':
      return 'the server answers again';
    case 'finished':
      return '';
  }
}

function fromText(from: TargetCluster[]): string {
  return from
    .map(({ name, replicas }) => (replicas ? `${name} (${plural(replicas, 'replica')})` : name))
    .join(' and ');
}

/** Whether an event stays on a terminal above the view of the present state: a person may look for it later. */
export function isRemarkable({ type }: DrainEvent): boolean {
  return ['cordoned', 'uncordoned', 'stays', 'skipped', 'stuck', 'pace', 'stale', 'heard-again'].includes(
    type,
  );
}

/** A test whether an event says something new about its workload: a reason may come and go. */
export function newReasons(): (event: DrainEvent) => boolean {
  const last = new Map<string, string>();
  return (event) => {
    if (event.type !== 'stays' && event.type !== 'skipped' && event.type !== 'stuck') return true;
    const key = objectKey(event.binding);
    const text = `${event.type} ${event.reason}`;
    const isNew = last.get(key) !== text;
    last.set(key, text);
    return isNew;
  };
}

/** The reason for the pace, and what a person has to do about it, if anything. */
export function paceReason({ mode, cause, reason }: CurrentPace): string {
  if (cause !== 'scheduler' || mode !== 'paused') return reason;
  return `${reason}; check that karmada-scheduler runs: until it answers, nothing more is evicted, and nothing is lost`;
}

/** An event as a line of -o json; offsets count from `startedAt`. The end has a document of its own. */
export function drainEventDocument(event: Exclude<DrainEvent, { type: 'finished' }>, startedAt: number) {
  const { time, type, ...rest } = event;
  return {
    kind: 'DrainEvent',
    schemaVersion: 'v1',
    time: rfc3339Milliseconds(time),
    offsetSeconds: Math.round(time - startedAt) / 1000,
    type,
    ...rest,
    ...('since' in rest ? { since: rfc3339Milliseconds(rest.since) } : {}),
  };
}

/** How a drain ended: a document of its own, the last line of -o json. */
export function drainResultDocument({ outcome, reason, gone, seconds, workloads }: DrainResult) {
  return {
    kind: 'DrainResult',
    schemaVersion: 'v1',
    outcome,
    ...(reason === undefined ? {} : { reason }),
    gone,
    seconds: Math.round(seconds * 1000) / 1000,
    // a deadline is of the screen alone: what waits for it says so in words
    workloads: workloads.map(({ deadline: _deadline, ...workload }) => workload),
  };
}
