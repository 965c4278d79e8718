import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectIdentity } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../../src/karmada/api/work.ts';
import type { TallyState, WorkloadTally } from '../../../src/analysis/audit/tally.ts';
import { compareTroubles, type Trouble } from '../../../src/analysis/audit/trouble.ts';
import { conditionOf } from '../../../src/karmada/objects/conditions.ts';
import { keptByTasks } from '../../../src/karmada/eviction/works.ts';
import { isAttached } from '../../../src/karmada/objects/dependents.ts';
import {
  dividesReplicas,
  evictingFrom,
  leavingClusters,
  placedOn,
  wantedCopies,
  type ClusterFacts,
} from '../../../src/karmada/objects/placement.ts';
import { latencies } from '../../../src/karmada/latencies.ts';
import { v1_18 } from '../../dialects.ts';
import { program } from '../../program.ts';
import { clusterFacts, recordedGaps, type RecordedGap } from '../../recordings/gaps.ts';
import { instantOf, objectsAt } from '../../recordings/moments.ts';
import { goesRoundAndRound } from '../../recordings/races.ts';
import { readRecording, type Recording } from '../../recordings/recording.ts';
import { keyOf, stepsOf } from '../../recordings/replay.ts';
import type { BedOptions } from '../controlPlane/bed.ts';

/** What an audit predicted for a workload and the failure of a cluster, and what happened. */
export interface Compared {
  failed: string;
  /** of its binding */
  workload: string;
  /** it was on the cluster that failed */
  isOnIt: boolean;
  certain: boolean;
  /** a trouble, or its expected placement at the end */
  said: string;
  seen: string;
  /** if replicas were predicted to be missing, or were: for how many seconds; null: still at the end */
  downtime?: { said: number | null; seen: number | null };
}

/** The prediction of an audit for one contingency. */
interface Said {
  now: ReadonlyMap<string, Trouble>;
  /** each placed workload */
  workloads: readonly string[];
  tallies: ReadonlyMap<string, WorkloadTally>;
}

interface AuditDocument {
  contingencies: { name: string }[];
  workloads: { binding: ObjectIdentity; now?: Trouble }[];
}

/** Compares the audit of the state before a recorded failure with the recording, workload by workload. */
export function heldAgainstAudit(folder: string): Compared[] {
  const recording = readRecording(folder);
  const [failure] = recording.failures?.events ?? [];
  if (failure?.action.type !== 'fail') throw new Error(`${folder}: no cluster fails`);
  const { cluster: failed } = failure.action;
  const at = instantOf(failure.at, recording.start);
  const said = auditOf(folder, failed, at);
  const before = bindingsAt(recording, at);
  const after = bindingsAt(recording, recording.until);
  const reachable = {
    at: (cluster: string, time: number) => cluster !== failed || time < at,
    changes: [at],
  };
  const gaps = new Map(recordedGaps(recording, at, reachable).map((gap) => [gap.binding, gap]));
  const endOf = troublesSeen(before, after, gaps, clusterFacts(objectsAt(recording, at)));
  const steps = stepsOf(recording.changes.filter(({ time }) => time > at));
  return said.workloads.flatMap((workload): Compared[] => {
    const [had, has] = [before.get(workload), after.get(workload)];
    if (!had || !has) return [];
    const tally = said.tallies.get(workload);
    const gap = gaps.get(workload);
    const isOnIt = placedOn(had.spec).some(({ name }) => name === failed);
    const now = said.now.get(workload);
    const seen = goesRoundAndRound(steps.get(workload) ?? []) ? 'flaps' : endOf(workload);
    const trouble = troubleSaid(tally?.troubles[0]?.[1], now, seen);
    const homes = (clusters: readonly string[]) => [...clusters].sort().join(' ') || 'nowhere';
    const left = placedOn(has.spec).flatMap(({ name }) => (name === failed ? [] : [name]));
    const ends = (found: Trouble | undefined, clusters: readonly string[]) =>
      `${found ?? 'fine'}${isOnIt && found !== 'flaps' ? ` on ${homes(clusters)}` : ''}`;
    return [
      {
        failed,
        workload,
        isOnIt,
        certain: (tally?.certainty ?? 'certain') === 'certain',
        said: ends(trouble, tally?.homes ?? []),
        seen: ends(seen, left),
        ...(seen !== 'flaps' && downtime(tally, gap)),
      },
    ];
  });
}

/**
 * The trouble that an audit predicts for a failure: only if it is worse than the existing trouble. A repeatedly evicted workload may be
 * down at any moment, so also at the end.
 */
function troubleSaid(
  brought: Trouble | undefined,
  now: Trouble | undefined,
  seen: Trouble | undefined,
): Trouble | undefined {
  const said = brought ?? (compareTroubles(seen, now) < 0 ? now : seen);
  return seen === 'flaps' && said === 'down' ? 'flaps' : said;
}

function downtime(
  tally: WorkloadTally | undefined,
  gap: RecordedGap | undefined,
): Pick<Compared, 'downtime'> {
  if (!gap) return {};
  const said = tally?.downtime ? tally.downtime.seconds : 0;
  const seen = gap.atEnd < gap.wanted ? null : gap.seconds;
  return said === 0 && seen === 0 ? {} : { downtime: { said, seen } };
}

function bindingsAt(recording: Recording, at: number): Map<string, ResourceBinding> {
  const bindings = objectsAt(recording, at).filter(({ kind }) => kind.endsWith('ResourceBinding'));
  return new Map(
    (bindings as unknown as ResourceBinding[]).map((binding) => [keyOf(binding.metadata), binding]),
  );
}

/** A workload's trouble at the end, in the terms of docs/audit.md. */
function troublesSeen(
  before: ReadonlyMap<string, ResourceBinding>,
  after: ReadonlyMap<string, ResourceBinding>,
  gaps: ReadonlyMap<string, RecordedGap>,
  facts: ClusterFacts,
): (workload: string) => Trouble | undefined {
  const less: (Trouble | undefined)[] = ['lost', 'blocked', 'partly-moves'];

  function seenOf(workload: string): Trouble | undefined {
    const [was, is] = [before.get(workload), after.get(workload)];
    if (!was || !is) return undefined;
    const { spec, status } = is;
    const has = placedOn(spec);
    // an old copy that was held before and still is has not moved
    const leaving = leavingClusters(was.spec).filter(({ name }) => !evictingFrom(spec).includes(name));
    const had = [...placedOn(was.spec), ...leaving];
    const isLeft = had.some(({ name }) => !has.some((target) => target.name === name));
    const isNew = has.some(({ name }) => !had.some((target) => target.name === name));
    const isNotPlaced = conditionOf(status?.conditions, 'Scheduled')?.status === 'False';
    const isKept = keptByTasks(spec, v1_18.rules).length > 0;
    const { wanted = 0, atEnd = 0 } = gaps.get(workload) ?? {};
    const isDown = wanted > 0 && atEnd === 0;
    const { replicas = 0 } = spec;
    const divides = dividesReplicas(spec) && replicas > 0;
    // a follower lacks a copy only if what it follows does
    const parents = (was.spec.requiredBy ?? []).map(({ namespace, name }) => `${namespace ?? ''}/${name}`);
    const hasFewer = isAttached(was.spec)
      ? has.length < had.length && parents.some((parent) => less.includes(seenOf(parent)))
      : divides
        ? total(has) < Math.min(total(had), replicas)
        : has.length < Math.min(had.length, wantedCopies(was, facts));
    if (has.length === 0 && had.length > 0 && !isKept) return 'lost';
    if (isDown) return isLeft && !isNotPlaced && !isKept ? 'lost' : 'down';
    if (has.length === 0 && had.length > 0) return 'blocked';
    if (isNotPlaced && (isLeft ? hasFewer : !divides || total(has) < replicas)) return 'blocked';
    const isStateful = spec.resource.kind === 'StatefulSet' && !spec.failover?.cluster?.statePreservation;
    if (isStateful && isNew) return 'without-state';
    return isLeft && (hasFewer || atEnd < wanted) ? 'partly-moves' : undefined;
  }

  return seenOf;
}

function total(targets: readonly TargetCluster[]): number {
  return targets.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
}

/** The audit of a cluster's failure; for a single contingency, run as a shard, it lists the result of each workload. */
function auditOf(folder: string, failed: string, at: number): Said {
  const { bed } = JSON.parse(readFileSync(join(folder, 'incident.json'), 'utf8')) as { bed: BedOptions };
  const args = [
    ...['audit', '--state', join(folder, '01-before.json'), '--at', new Date(at).toISOString()],
    ...[
      '--karmada-version',
      'v1.18.2',
      '--ready-after',
      `${bed.readyAfter * 1000 - latencies.readinessReport}ms`,
    ],
    ...Object.entries(assumptions(bed)).map(([name, value]) => `--assume=${name}=${String(value)}`),
  ];
  const whole = run<AuditDocument>(...args, '-o', 'json');
  const names = whole.contingencies.map(({ name }) => name);
  const index = names.indexOf(failed);
  if (index === -1) throw new Error(`${folder}: the audit has no contingency ${failed}`);
  const { tally } = run<{ tally: TallyState }>(...args, '--shard', `${index}/${names.length}`);
  return {
    workloads: whole.workloads.map(({ binding }) => keyOf(binding)),
    now: new Map(
      whole.workloads.flatMap(({ binding, now }) => (now ? [[keyOf(binding), now] as const] : [])),
    ),
    tallies: new Map(tally.workloads),
  };
}

function assumptions({ featureGates, controllerManager, agent = {} }: BedOptions): Record<string, unknown> {
  const { 'cluster-status-update-frequency': every = '10s' } = controllerManager;
  return {
    ...featureGates,
    ...controllerManager,
    ...agent,
    'allow-no-execute-taint-policy': true,
    'agent.cluster-status-update-frequency': every,
  };
}

function run<T>(...argv: string[]): T {
  const [file, args] = program(...argv);
  return JSON.parse(
    execFileSync(file, args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] }),
  ) as T;
}
