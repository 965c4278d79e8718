import { isCordoned } from '../../analysis/drain/cordon.ts';
import { noteWritten, type DrainPacer } from '../../analysis/drain/decide/drainPacer.ts';
import type { DrainedWorkload, DrainStep, DrainWrite } from '../../analysis/drain/decide/drainStep.ts';
import { bindingIdentity, bindingKey, objectKey } from '../../karmada/objects/identities.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { CLUSTERS } from '../../state/live/resources.ts';
import type { Pause } from '../pause.ts';
import { CONTENDED, retries } from '../retries.ts';
import { writeBindingSpec } from '../writeBinding.ts';
import { writeObject, type WriteOutcome } from '../writeObject.ts';
import type { DrainNews } from './drainEvents.ts';
import type { DrainMirrors } from './drainMirrors.ts';
import { readAnew } from './readAnew.ts';
import type { Postponements } from './postponements.ts';
import { mayPass } from './untilAnswered.ts';

export interface DrainWriterOptions {
  /** names of the drained clusters */
  clusters: readonly string[];
  pacer: DrainPacer;
  postponements: Postponements;
  pause: Pause;
  /** ends pauses; a write that was sent is settled first */
  stop: AbortSignal;
  /** looks again at what is due */
  look: () => DrainStep;
  tell: (news: DrainNews) => void;
}

export interface DrainWriter {
  /** Writes what is due. False if there is nothing to do until something changes. */
  write(step: DrainStep): Promise<boolean>;
  /** one line for each write that the server may or may not have; only after a stop */
  readonly unsettled: readonly string[];
}

/** How many releases and holds are written at a time. */
const SIDE_BY_SIDE = 8;
/** Milliseconds of a pause after a failed look. */
const AFTER_FAILED_LOOK = 1000;

type ClusterWrite = Extract<DrainWrite, { cluster: Cluster }>;
type BindingWrite = Extract<DrainWrite, { binding: ResourceBinding }>;

/** Makes the writes of a drain: at most one eviction at a time, and none based on data that may be out of date. */
export function createDrainWriter(
  server: ApiServer,
  mirrors: DrainMirrors,
  { clusters, pacer, postponements, pause, stop, look, tell }: DrainWriterOptions,
): DrainWriter {
  const unsettled: string[] = [];
  const options = { signal: stop, pause };
  const clusterRetries = new Map<string, () => Promise<boolean>>();

  async function write({ writes, workloads }: DrainStep): Promise<boolean> {
    const first = writes.find(ofCluster);
    if (first) return writeCluster(first);
    const due = chosen(writes.filter(ofBinding));
    let missing: boolean;
    try {
      missing = await readAnew(server, mirrors, due, clusters);
    } catch (error) {
      if (!(error instanceof ApiError && mayPass(error))) throw error;
      await pause(AFTER_FAILED_LOOK, stop);
      return true;
    }
    if (missing) return false;
    if (stop.aborted || mirrors.staleSince() !== undefined) return true;
    const still = new Map(
      look()
        .writes.filter(ofBinding)
        .map((one) => [writeKey(one), one]),
    );
    const confirmed = due.flatMap((one) => still.get(writeKey(one)) ?? []);
    const settled = await Promise.all(confirmed.map((one) => writeBinding(one, workloads)));
    return settled.every(Boolean);
  }

  async function writeCluster(due: ClusterWrite): Promise<boolean> {
    const { name } = due.cluster.metadata;
    const outcome = await writeObject(server, CLUSTERS, due.cluster, due.after, options);
    if (outcome.result === 'refused' && !stop.aborted)
      throw new ApiError(`Cluster ${name}: ${outcome.message}`, { status: 422, reason: 'Invalid' });
    if ('object' in outcome) mirrors.observeCluster(outcome.object);
    if (outcome.result === 'unknown' && !stop.aborted)
      throw new ApiError(`Cluster ${name}: ${outcome.message}`, { status: 0, reason: 'unknown' });
    if (outcome.result === 'conflict') {
      // nothing may be evicted from a cluster that is not cordoned
      const again = clusterRetries.get(name) ?? retries(options);
      clusterRetries.set(name, again);
      if (!(await again()) && !stop.aborted)
        throw new ApiError(`Cluster ${name}: ${CONTENDED}`, { status: 409, reason: 'Conflict' });
    } else clusterRetries.delete(name);
    const settled = settle(due, { kind: 'Cluster', name }, outcome);
    if (outcome.result === 'written' && !isCordoned(due.cluster)) tell({ type: 'cordoned', cluster: name });
    return settled;
  }

  async function writeBinding(due: BindingWrite, workloads: readonly DrainedWorkload[]): Promise<boolean> {
    const { binding } = due;
    const outcome = await writeBindingSpec(server, binding, due.after, options);
    if ('object' in outcome) mirrors.observeBinding(outcome.object);
    const key = objectKey(bindingIdentity(binding));
    const seen = workloads.find((one) => objectKey(one.binding) === key);
    if (outcome.result === 'written') postponements.written(binding);
    else if (outcome.result === 'gone') postponements.gone(binding);
    else if (outcome.result === 'conflict') postponements.conflict(due, server.now(), seen);
    else if (outcome.result === 'refused')
      postponements.refused(due, `the API server refuses the change: ${outcome.message}`, server.now(), seen);
    else if (outcome.result === 'unknown' && !stop.aborted) {
      postponements.refused(due, `the API server does not answer: ${outcome.message}`, server.now(), seen);
      return true;
    }
    return settle(due, bindingIdentity(binding), outcome);
  }

  function settle(
    due: DrainWrite,
    object: ObjectIdentity,
    outcome: WriteOutcome<Cluster> | WriteOutcome<ResourceBinding>,
  ): boolean {
    switch (outcome.result) {
      case 'written':
      case 'unchanged':
        noteWritten(pacer, due, server.now());
        return true;
      case 'conflict':
        tell({ type: 'conflict', object });
        return true;
      case 'refused':
        return true;
      case 'gone':
        // the mirror will show that the Cluster is gone
        return ofBinding(due);
      case 'unknown':
        unsettled.push(`${object.kind} ${object.name}: ${outcome.message}`);
        return false;
    }
  }

  return { write, unsettled };
}

/** The eviction, and as many of the other writes as run side by side. */
function chosen(writes: readonly BindingWrite[]): BindingWrite[] {
  const others = writes.filter(({ type }) => type !== 'evict').slice(0, SIDE_BY_SIDE);
  return [...writes.filter(({ type }) => type === 'evict').slice(0, 1), ...others];
}

function ofCluster(write: DrainWrite): write is ClusterWrite {
  return 'cluster' in write;
}

function ofBinding(write: DrainWrite): write is BindingWrite {
  return 'binding' in write;
}

function writeKey({ type, binding }: BindingWrite): string {
  return `${type} ${bindingKey(binding)}`;
}
