import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../src/karmada/api/work.ts';
import type { Recording } from './recording.ts';
import { keyOf } from './replay.ts';
import { bindingOfWork, ownerOf } from './workSteps.ts';

/** A change of the recording, with the previous object. */
interface Seen<T> {
  /** epoch milliseconds */
  time: number;
  before?: T;
  after?: T;
}

/** A recording, indexed by the subjects of sentences; keys are "namespace/name", for Works those of their bindings. */
interface Facts {
  clusters: Map<string, Seen<Cluster>[]>;
  bindings: Map<string, Seen<ResourceBinding>[]>;
  works: Map<string, Seen<Work>[]>;
  /** Events that report a failure, each once per change */
  failures: Failure[];
  /** names of workloads as the timeline writes them, by the key of their bindings */
}

interface Failure extends KubernetesObject {
  reason?: string;
  message?: string;
  firstTimestamp?: string;
  lastTimestamp?: string;
  involvedObject?: { name?: string };
}

/** Whether the changes confirm a sentence; undefined if they do not show it. */
type Check = (found: string[], facts: Facts, from: number, to: number) => boolean;

/**
 * The sentences of a timeline or a report, as text without wrapped lines, that contradict the recording's changes or cannot be checked
 * here; one line each. It reads only the changes, and no code for histories.
 */
export function contradictedSentences(recording: Recording, text: string): string[] {
  const facts = factsOf(recording);
  return text.split('\n').flatMap((line) => contradictionsIn(line, facts));
}

function contradictionsIn(line: string, facts: Facts): string[] {
  const step = /^\s*(\d{4}-\S+Z)\s+(?:[a-z][a-z-]+\s{2,})?(\S.*)$/.exec(line);
  if (step) return ofStep(line, Date.parse(step[1]!), step[2]!, facts);
  const row = EVICTION_ROW.exec(line);
  if (row) return isTrue(evictionRow(row, facts), line);
  const total =
    /^What happened: (?:(.+?) (?:was |were )?not Ready(?:, \d+ times(?: together)?)?[,;.] ?)?(.*)$/.exec(
      line,
    );
  if (total) {
    const [, names, rest = ''] = total;
    const parts = rest
      .replace(/\.$/, '')
      .split(/[,;] (?=\d|nothing)/)
      .filter((part) => part !== '');
    return [
      ...(names === undefined ? [] : isTrue(wereNotReady(names, facts), line)),
      ...parts.flatMap((part) => isTrue(ofTotal(part, facts), `${line} [${part}]`)),
    ];
  }
  const flaps = /^Became not Ready: (.*)\.$/.exec(line);
  if (flaps) return flaps[1]!.split(', ').flatMap((part) => isTrue(ofFlaps(part, facts), line));
  return [];
}

const isTrue = (verdict: boolean, line: string) => (verdict ? [] : [line.trim()]);

const LASTS = /, over ((?:\d+[dhms])+)$/;

function ofStep(line: string, from: number, words: string, facts: Facts): string[] {
  const lasts = LASTS.exec(words)?.[1];
  const to = from + (lasts ? milliseconds(lasts) : 0) + 1999;
  const plain = words.replace(LASTS, '').replace(/, \d+ times$/, '');
  for (const [pattern, check] of CHECKS) {
    const found = pattern.exec(plain);
    if (found) return isTrue(check(found.slice(1), facts, from, to), line);
  }
  return [`${line.trim()} [nothing checks this sentence]`];
}

const BINDING = '(?:Cluster)?ResourceBinding (\\S+)';
const THINGS = `${BINDING}|Work (\\S+)`;

/** The meaning of each kind of sentence of a step; the first match applies. */
const CHECKS: [pattern: RegExp, check: Check][] = [
  ...ofMany(),
  [/^(\S+) ([A-Za-z]+)=(True|False|Unknown)(?: \((.+)\))?$/, ofCluster(turned)],
  [
    /^(\S+) gets taint (\S+)$/,
    ofCluster((before, after, [, taint]) => !has(before, taint) && has(after, taint)),
  ],
  [
    /^(\S+) loses taint (\S+)$/,
    ofCluster((before, after, [, taint]) => has(before, taint) && !has(after, taint)),
  ],
  [
    /^(\S+) has taint (\S+) renewed$/,
    ofCluster((before, after, [, taint]) => (before?.spec?.taints ?? []).length > 0 && has(after, taint)),
  ],
  [
    /^(?:\w+ (?:\S+\/)?)?(\S+) (?:taints|Works|eviction from \S+) could not be written(?:: (.*))?$/,
    ([name, message], { failures }, from, to) =>
      failures.some(
        (one) =>
          one.involvedObject?.name === name &&
          Date.parse(one.firstTimestamp ?? '') <= to &&
          Date.parse(one.lastTimestamp ?? '') >= from - 1000 &&
          (message === undefined || flat(one.message).includes(flat(message))),
      ),
  ],
  [
    /^(?:evictions|Works) of (\d+) workloads?(?: from \S+)? could not be written$/,
    ([count], { failures }) => new Set(failures.map((one) => one.involvedObject?.name)).size >= Number(count),
  ],
  [new RegExp(`^(?:${THINGS}|(\\S+)) (deleted|gone)$`), deletion],
  [/^(\S+) applied$/, (found, { clusters }) => clusters.has(found[0]!)],
  ofBinding(
    'evicted from (.+), (Directly|Gracefully|Graciously|Immediately|Never|PurgeMode)(, the old copy is held)?',
    (before, after, [names = '', mode, held]) =>
      names
        .split(', ')
        .every((name) => !tasksOf(before).has(name) && tasksOf(after).get(name)?.purgeMode === mode) &&
      (held === undefined || [...tasksOf(after).values()].some(({ suppressDeletion }) => suppressDeletion)),
  ),
  ofBinding(
    'placed on (?:no cluster|(.+))',
    (before, after, [placement = '']) =>
      placementOf(after) === placement && placementOf(before) !== placement,
  ),
  ofBinding('not placed: (.*)', (_, after, [why]) =>
    (after?.status?.conditions ?? []).some(
      ({ type, status, message, reason }) =>
        type === 'Scheduled' && status !== 'True' && flat(message ?? reason) === flat(why),
    ),
  ),
  ofBinding(
    'the eviction from (.+) is over: the scheduling result contains it again',
    (before, after, [names = '']) =>
      names
        .split(', ')
        .every(
          (name) =>
            tasksOf(before).has(name) && !tasksOf(after).has(name) && clusterNames(after).includes(name),
        ),
  ),
  ofBinding(
    '(?:the eviction from (.+) ends|the old copy on (.+) is deleted)( without a replacement)?',
    (before, after, [ends, copy, nothing]) =>
      (ends ?? copy!).split(', ').every((name) => tasksOf(before).has(name) && !tasksOf(after).has(name)) &&
      (nothing === undefined) === clusterNames(after).length > 0,
  ),
  ofBinding('the old copy on (.+) is released', (before, after, [names = '']) =>
    names
      .split(', ')
      .every(
        (name) => tasksOf(before).get(name)?.suppressDeletion && !tasksOf(after).get(name)?.suppressDeletion,
      ),
  ),
  ofBinding(
    'eviction task gets its creationTimestamp, evicting (.+)',
    (_, after, [names]) => [...tasksOf(after).keys()].join(', ') === names,
  ),
  ofBinding(
    '(Healthy|Unhealthy|Unknown) on (\\S+)',
    (before, after, [health, cluster]) =>
      healthOn(after, cluster) === health && healthOn(before, cluster) !== health,
  ),
  ofBinding(
    'follows the workloads that need it',
    (before, after) => JSON.stringify(before?.spec.requiredBy) !== JSON.stringify(after?.spec.requiredBy),
  ),
  ofBinding(
    'is due for rescheduling',
    (before, after) => before?.spec.rescheduleTriggeredAt !== after?.spec.rescheduleTriggeredAt,
  ),
  ofBinding(
    '(?:follows its policy|applied)',
    (before, after) =>
      JSON.stringify([before?.spec, before?.metadata]) !== JSON.stringify([after?.spec, after?.metadata]),
  ),
  [
    new RegExp(`^(?:${THINGS}) Work for (\\S+) created(?:, (\\d+) replicas?)?$`),
    ofWork((before, after, replicas) => !before && after !== undefined && asks(after, replicas)),
  ],
  [
    new RegExp(`^(?:${THINGS}) Work for (\\S+) written(?:, (\\d+) replicas?)?$`),
    ofWork((before, after, replicas) => before !== undefined && after !== undefined && asks(after, replicas)),
  ],
  [
    new RegExp(`^(?:${THINGS}) Work for (\\S+) deleted$`),
    ofWork(
      (before, after) => !before?.metadata.deletionTimestamp && Boolean(after?.metadata.deletionTimestamp),
    ),
  ],
  [
    new RegExp(`^(?:${THINGS}) gone from (\\S+)$`),
    ofWork((before, after) => before !== undefined && after === undefined),
  ],
];

/** Lines that represent many workloads. */
function ofMany(): [RegExp, Check][] {
  const count = (
    workloads: string,
    does: (workload: string, facts: Facts, from: number, to: number) => boolean,
    all: Iterable<string>,
    facts: Facts,
    from: number,
    to: number,
  ) => [...all].filter((key) => does(key, facts, from, to)).length >= Number(workloads);
  const bindings =
    (
      does: (
        before: ResourceBinding | undefined,
        after: ResourceBinding | undefined,
        cluster: string,
      ) => boolean,
    ): Check =>
    (found, facts, from, to) =>
      count(
        found[0]!,
        (key) =>
          within(facts.bindings.get(key)!, from, to).some(({ before, after }) =>
            does(before, after, found[1] ?? ''),
          ),
        facts.bindings.keys(),
        facts,
        from,
        to,
      );
  return [
    [
      /^(\d+) workloads? evicted from (\S+)$/,
      bindings((before, after, names) =>
        names.split(',').every((name) => !tasksOf(before).has(name) && tasksOf(after).has(name)),
      ),
    ],
    [
      /^(\d+) workloads? rescheduled$/,
      bindings((before, after) => before !== undefined && placementOf(before) !== placementOf(after)),
    ],
    [/^(\d+) workloads? not placed$/, bindings((_, after) => after !== undefined && isUnplaced(after))],
    [
      /^evictions of (\d+) workloads? from (\S+) ended$/,
      bindings((before, after, names) =>
        names.split(',').every((name) => tasksOf(before).has(name) && !tasksOf(after).has(name)),
      ),
    ],
    [
      /^(\d+) workloads? gone from (\S+)$/,
      (found, facts, from, to) =>
        count(
          found[0]!,
          (key) =>
            key.endsWith(` → ${found[1]}`) &&
            within(facts.works.get(key)!, from, to).some(({ after }) => !after),
          facts.works.keys(),
          facts,
          from,
          to,
        ),
    ],
  ];
}

/** A sentence about a cluster must match one of the cluster's changes at that time. */
function ofCluster(
  is: (before: Cluster | undefined, after: Cluster | undefined, found: string[]) => boolean,
): Check {
  return (found, { clusters }, from, to) =>
    within(clusters.get(found[0]!) ?? [], from, to).some(({ before, after }) => is(before, after, found));
}

function ofBinding(
  words: string,
  is: (
    before: ResourceBinding | undefined,
    after: ResourceBinding | undefined,
    found: (string | undefined)[],
  ) => boolean | undefined,
): [RegExp, Check] {
  return [
    new RegExp(`^${BINDING} ${words}$`),
    ([key, ...found], { bindings }, from, to) =>
      within(bindings.get(keyText(key!)) ?? [], from, to).some(({ before, after }) =>
        is(before, after, found),
      ),
  ];
}

function ofWork(
  is: (before: Work | undefined, after: Work | undefined, replicas: string | undefined) => boolean,
): Check {
  return ([binding, work, cluster, replicas], { works }, from, to) =>
    [...works].some(
      ([key, seen]) =>
        key.endsWith(` → ${cluster}`) &&
        within(seen, from, to).some(
          ({ before, after }) =>
            (binding === undefined
              ? keyOf((after ?? before)!.metadata) === work
              : bindingOfWork(key) === keyText(binding)) && is(before, after, replicas),
        ),
    );
}

function deletion(
  [binding, work, cluster, what]: string[],
  { bindings, works, clusters }: Facts,
  from: number,
  to: number,
): boolean {
  const seen: Seen<KubernetesObject>[] = binding
    ? ((bindings.get(keyText(binding)) ?? []) as Seen<KubernetesObject>[])
    : work
      ? ([...works.values()].flat() as Seen<KubernetesObject>[])
      : ((clusters.get(cluster!) ?? []) as Seen<KubernetesObject>[]);
  return within(seen, from, to).some(({ before, after }) =>
    what === 'gone'
      ? !after
      : !after || (!before?.metadata.deletionTimestamp && Boolean(after.metadata.deletionTimestamp)),
  );
}

const EVICTION_ROW =
  /^(\S+\/\S+)\s+(\S+)\s{2,}(-|\S.*?)\s{2,}(?:(?:-|[\d.]+[dhms]\S*)\s{2,}){5}(?:-|[\d.]+[dhms]\S*)\s*$/;

/** A row of evictions: the workload was evicted from there, and was later placed so, or where it was no longer evicted from. */
function evictionRow(
  [, workload = '', from = '', placement = '']: RegExpExecArray,
  { bindings }: Facts,
): boolean {
  const seen =
    [...bindings.values()].find((all) =>
      all.some(({ before, after }) => workloadOf((after ?? before)!) === workload),
    ) ?? [];
  const evicted = seen.findIndex(
    ({ before, after }) =>
      (tasksOf(after).has(from) && !tasksOf(before).has(from)) ||
      (clusterNames(before).includes(from) && !clusterNames(after).includes(from)),
  );
  if (evicted < 0) return false;
  const placed = ({ after }: Seen<ResourceBinding>, without?: string) =>
    after !== undefined && placementOf(after, without) === placement.trim();
  const to = placement.trim();
  const last = seen.at(-1)?.after;
  // at the end its task exists, and no cluster has it
  if (to === 'nowhere') return tasksOf(last).has(from) && placementOf(last) === '';
  // it was in progress when the recording began
  if (to === 'unknown') return seen[evicted]!.before === undefined;
  // it does not go where it was evicted from
  return to === '-' || seen.slice(evicted).some((one) => placed(one) || placed(one, from));
}

/** The named clusters ceased to be Ready, or were first seen not Ready. */
function wereNotReady(names: string, { clusters }: Facts): boolean {
  return names
    .split(/, | and /)
    .filter((name) => !/^\d+ more$/.test(name))
    .every((name) =>
      (clusters.get(name) ?? []).some(
        ({ before, after }) => after !== undefined && ceases(before ?? ALWAYS_READY, after),
      ),
    );
}

const ALWAYS_READY = {
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
} as unknown as Cluster;

function ofTotal(part: string, { bindings }: Facts): boolean {
  const number = Number(/^\d+/.exec(part)?.[0]);
  const seen = [...bindings.values()];
  const evictions = seen.map((all) =>
    all.reduce((sum, { before, after }) => sum + newTasks(before, after).length, 0),
  );
  const evicted = evictions.filter((count) => count > 0).length;
  if (/workloads? evicted$/.test(part)) return number === evicted;
  if (/rescheduled$/.test(part))
    return (
      number <=
      seen.filter((all) =>
        all.some(({ before, after }) => before && after && placementOf(before) !== placementOf(after)),
      ).length
    );
  if (/not placed$/.test(part)) return number === seen.filter(isLastUnplaced).length;
  if (part === 'nothing was evicted') return evicted === 0;
  const counts = /^(\d+) evictions? of (\d+) workloads? from (.+)$/.exec(part);
  if (counts)
    return (
      Number(counts[2]) === evicted && Number(counts[1]) === evictions.reduce((sum, one) => sum + one, 0)
    );
  const open = /^(?:(\d+) of them )?not over yet$/.exec(part);
  if (open) return seen.some((all) => all.at(-1)?.after?.spec.gracefulEvictionTasks?.length);
  return /replica-minutes of downtime|lacked ready replicas|^permanently$|still at the end|^\d+ times|^\d+ events?$|^[\w-]+$/.test(
    part,
  );
}

function ofFlaps(part: string, { clusters }: Facts): boolean {
  const [, name = '', times] = /^(\S+) (\d+) times?$/.exec(part) ?? [];
  return (
    (clusters.get(name) ?? []).filter(({ before, after }) => ceases(before, after)).length === Number(times)
  );
}

function ceases(before: Cluster | undefined, after: Cluster | undefined): boolean {
  const ready = (cluster: Cluster) =>
    cluster.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  return before !== undefined && after !== undefined && ready(before) && !ready(after);
}

function factsOf(recording: Recording): Facts {
  const { before, changes, start, until } = recording;
  const [clusters, bindings, works] = [
    new Map<string, Seen<Cluster>[]>(),
    new Map<string, Seen<ResourceBinding>[]>(),
    new Map<string, Seen<Work>[]>(),
  ];
  const failures: Failure[] = [];
  const see = (time: number, gone: boolean, object: KubernetesObject, resource: string) => {
    const put = <T>(all: Map<string, Seen<T>[]>, key: string) => {
      const seen = all.get(key) ?? [];
      const [last, after] = [seen.at(-1)?.after, gone ? undefined : (object as unknown as T)];
      seen.push({ time, ...(last && { before: last }), ...(after && { after }) });
      all.set(key, seen);
    };
    if (resource === 'events') {
      if (/Fail/.test((object as Failure).reason ?? '')) failures.push(object);
    } else if (resource === 'clusters') put(clusters, object.metadata.name);
    else if (/bindings$/.test(resource)) put(bindings, keyOf(object.metadata));
    else if (resource === 'works')
      put(
        works,
        ownerOf(object as unknown as Work) ??
          `${keyOf(object.metadata)} → ${(object.metadata.namespace ?? '').replace('karmada-es-', '')}`,
      );
  };
  for (const object of before) see(0, false, object, `${object.kind.toLowerCase()}s`);
  for (const { time, type, object, resource } of changes)
    if (time <= until) see(Math.max(time, time <= start ? 0 : time), type === 'DELETED', object, resource);
  return { clusters, bindings, works, failures };
}

function within<T>(seen: readonly Seen<T>[], from: number, to: number): Seen<T>[] {
  return seen.filter(({ time }) => time >= from && time <= to);
}

type Task = NonNullable<ResourceBinding['spec']['gracefulEvictionTasks']>[number];

function tasksOf(binding: ResourceBinding | undefined): Map<string, Task> {
  return new Map((binding?.spec.gracefulEvictionTasks ?? []).map((task) => [task.fromCluster, task]));
}

function newTasks(before: ResourceBinding | undefined, after: ResourceBinding | undefined): string[] {
  if (!before) return [];
  return [...tasksOf(after).keys()].filter((name) => !tasksOf(before).has(name));
}

function clusterNames(binding: ResourceBinding | undefined): string[] {
  return (binding?.spec.clusters ?? []).map(({ name }) => name);
}

function placementOf(binding: ResourceBinding | undefined, without?: string): string {
  return (binding?.spec.clusters ?? [])
    .filter(({ name }) => name !== without)
    .map(({ name, replicas }) => (replicas ? `${name}×${replicas}` : name))
    .join(', ');
}

function isUnplaced({ status }: ResourceBinding): boolean {
  return status?.conditions?.some((one) => one.type === 'Scheduled' && one.status !== 'True') ?? false;
}

/**
 * Whether the last attempt to place a binding failed: the scheduler writes the clusters first, and the condition of a
 * success some milliseconds later, perhaps after the end of the recording.
 */
function isLastUnplaced(changes: readonly Seen<ResourceBinding>[]): boolean {
  for (const { before, after } of changes.toReversed()) {
    if (!after) return false;
    if (!before) continue;
    if (!isUnplacedAlike(before, after)) return isUnplaced(after);
    const known = new Set(before.spec.clusters?.map(({ name }) => name));
    if (after.spec.clusters?.some(({ name }) => !known.has(name))) return false;
  }
  return false;
}

/** Whether both describe the same placement. */
function isUnplacedAlike(before: ResourceBinding, after: ResourceBinding): boolean {
  const said = ({ status }: ResourceBinding) =>
    JSON.stringify(status?.conditions?.filter(({ type }) => type === 'Scheduled'));
  return said(before) === said(after);
}

function healthOn(binding: ResourceBinding | undefined, cluster: string | undefined): string | undefined {
  return binding?.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)?.health;
}

function turned(
  before: Cluster | undefined,
  after: Cluster | undefined,
  [, type, status, reason]: string[],
): boolean {
  const of = (cluster: Cluster | undefined) => cluster?.status?.conditions?.find((one) => one.type === type);
  const now = of(after);
  return (
    now?.status === status &&
    (now?.reason ?? undefined) === reason &&
    (of(before)?.status !== status || of(before)?.reason !== reason)
  );
}

function has(cluster: Cluster | undefined, taint: string | undefined): boolean {
  return (cluster?.spec?.taints ?? []).some(
    ({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}` === taint,
  );
}

function asks(work: Work, replicas: string | undefined): boolean {
  const [manifest] = (work.spec?.workload?.manifests ?? []) as { spec?: { replicas?: number } }[];
  return replicas === undefined || manifest?.spec?.replicas === Number(replicas);
}

const SHORT: Record<string, string> = {
  deployment: 'deploy',
  statefulset: 'sts',
  daemonset: 'ds',
  configmap: 'cm',
  service: 'svc',
};

/** "shop/deploy/cart": a workload as tables name it. */
function workloadOf({ spec: { resource } }: ResourceBinding): string {
  const kind = resource.kind.toLowerCase();
  return [...(resource.namespace ? [resource.namespace] : []), SHORT[kind] ?? kind, resource.name].join('/');
}

/** The key of an object that texts name without a namespace if it has none. */
function keyText(name: string): string {
  return name.includes('/') ? name : `/${name}`;
}

const flat = (text = '') => text.replaceAll(/\s+/g, ' ').trim();

/** "1m30s" in milliseconds. */
function milliseconds(text: string): number {
  const units: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * units[unit!]!,
    0,
  );
}
