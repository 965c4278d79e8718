import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import { bindingIdentity, workloadOf } from '../../../karmada/objects/identities.ts';

/** The key under which a drain looks at its clusters, its pace and whose turn it is; its other keys are bindings. */
export const COURSE = '';

/**
 * What a running drain remembers between two looks, as plain JSON: its course, or what it knows of a binding, by the
 * key. None of it has to survive: without it, the newest creationTimestamp among the drain's tasks counts as the last
 * eviction, the tasks show what is under way, and the bindings when the scheduler was last at work.
 */
export interface DrainMemory {
  course?: Course;
  leaver?: Leaver;
}

/** What a drain remembers of itself. */
export interface Course {
  /** epoch milliseconds of the newest eviction that this run has written, or has seen in a task */
  lastEvictionAt?: number;
  /** epoch milliseconds of the scheduler's newest answer as far as this run knew at the last look at its course */
  answered?: number;
  /** keys of the bindings that this run has evicted, in order; a binding is there as often as it was evicted */
  evictions: readonly string[];
  /** keys of bindings that had no place to go to in their turn: they are tried again after all others */
  skipped: readonly string[];
  /** clusters that this run has cordoned or seen cordoned with their mark */
  cordoned: readonly string[];
  /** the same for the NoExecute taint of a drain by taint */
  tainted: readonly string[];
  /** clusters whose marks this run has written; another run of the same drain may have put its own name there since */
  named: readonly string[];
}

/** What a drain remembers of a binding that it has evicted or found evicted; kept until the end to report it gone. */
export interface Leaver extends Heard {
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  /** what it had on the clusters that it leaves */
  from: TargetCluster[];
  /** whether a drain's task was seen; else only a Work was seen, maybe before the task that keeps it */
  certain: boolean;
}

/** Whether the scheduler has answered for an evicted binding; epoch milliseconds. */
export interface Heard {
  /** the first look that found no answer; absent: none is outstanding */
  unanswered?: number;
  /** the newest look that found one */
  answered?: number;
}

/** The memory of a key, as the last settled step of it has left it. */
export type Recall = (key: string) => DrainMemory | undefined;

/** The later of two instants, as far as they are known. */
export function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

/** A course while a look changes it. */
export interface OpenCourse {
  lastEvictionAt: number | undefined;
  answered: number | undefined;
  readonly evictions: string[];
  readonly skipped: Set<string>;
  readonly cordoned: Set<string>;
  readonly tainted: Set<string>;
  readonly named: Set<string>;
}

/** The course that a memory holds, to be changed. */
export function openCourse({
  lastEvictionAt,
  answered,
  evictions = [],
  skipped,
  cordoned,
  tainted,
  named,
}: Partial<Course> = {}): OpenCourse {
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

/** A course as plain JSON; what has not changed since `before` is shared with that. */
export function closedCourse({ lastEvictionAt, answered, ...open }: OpenCourse, before?: Course): Course {
  const names = (known: readonly string[] = [], now: ReadonlySet<string>) =>
    known.length === now.size && known.every((one) => now.has(one)) ? known : [...now];
  const { evictions, skipped } = open;
  return {
    ...(lastEvictionAt === undefined ? {} : { lastEvictionAt }),
    ...(answered === undefined ? {} : { answered }),
    // these two may be long, and only grow
    evictions: before?.evictions.length === evictions.length ? before.evictions : [...evictions],
    skipped: before?.skipped.length === skipped.size ? before.skipped : [...skipped],
    cordoned: names(before?.cordoned, open.cordoned),
    tainted: names(before?.tainted, open.tainted),
    named: names(before?.named, open.named),
  };
}

/**
 * What is remembered of a binding that is being evicted, so that it can be reported gone.
 *
 * @param certain whether a task shows it, and not only a Work
 */
export function leaverOf(
  known: Leaver | undefined,
  binding: ResourceBinding,
  from: TargetCluster[],
  certain: boolean,
): Leaver {
  if (known) return certain && !known.certain ? { ...known, from, certain } : known;
  return { binding: bindingIdentity(binding), workload: workloadOf(binding), from, certain };
}
