import type {
  CurrentPace,
  DrainEvent,
  DrainResult,
  DrainPhase,
} from '../../analysis/drain/decide/drainStep.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Words, Presentation } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, asWarning, inLines, lineBlocks } from '../../presentation/words.ts';
import { plural, listed } from '../words/amounts.ts';
import { duration } from '../words/duration.ts';
import { objectText, placementText, workloadName } from '../words/names.ts';
import { reasonWords } from './planFates.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { countTexts, PHASES, phaseCounts } from './phases.ts';

/** Wide enough for offsets of up to an hour, so that lines stay aligned. */
const OFFSET = 8;

/** An event as a log line; offsets count from `startedAt`. Empty for the end, which has its own text. */
export function eventLine(event: DrainEvent, startedAt: number): Words {
  const words = eventWords(event);
  if (words === '') return '';
  const offset = `T+${duration(Math.max(0, event.time - startedAt))}`;
  return [asFaint(offset.padEnd(OFFSET)), ' ', words];
}

/** An event without its time; empty for the end. */
export function eventWords(event: DrainEvent): Words {
  switch (event.type) {
    case 'started':
      return `${event.resumed ? 'resuming the drain of' : 'draining'} ${event.clusters.join(', ')}: ${plural(event.workloads, 'workload')}`;
    case 'cordoned':
    case 'uncordoned':
      return `${event.type} cluster/${event.cluster}`;
    case 'evicted':
      return `evicted ${workloadName(event.workload)} from ${fromText(event.from)}`;
    case 'scheduled':
      return event.to.length === 0
        ? asWarning(`unschedulable ${workloadName(event.workload)}`)
        : `placed ${workloadName(event.workload)} on ${placementText(event.to)}`;
    case 'released':
      return `released ${workloadName(event.workload)} on ${event.from.join(', ')}, its replacement is ready`;
    case 'gone':
      return asGood(`gone ${workloadName(event.workload)} from ${event.from.join(', ')}`);
    case 'stays':
      return `${workloadName(event.workload)} stays: ${event.reason}`;
    case 'skipped':
      return asWarning([`skipped ${workloadName(event.workload)}`, reasonWords(event.reason)]);
    case 'stuck':
      return asBad([`stuck ${workloadName(event.workload)}`, reasonWords(event.reason)]);
    case 'cancelled':
      return `restored ${workloadName(event.workload)} on ${placementText(event.to)}`;
    case 'conflict':
      return `retried ${objectText(event.object)}: another client had changed it`;
    case 'pace': {
      const { mode, rate } = event.pace;
      const reason = paceReason(event.pace);
      const text = `pace ${mode}${mode === 'paused' ? '' : ` (${rate}/s)`}${reason === '' ? '' : `: ${reason}`}`;
      return mode === 'normal' ? text : asWarning(text);
    }
    case 'stale':
      return asWarning(`the server has not answered since ${rfc3339Milliseconds(event.since)}`);
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

/** Whether an event stays on the terminal above the live view: a user may look for it later. */
export function isRemarkable({ type }: DrainEvent): boolean {
  return ['cordoned', 'uncordoned', 'stays', 'skipped', 'stuck', 'pace', 'stale', 'heard-again'].includes(
    type,
  );
}

/** Tests whether an event says something new about its workload: a reason may come and go. */
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

/** The reason for the pace, and the remedy, if any. */
export function paceReason({ mode, cause, reason }: CurrentPace): string {
  if (cause !== 'scheduler' || mode !== 'paused') return reason;
  return `${reason}; check that karmada-scheduler runs: until it answers, nothing more is evicted, and nothing is lost`;
}

/** An event as a line of -o json; offsets count from `startedAt`. The end has its own document. */
export function drainEventDocument(event: Exclude<DrainEvent, { type: 'finished' }>, startedAt: number) {
  const { time, type, ...rest } = event;
  return {
    kind: 'DrainEvent' as const,
    schemaVersion: 'v1',
    time: rfc3339Milliseconds(time),
    offsetSeconds: Math.round(time - startedAt) / 1000,
    type,
    ...rest,
    ...('since' in rest ? { since: rfc3339Milliseconds(rest.since) } : {}),
  };
}

/** The result of a drain: its own document, the last line of -o json. */
export function drainResultDocument({ outcome, reason, gone, seconds, workloads }: DrainResult) {
  return {
    kind: 'DrainResult' as const,
    schemaVersion: 'v1',
    outcome,
    ...(reason === undefined ? {} : { reason }),
    gone,
    seconds: Math.round(seconds * 1000) / 1000,
    // only the screen shows the deadline: workloads waiting for it say so in words
    workloads: workloads.map(({ deadline: _deadline, timedByFlag: _timedByFlag, ...workload }) => workload),
  };
}

const MAX_OPEN = 10;
/** Phases of workloads that are still there; those that need attention come first. */
const OPEN: readonly DrainPhase[] = [
  'stuck',
  'skipped',
  'leaving',
  'ready',
  'starting',
  'scheduling',
  'queued',
  'stays',
];

/**
 * The result of a drain: a sentence, then the workloads that are still there and why. `planned` are those that the plan
 * left in place: they are named, too, so that a drained cluster that still runs them is not switched off.
 */
export function resultLines(
  { outcome, reason, gone, seconds, workloads }: DrainResult,
  clusters: string[],
  planned: readonly ObjectIdentity[] = [],
): Presentation {
  const names = listed(clusters);
  const time = duration(seconds * 1000);
  const left = gone === 1 ? '1 workload has left' : `${gone} workloads have left`;
  if (outcome === 'done') {
    const many = clusters.length > 1 ? 'are' : 'is';
    const what = `${gone === 0 ? 'no workload to evict' : left}`;
    const found = workloads.filter(({ phase }) => phase === 'stays').map(({ workload }) => workload);
    const staying = [...new Set([...planned, ...found].map(workloadName))];
    if (staying.length === 0)
      return inLines([[asGood(`${names} ${many} drained: ${what}`), `, after ${time}`]]);
    const count = staying.length === 1 ? '1 workload' : `${staying.length} workloads`;
    const still = listed(staying, MAX_OPEN);
    return inLines([
      [asGood(`${names} ${many} drained`), ' except ', asWarning(count), `: ${what}, after ${time}`],
      `Staying as planned: ${still}`,
    ]);
  }
  const counts = phaseCounts(workloads);
  const rest = countTexts(
    counts,
    PHASES.filter((phase) => phase !== 'gone'),
  ).join(', ');
  const what = outcome === 'stopped' ? 'Stopped' : 'Not finished';
  const head = asWarning(`${what}${reason ? `: ${reason}` : ''}`);
  const open = workloads
    .filter(({ phase }) => phase !== 'gone')
    .sort((a, b) => OPEN.indexOf(a.phase) - OPEN.indexOf(b.phase));
  const rows = open
    .slice(0, MAX_OPEN)
    .map(({ phase, workload, waitingFor = '' }) => [phase, workloadName(workload), waitingFor]);
  const more = open.length - rows.length;
  return {
    blocks: [
      {
        type: 'section',
        blocks: [
          ...lineBlocks([head, `${left} after ${time}${rest === '' ? '' : `; ${rest}`}`]),
          {
            type: 'section',
            inset: true,
            blocks: [{ type: 'rows', rows }, ...(more > 0 ? lineBlocks([asFaint(`and ${more} more`)]) : [])],
          },
        ],
      },
    ],
  };
}
