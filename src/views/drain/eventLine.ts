import { paceReason } from './paceReason.ts';
import type { DrainEvent } from '../../analysis/drain/drainEvent.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Words } from '../../presentation/model.ts';
import { bad, faint, good, warn } from '../../presentation/words.ts';
import { because } from './planFates.ts';
import { duration } from '../words/duration.ts';
import { objectText } from '../words/objectText.ts';
import { placementText } from '../words/placement.ts';
import { workloadName } from '../words/workloadName.ts';
import { plural } from '../words/plural.ts';

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
