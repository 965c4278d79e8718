import type { EvictionCourse, History, HistoryEvent } from '../../src/analysis/history/history.ts';
import { objectKey } from '../../src/karmada/objects/identities.ts';
import type { TargetCluster } from '../../src/karmada/api/work.ts';

/** Milliseconds by which two tell the same instant: one in whole seconds, one when a watch told it. */
const SAME = 3000;

/** What a timeline that was put together afterwards says that is not so, as what was seen shows. One line each. */
export function contradictions(told: History, seen: History): string[] {
  const unheard = seen.doubts.flatMap(({ from, to = Infinity }) =>
    from === undefined ? [] : [{ from, to }],
  );
  const within = (time: number) =>
    time > seen.start + SAME &&
    time <= seen.end &&
    !unheard.some(({ from, to }) => from - SAME <= time && time <= to + SAME);
  return [
    ...told.events.filter(({ time }) => within(time)).flatMap((event) => eventContradictions(event, seen)),
    ...told.evictions.flatMap((course) => courseContradictions(course, seen, within)),
    ...spanContradictions(told, seen),
  ];
}

/** What the changes of a control plane show; Events tell of more. */
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
  // Events tell of conditions that were another way within the same second
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

function isSameType(seen: HistoryEvent['type'], told: HistoryEvent['type']): boolean {
  return seen === told || (told === 'TaintAdded' && seen === 'TaintRenewed');
}

const STEPS = ['detected', 'tainted', 'evicted', 'scheduled', 'ready', 'ended', 'gone'] as const;

function courseContradictions(
  told: EvictionCourse,
  seen: History,
  within: (time: number) => boolean,
): string[] {
  const anchor = (['evicted', 'ended'] as const).find((step) => told[step] !== undefined);
  if (!anchor || !within(told[anchor]!)) return [];
  const what = `eviction of ${objectKey(told.workload)} from ${told.from}`;
  const same = seen.evictions.filter(
    ({ workload, from }) => from === told.from && objectKey(workload) === objectKey(told.workload),
  );
  const one = same.find((course) => Math.abs((course[anchor] ?? NaN) - told[anchor]!) <= SAME);
  if (!one)
    return [
      `${what}, ${anchor} ${clock(told[anchor]!)}: was seen ${same.map((course) => clock(course[anchor])).join(', ') || 'never'}`,
    ];
  const steps = STEPS.flatMap((step) => {
    const [time, real] = [told[step], one[step]];
    if (time === undefined || !within(time)) return [];
    return real !== undefined && Math.abs(real - time) <= SAME
      ? []
      : [`${what}: ${step} ${clock(time)}, was seen ${clock(real)}`];
  });
  const to =
    told.to.length > 0 && placement(told.to) !== placement(one.to)
      ? [`${what}: to ${placement(told.to)}, was seen to ${placement(one.to) || 'nowhere'}`]
      : [];
  return [...steps, ...to];
}

function spanContradictions(told: History, seen: History): string[] {
  const key = ({ workload, cluster, phase }: History['spans'][number]) =>
    `${objectKey(workload)} ${cluster ?? (phase === 'gap' ? 'gap' : '')} ${phase}`;
  const open = new Map(seen.spans.filter(({ to }) => to === undefined).map((one) => [key(one), one]));
  return told.spans.flatMap((span) => {
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
