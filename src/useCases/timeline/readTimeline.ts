import { historyBetween, type StateAt } from '../../analysis/history/historyBetween.ts';
import { reconstructedHistory } from '../../analysis/history/reconstructedHistory.ts';
import {
  type History,
  historySince,
  isObserved,
  isObservedBinding,
  narrowedHistory,
} from '../../analysis/history/history.ts';
import { hasTaskOfTaintManager, isEvictionByTaint } from '../../analysis/history/taintWriters.ts';
import type { World } from '../../karmada/world.ts';
import type { AnsweredAssumption, Basis } from '../../karmada/configuration/assumptions.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { stateRanks } from '../../analysis/explanation/workloadNow.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { openRecording, type Recording } from '../../state/recording/recording.ts';
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { bindingsNamed, knownCluster } from '../selection/selection.ts';
import { openStateToRead, type OpenedState } from '../state/openState.ts';
import type { FileSource, StateRequest } from '../state/stateRequest.ts';
import { recordedHistory } from './recordedHistory.ts';

/** The scope of the question. */
interface TimelineRequest {
  state: StateRequest;
  /** a workload, KIND/NAME, or a cluster; absent: everything */
  target?: string | undefined;
  namespace?: string | undefined;
  /** milliseconds before now; absent: no limit */
  since?: number | undefined;
  /** an earlier state: report what happened since */
  from?: FileSource | undefined;
}

interface WhatHappened extends Basis {
  history: History;
  /** the rank of a workload by its state at the end, the worst first */
  stateRank: (workload: ObjectIdentity) => number;
}

/** The flag that lets taints evict. */
const TAINT_EVICTION = 'enable-no-execute-taint-eviction';

/** The assumptions that a history depends on. */
const DECIDING = new Set(['now', 'karmadaVersion', 'ClusterTaintPolicies', TAINT_EVICTION]);

/** The gate Failover is shown if it is known. No rule of a history reads it, so its default is not an assumption. */
function isShown({ name, assumed }: AnsweredAssumption): boolean {
  return DECIDING.has(name) || (name === 'Failover' && !assumed);
}

/**
 * The history of a control plane: from a recording, everything up to the requested instant; from another state, the
 * events that it still shows. Rejects with a Problem for an unknown workload or cluster.
 */
export async function readTimeline(
  { state: request, target, namespace, since, from }: TimelineRequest,
  ports: Ports,
): Promise<WhatHappened> {
  const opened = await openStateToRead(request, ports, { live: { history: true } });
  opened.server?.close();
  const { karmadaVersion, loaded, now } = opened;
  const earlier = from && (await earlierState(from, request, now, ports));
  const recorded = earlier ? undefined : loaded.recorded;
  if (recorded && !recorded.paths) throw new Problem({ code: 'recording-no-file', name: recorded.file });
  const recording = recorded?.paths && (await openRecording(recorded.paths));
  const evicted = recording
    ? recording.changesBetween(recording.from - 1, now).some(isEvictionByTaint)
    : opened.world.bindings.some(hasTaskOfTaintManager);
  const { configuration, assumptions } = evicted ? withTaintEviction(opened) : opened;
  const begin = since === undefined ? undefined : now - since;
  const known = recording
    ? recordedHistory(recording, now, configuration, begin)
    : earlier
      ? historyBetween(earlier, opened, configuration)
      : reconstructedHistory(opened.world, now, configuration);
  const history = recording || begin === undefined ? known : historySince(known, begin);
  return {
    history:
      target === undefined && namespace === undefined
        ? history
        : narrowedTo(history, recording ? everThere(recording) : opened.world, target, namespace),
    karmadaVersion,
    assumptions: assumptions.filter(isShown),
    stateRank: stateRanks(opened.world, configuration),
  };
}

/** The state at the beginning of the period. Rejects with a Problem if it is not older than the other one. */
async function earlierState(
  source: FileSource,
  { version, assume }: StateRequest,
  until: number,
  ports: Ports,
): Promise<StateAt> {
  const { world, now } = await openStateToRead({ source, version, assume }, ports);
  if (now >= until) throw new Problem({ code: 'states-not-in-order', from: now, until });
  return { world, now };
}

/**
 * The whole history of a recording, by an opened state's configuration. Rejects with a StateError if it is unreadable.
 */
export async function readRecordedTimeline(
  file: string,
  { world, configuration, karmadaVersion, assumptions }: OpenedState,
): Promise<WhatHappened> {
  const recording = await openRecording([file]);
  return {
    history: recordedHistory(recording, recording.to, configuration),
    karmadaVersion,
    assumptions: assumptions.filter((one) => isShown(one) && one.name !== 'now'),
    stateRank: stateRanks(world, configuration),
  };
}

/** Taints were seen to evict, which overrides a default. */
function withTaintEviction({
  configuration,
  assumptions,
}: Pick<OpenedState, 'configuration' | 'assumptions'>) {
  const isUnknown = assumptions.some(({ name, byDefault }) => name === TAINT_EVICTION && byDefault);
  if (!isUnknown) return { configuration, assumptions };
  return {
    configuration: {
      ...configuration,
      controllerManager: { ...configuration.controllerManager, [TAINT_EVICTION]: true },
    },
    assumptions: assumptions.map((one) =>
      one.name === TAINT_EVICTION
        ? { name: TAINT_EVICTION, value: true, source: 'the taint manager has evicted', assumed: false }
        : one,
    ),
  };
}

function narrowedTo(
  history: History,
  known: Pick<World, 'clusters' | 'bindings'>,
  target: string | undefined,
  namespace: string | undefined,
): History {
  if (target !== undefined && !target.includes('/'))
    return narrowedHistory(history, { cluster: knownCluster('timeline', target, known) });
  const bindings =
    target === undefined
      ? known.bindings.filter(({ metadata }) => metadata.namespace === namespace)
      : bindingsNamed(target, known.bindings, namespace);
  return narrowedHistory(history, { bindings });
}

/** All clusters and bindings that existed at some time, in their last state. */
function everThere({
  worldAt,
  from,
  changes,
}: Recording): Pick<OpenedState['world'], 'clusters' | 'bindings'> {
  const first = worldAt(from);
  const clusters = new Map(first.clusters.map((one) => [one.metadata.name, one]));
  const bindings = new Map(first.bindings.map((one) => [keyOf(one), one]));
  for (const { after } of changes) {
    if (isObserved(after, 'Cluster')) clusters.set(after.metadata.name, after);
    else if (isObservedBinding(after)) bindings.set(keyOf(after), after);
  }
  return { clusters: [...clusters.values()], bindings: [...bindings.values()] };
}

function keyOf({ kind, metadata }: ResourceBinding): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
