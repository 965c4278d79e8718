import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import { bindingIdentity, workloadOf } from '../../../karmada/objects/identities.ts';

/** The key for a drain's clusters, its pace and its next eviction; its other keys are bindings. */
export const RUN_KEY = '';

/**
 * What a running drain remembers between two rounds, as plain JSON: its course, or its knowledge of one binding, by
 * key. A drain can resume without it: the newest creationTimestamp of its tasks counts as the last eviction, tasks show
 * the evictions in progress, and bindings show the scheduler's last response.
 */
export interface DrainMemory {
  course?: DrainRun;
  leaver?: LeavingBinding;
}

/** A drain's memory of its own course. */
export interface DrainRun {
  /** epoch milliseconds of the newest eviction that this run wrote, or found in a task */
  lastEvictionAt?: number;
  /** epoch milliseconds of the scheduler's newest response known to this run when it last updated its course */
  answered?: number;
  /** keys of the bindings that this run has evicted, in order; repeated for each eviction */
  evictions: readonly string[];
  /** keys of bindings that had no possible replacement when their turn came: retried after all others */
  skipped: readonly string[];
  /** clusters that this run has cordoned, or found cordoned with its mark */
  cordoned: readonly string[];
  /** the same for the NoExecute taint of a drain by taint */
  tainted: readonly string[];
  /** clusters whose marks this run has written; another run of the same drain may have replaced the name since */
  named: readonly string[];
}

/** A drain's memory of a binding that it has evicted or found evicted, kept to report it gone. */
export interface LeavingBinding extends SchedulerResponse {
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  /** its replicas on the clusters that it is leaving */
  from: TargetCluster[];
  /** whether a drain's task was seen; otherwise only a Work was, possibly before the task that keeps it */
  certain: boolean;
}

/** Whether the scheduler has responded to an eviction; epoch milliseconds. */
export interface SchedulerResponse {
  /** the first round without the response; absent: none is outstanding */
  unanswered?: number;
  /** the newest round with a response */
  answered?: number;
}

/** The memory of a key after its last completed step. */
export type ReadMemory = (key: string) => DrainMemory | undefined;

/** The later of two instants, ignoring unknown ones. */
export function latestOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

/** A drain's course, mutable during a round. */
export interface OpenRun {
  lastEvictionAt: number | undefined;
  answered: number | undefined;
  readonly evictions: string[];
  readonly skipped: Set<string>;
  readonly cordoned: Set<string>;
  readonly tainted: Set<string>;
  readonly named: Set<string>;
}

/** A mutable copy of the course in a memory. */
export function openRun({
  lastEvictionAt,
  answered,
  evictions = [],
  skipped,
  cordoned,
  tainted,
  named,
}: Partial<DrainRun> = {}): OpenRun {
  return {
    lastEvictionAt,
    answered,
    evictions: [...evictions],
    skipped: new Set(skipped),
    cordoned: new Set(cordoned),
    tainted: new Set(tainted),
    named: new Set(named),
  };
}

/** A course as plain JSON; parts unchanged since `before` are shared with it. */
export function closedRun({ lastEvictionAt, answered, ...open }: OpenRun, before?: DrainRun): DrainRun {
  const names = (known: readonly string[] = [], now: ReadonlySet<string>) =>
    known.length === now.size && known.every((one) => now.has(one)) ? known : [...now];
  const { evictions, skipped } = open;
  return {
    ...(lastEvictionAt === undefined ? {} : { lastEvictionAt }),
    ...(answered === undefined ? {} : { answered }),
    // These lists may be long, and only grow.
    evictions: before?.evictions.length === evictions.length ? before.evictions : [...evictions],
    skipped: before?.skipped.length === skipped.size ? before.skipped : [...skipped],
    cordoned: names(before?.cordoned, open.cordoned),
    tainted: names(before?.tainted, open.tainted),
    named: names(before?.named, open.named),
  };
}

/**
 * The memory of a binding under eviction, to report it gone later.
 *
 * @param certain whether a task shows it, and not only a Work
 */
export function leavingBindingOf(
  known: LeavingBinding | undefined,
  binding: ResourceBinding,
  from: TargetCluster[],
  certain: boolean,
): LeavingBinding {
  if (known) return certain && !known.certain ? { ...known, from, certain } : known;
  return { binding: bindingIdentity(binding), workload: workloadOf(binding), from, certain };
}
