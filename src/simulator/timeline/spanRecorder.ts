import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { compareUtf8 } from '../../kubernetes/utf8.ts';
import type { Certainty, Evidence } from '../../karmada/evidence.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';
import type { Phase, Span } from './span.ts';

/** What goes on in a lane from a time on. */
export interface Going {
  phase: Phase;
  replicas?: number;
  ready?: number;
  /** certain if absent */
  certainty?: Certainty;
  evidence: readonly Evidence[];
}

/** The lanes of a workload: its copy on a cluster, or what is said of the whole workload. */
export type Lane = { cluster: string } | { of: 'scheduling' | 'gap' };

/** Makes spans of what is seen in order of time. Times are epoch milliseconds. */
export interface SpanRecorder {
  /** Records what goes on in a lane from `now` on; undefined: nothing. The same again changes nothing. */
  set(workload: ObjectIdentity, lane: Lane, now: number, going: Going | undefined): void;
  /** What goes on in a lane now, and since when. */
  open(workload: ObjectIdentity, lane: Lane): (Going & { from: number }) | undefined;
  /** All spans: by workload in the order in which they came, then by cluster, then by time. */
  spans(): Span[];
}

type Open = Going & { from: number };

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

/** If something else lasted no time, it is no interruption: the earlier span goes on from its own start. */
function continued(closed: Span[], going: Going, now: number): Open {
  const last = closed.at(-1);
  if (last?.to !== now || !says(last, going)) return { ...going, from: now };
  closed.pop();
  const { certainty, evidence, from } = last;
  return { ...going, certainty, evidence, from };
}

function says(a: Omit<Going, 'evidence'>, b: Omit<Going, 'evidence'>): boolean {
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

/** What is said of the whole workload comes first: no cluster has an empty name. */
function laneKey(lane: Lane): string {
  return 'cluster' in lane ? `c ${lane.cluster}` : ` ${lane.of}`;
}
