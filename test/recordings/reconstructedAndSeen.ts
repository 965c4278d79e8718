import type { EvictionTimes, History, HistoryEvent } from '../../src/analysis/history/history.ts';
import { objectKey } from '../../src/karmada/objects/identities.ts';
import type { TargetCluster } from '../../src/karmada/api/work.ts';

/**
 * The allowed difference in milliseconds between two reports of one instant: one in whole seconds, one from a watch.
 */
const SAME = 3000;

/** The false statements of a reconstructed timeline, judging by the observations. One line each. */
export function contradictions(reported: History, seen: History): string[] {
  const unheard = seen.doubts.flatMap(({ from, to = Infinity }) =>
    from === undefined ? [] : [{ from, to }],
  );
  const within = (time: number) =>
    time > seen.start + SAME &&
    time <= seen.end &&
    !unheard.some(({ from, to }) => from - SAME <= time && time <= to + SAME);
  return [
    ...reported.events
      .filter(({ time }) => within(time))
      .flatMap((event) => eventContradictions(event, seen)),
    ...reported.evictions.flatMap((course) => courseContradictions(course, seen, within)),
    ...spanContradictions(reported, seen),
  ];
}

/** What the changes of a control plane show; Events report more. */
const SHOWN = new Set<HistoryEvent['type']>([
  'ConditionChanged',
  'TaintAdded',
  'Evicted',
  'Scheduled',
  'ScheduleFailed',
  'TaskEnded',
  'WorkCreated',
  'WorkDeleted',
]);

function eventContradictions(event: HistoryEvent, seen: History): string[] {
  const { type, object, time, cluster, message, controller, clusters, source = '' } = event;
  // Events report conditions that were different within the same second
  if (!SHOWN.has(type) || (type === 'ScheduleFailed' && source.startsWith('Event'))) return [];
  const what = `${clock(time)} ${type} ${objectKey(object)} ${cluster ?? ''} ${message ?? ''} ${placement(clusters)}`;
  const alike = seen.events.filter(
    (one) =>
      isSameType(one.type, type) &&
      objectKey(one.object) === objectKey(object) &&
      (cluster === undefined || one.cluster?.split(',').includes(cluster) === true) &&
      (type !== 'ConditionChanged' || one.message === message),
  );
  const near = alike.filter((one) => Math.abs(one.time - time) <= SAME);
  if (near.length === 0)
    return [`${what}: was seen at ${alike.map((one) => clock(one.time)).join(', ') || 'no time'}`];
  if (
    type === 'Scheduled' &&
    clusters &&
    !near.some((one) => placement(one.clusters) === placement(clusters))
  )
    return [`${what}: was seen to be placed on ${near.map((one) => placement(one.clusters)).join(' | ')}`];
  if (controller !== '' && !near.some((one) => one.controller === '' || one.controller === controller))
    return [`${what}: by ${controller}, was seen by ${near.map((one) => one.controller).join(', ')}`];
  return [];
}

function isSameType(seen: HistoryEvent['type'], reported: HistoryEvent['type']): boolean {
  return seen === reported || (reported === 'TaintAdded' && seen === 'TaintRenewed');
}

const STEPS = ['detected', 'tainted', 'evicted', 'scheduled', 'ready', 'ended', 'gone'] as const;

function courseContradictions(
  reported: EvictionTimes,
  seen: History,
  within: (time: number) => boolean,
): string[] {
  const anchor = (['evicted', 'ended'] as const).find((step) => reported[step] !== undefined);
  if (!anchor || !within(reported[anchor]!)) return [];
  const what = `eviction of ${objectKey(reported.workload)} from ${reported.from}`;
  const same = seen.evictions.filter(
    ({ workload, from }) => from === reported.from && objectKey(workload) === objectKey(reported.workload),
  );
  const one = same.find((course) => Math.abs((course[anchor] ?? NaN) - reported[anchor]!) <= SAME);
  if (!one)
    return [
      `${what}, ${anchor} ${clock(reported[anchor]!)}: was seen ${same.map((course) => clock(course[anchor])).join(', ') || 'never'}`,
    ];
  const steps = STEPS.flatMap((step) => {
    const [time, real] = [reported[step], one[step]];
    if (time === undefined || !within(time)) return [];
    return real !== undefined && Math.abs(real - time) <= SAME
      ? []
      : [`${what}: ${step} ${clock(time)}, was seen ${clock(real)}`];
  });
  const to =
    reported.to.length > 0 && placement(reported.to) !== placement(one.to)
      ? [`${what}: to ${placement(reported.to)}, was seen to ${placement(one.to) || 'nowhere'}`]
      : [];
  return [...steps, ...to];
}

function spanContradictions(reported: History, seen: History): string[] {
  const key = ({ workload, cluster, phase }: History['spans'][number]) =>
    `${objectKey(workload)} ${cluster ?? (phase === 'gap' ? 'gap' : '')} ${phase}`;
  const open = new Map(seen.spans.filter(({ to }) => to === undefined).map((one) => [key(one), one]));
  return reported.spans.flatMap((span) => {
    const same = open.get(key(span));
    if (!same) return [`span ${key(span)}: was not seen`];
    if (span.phase === 'gap')
      return span.replicas! <= same.replicas! ? [] : [`${key(span)}: ${span.replicas} of ${same.replicas}`];
    return span.ready === same.ready
      ? []
      : [`span ${key(span)}: ready ${span.ready}, was seen ${same.ready}`];
  });
}

function placement(clusters: readonly TargetCluster[] = []): string {
  return clusters
    .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
    .sort()
    .join(' ');
}

function clock(time: number | undefined): string {
  return time === undefined ? 'never' : new Date(time).toISOString().slice(11, 23);
}
