import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { requestedNow, wantedReplicas, type ClusterFacts } from '../../src/karmada/objects/placement.ts';
import { factsOfClusters } from '../../src/karmada/selection/clusterAffinity.ts';
import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { v1_18 } from '../dialects.ts';
import { objectsAt } from './moments.ts';
import { leftBehind } from './races.ts';
import type { Recording, ReadinessRow } from './recording.ts';
import { keyOf } from './replay.ts';

/** For how many seconds a workload lacks ready replicas, really and as simulated. */
export interface Gap {
  binding: string;
  recorded: number;
  simulated: number;
}

/** Milliseconds after the start of a recording within which members report their initial state; no actions happen that early. */
const FIRST_ROWS = 1000;

type Ready = { time: number; cluster: string; workload: string; ready: number };

/** Gaps of all workloads with replicas from a moment on, without those whose copies no Work shows; empty if members were not recorded. */
export function gapsFrom(recording: Recording, at: number, { workloads }: Simulation): Gap[] {
  const simulated = new Map(workloads.map(({ binding, gap }) => [keyOf(binding), gap?.seconds ?? 0]));
  const left = leftBehind(recording, at);
  return recordedGaps(recording, at, reachability(recording)).flatMap(({ binding, seconds }) => {
    const ours = simulated.get(binding);
    return ours === undefined || left.get(binding)?.size
      ? []
      : [{ binding, recorded: seconds, simulated: ours }];
  });
}

/** What a workload with replicas really lacked. */
export interface RecordedGap {
  /** of its binding */
  binding: string;
  /** with fewer ready replicas than desired */
  seconds: number;
  /** how many replicas are desired, and how many are ready at the end */
  wanted: number;
  atEnd: number;
}

/** What all workloads with replicas lacked from a moment on, counting those on reachable clusters; empty if members were not recorded. */
export function recordedGaps(recording: Recording, at: number, reachable: Reachability): RecordedGap[] {
  if (!recording.readiness) return [];
  const objects = objectsAt(recording, at);
  const bindings = objects.filter(({ kind }) =>
    kind.endsWith('ResourceBinding'),
  ) as unknown as ResourceBinding[];
  const facts = clusterFacts(objects);
  const ready = readyChanges(recording.readiness).map((change) =>
    change.time <= recording.start + FIRST_ROWS ? { ...change, time: recording.start } : change,
  );
  return bindings
    .filter(({ spec }) => (spec.replicas ?? 0) > 0)
    .map((binding) => {
      const { kind, namespace = '', name } = binding.spec.resource;
      const own = ready.filter(({ workload }) => workload === `${kind} ${namespace}/${name}`);
      const wanted = wantedReplicas(binding, facts);
      return {
        binding: keyOf(binding.metadata),
        wanted,
        ...missing(own, reachable, at, Math.min(recording.until, deletedAt(recording, binding)), {
          changes: scalings(recording, binding, at),
          before: wanted,
          asked: (time) =>
            wantedReplicas(requestedNow(binding, specAt(recording, binding, at, time), facts), facts),
        }),
      };
    });
}

/** When (epoch milliseconds) the replicas of a binding were changed, from a moment on. */
function scalings(recording: Recording, binding: ResourceBinding, from: number): number[] {
  return ofBinding(recording, binding).flatMap(({ time }) => (time > from ? time : []));
}

/** A binding as it is at a time after `from`. */
function specAt(recording: Recording, binding: ResourceBinding, from: number, time: number): ResourceBinding {
  const last = ofBinding(recording, binding).findLast((change) => change.time > from && change.time <= time);
  return (last?.object as unknown as ResourceBinding | undefined) ?? binding;
}

function ofBinding({ changes }: Recording, { kind, metadata }: ResourceBinding) {
  return changes.filter(({ object }) => object.kind === kind && keyOf(object.metadata) === keyOf(metadata));
}

/** When (epoch milliseconds) a binding begins to be permanently deleted: nothing of its workload is missing from then on. */
function deletedAt(recording: Recording, binding: ResourceBinding): number {
  const changes = ofBinding(recording, binding);
  const last = changes.at(-1);
  if (last?.type !== 'DELETED') return Infinity;
  const begun = changes.find(
    ({ object: { metadata } }) => metadata.uid === last.object.metadata.uid && metadata.deletionTimestamp,
  );
  return (begun ?? last).time;
}

/** The cluster requirements of v1.18's affinities among these objects. */
export function clusterFacts(objects: readonly KubernetesObject[]): ClusterFacts {
  const clusters = objects.filter(({ kind }) => kind === 'Cluster') as unknown as Cluster[];
  return factsOfClusters(
    (name) => clusters.find(({ metadata }) => metadata.name === name),
    v1_18.rules.scheduling,
    clusters,
  );
}

/**
 * Seconds from `from` to `until` with fewer replicas ready on reachable clusters than desired, and how many are ready then. Replicas
 * requested meanwhile count as missing once they have been ready, and at the end if they never are.
 */
function missing(
  changes: Ready[],
  reachable: Reachability,
  from: number,
  until: number,
  wanted: { changes: number[]; before: number; asked(time: number): number },
): Pick<RecordedGap, 'seconds' | 'atEnd'> {
  const ready = new Map<string, number>();
  const total = (time: number) =>
    [...ready].reduce((sum, [cluster, count]) => sum + (reachable.at(cluster, time) ? count : 0), 0);
  const later: Ready[] = [];
  for (const change of changes)
    if (change.time <= from) ready.set(change.cluster, change.ready);
    else later.push(change);
  const changed = [...reachable.changes, ...wanted.changes].filter((time) => time > from);
  const times = [...later.map(({ time }) => time), ...changed];
  let [sum, last, count] = [0, from, total(from)];
  let [reached, starting] = [wanted.before, 0];
  for (const time of [...times.sort((a, b) => a - b).filter((one) => one < until), until]) {
    const asked = wanted.asked(last);
    reached = Math.max(reached, Math.min(asked, count));
    if (count < Math.min(asked, reached)) sum += time - last;
    else starting = count < asked ? starting + time - last : 0;
    for (; later[0] && later[0].time <= time; later.shift()) ready.set(later[0].cluster, later[0].ready);
    [last, count] = [time, total(time)];
  }
  return { seconds: (sum + (count < wanted.asked(last) ? starting : 0)) / 1000, atEnd: count };
}

function readyChanges(rows: readonly ReadinessRow[]): Ready[] {
  return rows.flatMap((row) =>
    'process' in row
      ? []
      : [
          {
            time: Date.parse(row.time),
            cluster: row.member,
            workload: `${row.kind} ${row.namespace}/${row.name}`,
            ready: row.ready,
          },
        ],
  );
}

/** Which clusters are Ready when: scenarios give a failure at the time when Karmada noticed it. */
export interface Reachability {
  at(cluster: string, time: number): boolean;
  /** epoch milliseconds */
  changes: number[];
}

function reachability({ before, changes }: Recording): Reachability {
  const all = new Map<string, { time: number; ready: boolean }[]>();
  const see = (time: number, { metadata: { name }, status }: Cluster) => {
    const ready =
      status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ??
      false;
    const known = all.get(name) ?? [];
    if (known.at(-1)?.ready !== ready) all.set(name, [...known, { time, ready }]);
  };
  for (const object of before) if (object.kind === 'Cluster') see(0, object as unknown as Cluster);
  for (const { time, resource, object } of changes)
    if (resource === 'clusters') see(time, object as unknown as Cluster);
  return {
    at: (cluster, time) => all.get(cluster)?.findLast((change) => change.time <= time)?.ready ?? false,
    changes: [...all.values()].flat().map(({ time }) => time),
  };
}
