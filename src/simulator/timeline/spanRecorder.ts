import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import type { Certainty, Evidence } from '../../karmada/evidence.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import type { CopyPhase, Phase, Span } from './span.ts';

export interface OngoingSpan {
  phase: Phase;
  replicas?: number;
  ready?: number;
  /** certain if absent */
  certainty?: Certainty;
  evidence: readonly Evidence[];
}

/** The lanes of a workload: one for its copy on each cluster, and those of the whole workload. */
type Lane = { cluster: string } | { of: 'scheduling' | 'gap' };

/** Builds spans from observations in order of time. Times are epoch milliseconds. */
interface SpanRecorder {
  /** Records the phase of a lane from `now` on; undefined: none. Repeating the phase changes nothing. */
  set(workload: ObjectIdentity, lane: Lane, now: number, going: OngoingSpan | undefined): void;
  /** The present phase of a lane, and since when. */
  open(workload: ObjectIdentity, lane: Lane): (OngoingSpan & { from: number }) | undefined;
  /** All spans: by workload in the order of their first observation, then by cluster, then by time. */
  spans(): Span[];
}

type Open = OngoingSpan & { from: number };

interface LaneSpans {
  lane: Lane;
  closed: Span[];
  open?: Open | undefined;
}

interface WorkloadLanes {
  workload: ObjectIdentity;
  lanes: Map<string, LaneSpans>;
}

/** Spans of one lane never overlap; those without duration are left out. */
export function createSpanRecorder(): SpanRecorder {
  const workloads = new Map<string, WorkloadLanes>();

  function laneOf(workload: ObjectIdentity, lane: Lane): LaneSpans {
    const { kind, namespace = '', name } = workload;
    const known = getOrAdd(workloads, `${kind}/${namespace}/${name}`, () => ({ workload, lanes: new Map() }));
    return getOrAdd(known.lanes, laneKey(lane), () => ({ lane, closed: [] }));
  }

  return {
    set(workload, lane, now, going) {
      const spans = laneOf(workload, lane);
      const { open } = spans;
      if (open ? going !== undefined && says(open, going) : !going) return;
      if (open && open.from < now) spans.closed.push(spanOf(workload, lane, open, now));
      spans.open = going && continued(spans.closed, going, now);
    },
    open: (workload, lane) => laneOf(workload, lane).open,
    spans: () =>
      [...workloads.values()].flatMap(({ workload, lanes }) =>
        [...lanes]
          .sort(([a], [b]) => compareUtf8(a, b))
          .flatMap(([, { lane, closed, open }]) =>
            open ? [...closed, spanOf(workload, lane, open, undefined)] : closed,
          ),
      ),
  };
}

/** A phase without duration is no interruption: the earlier span continues from its own start. */
function continued(closed: Span[], going: OngoingSpan, now: number): Open {
  const last = closed.at(-1);
  if (last?.to !== now || !says(last, going)) return { ...going, from: now };
  closed.pop();
  const { certainty, evidence, from } = last;
  return { ...going, certainty, evidence, from };
}

function says(a: Omit<OngoingSpan, 'evidence'>, b: Omit<OngoingSpan, 'evidence'>): boolean {
  return a.phase === b.phase && a.replicas === b.replicas && a.ready === b.ready;
}

function spanOf(workload: ObjectIdentity, lane: Lane, open: Open, to: number | undefined): Span {
  const { phase, from, replicas, ready, certainty = 'certain', evidence } = open;
  return {
    workload,
    ...('cluster' in lane && { cluster: lane.cluster }),
    phase,
    from,
    ...(to !== undefined && { to }),
    ...(replicas !== undefined && { replicas }),
    ...(ready !== undefined && { ready }),
    certainty,
    evidence,
  };
}

/** Spans of the whole workload come first: no cluster has an empty name. */
function laneKey(lane: Lane): string {
  return 'cluster' in lane ? `c ${lane.cluster}` : ` ${lane.of}`;
}

/** The facts that decide the phase of a copy on a cluster. */
export interface CopyFacts {
  /** the binding places it there */
  placed: boolean;
  /** a task keeps the copy there until it is replaced */
  kept: boolean;
  /** its Work or its object exists */
  present: boolean;
  /** its object was left in the member, without a Work */
  unmanaged: boolean;
  /** the member is reachable */
  reachable: boolean;
  /** its replicas there; 0 for an object without replicas */
  replicas: number;
  /** how many of them are ready and reachable */
  ready: number;
  /** it reports that it is unhealthy, or will never become ready */
  unhealthy: boolean;
  /** whether it tolerates taints that would evict it, or waits for its turn; absent: there are none */
  taints?: 'tolerates' | 'waits' | undefined;
}

/** The phase of a copy; undefined if there is none. An eviction takes precedence over the copy's health. */
export function copyPhase(facts: CopyFacts): CopyPhase | undefined {
  const { placed, kept, present, taints } = facts;
  if (!placed) {
    if (kept) return 'evicting';
    if (!present) return undefined;
    return facts.unmanaged ? 'unmanaged' : 'leaving';
  }
  if (taints === 'waits') return 'queued';
  if (taints === 'tolerates') return 'tolerating';
  if (!facts.reachable) return 'unreachable';
  if (facts.unhealthy) return 'unhealthy';
  return !present || facts.ready < facts.replicas ? 'starting' : 'ready';
}
