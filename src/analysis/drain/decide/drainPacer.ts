import type { ClusterSnapshot } from '../../../karmada/scheduling/clusterSnapshot.ts';
import type { KnownSituation } from './drainSituation.ts';
import type { SchedulerHeard } from './silentScheduler.ts';
import type { EvictionCheck } from './evictionCheck.ts';
import type { ObjectIdentity, ObjectMeta } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import { bindingIdentity, bindingKey, workloadIdentity } from '../../../karmada/objects/identities.ts';
import type { DrainWrite } from './drainStep.ts';

/**
 * What a running drain remembers between two looks. None of it has to survive a restart: after one, the newest
 * creationTimestamp among the drain's tasks counts as the last eviction, and the tasks show what is under way.
 */
export interface DrainPacer {
  /** epoch milliseconds of the newest eviction that this process has written */
  lastEvictionAt?: number;
  /** bindings that this run has evicted or found evicted; kept until the end to report them gone */
  readonly evicted: Map<string, EvictedBinding>;
  /** keys of bindings that had no place to go to in their turn: they are tried again after all others */
  readonly skipped: Set<string>;
  /** clusters that this run has cordoned or seen cordoned with their mark */
  readonly cordoned: Set<string>;
  /** the same for the NoExecute taint of a drain by taint */
  readonly tainted: Set<string>;
  /** who runs this, for the marks; absent: the marks name nobody */
  readonly runner?: string | undefined;
  /** clusters whose marks this run has written; another run of the same drain may have put its own name there since */
  readonly named: Set<string>;
  /** the versions that our newest writes replaced: a view that shows one of them is behind */
  readonly replaced: Map<string, ObjectVersion>;
  /** the scheduler's answers to evictions */
  readonly scheduler: SchedulerHeard;
  /** a cache */
  situation?: KnownSituation;
  readonly checks: WeakMap<ResourceBinding, KnownCheck>;
}

/** A check of a binding; it holds until the binding, or something decisive of a cluster, changes. */
export interface KnownCheck {
  snapshot: ClusterSnapshot;
  check: EvictionCheck;
}

export interface EvictedBinding {
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  /** what it had on the clusters that it leaves */
  from: TargetCluster[];
  /** how often this run has evicted it */
  evictions: number;
  /** whether a drain's task was seen or written; else only a Work was seen, maybe before the task that keeps it */
  certain: boolean;
}

type ObjectVersion = Pick<ObjectMeta, 'uid' | 'resourceVersion' | 'generation'>;

/** The pacer of a drain that has evicted nothing yet. */
export function createDrainPacer(runner?: string): DrainPacer {
  return {
    runner,
    named: new Set(),
    evicted: new Map(),
    skipped: new Set(),
    cordoned: new Set(),
    tainted: new Set(),
    replaced: new Map(),
    scheduler: { unanswered: new Map() },
    checks: new WeakMap(),
  };
}

/** Notes a write that the API server has accepted. Call it after each, with the time of the answer. */
export function noteWritten(pacer: DrainPacer, write: DrainWrite, now: number): void {
  switch (write.type) {
    case 'cordon':
    case 'taint': {
      const { metadata } = write.cluster;
      pacer.replaced.set(clusterKey(metadata.name), versionOf(metadata));
      (write.type === 'cordon' ? pacer.cordoned : pacer.tainted).add(metadata.name);
      if (write.type === 'cordon') pacer.named.add(metadata.name);
      return;
    }
    case 'evict': {
      const { binding } = write;
      const clusters = new Set(write.clusters);
      const from = (binding.spec.clusters ?? []).filter(({ name }) => clusters.has(name));
      noteEvicted(pacer, binding, from, true).evictions++;
      pacer.lastEvictionAt = now;
      pacer.replaced.set(bindingKey(binding), versionOf(binding.metadata));
      return;
    }
    case 'release':
    case 'hold-dependent':
    case 'release-dependent':
      pacer.replaced.set(bindingKey(write.binding), versionOf(write.binding.metadata));
  }
}

/**
 * Remembers a binding that is being evicted, so that it can be reported gone.
 *
 * @param certain whether a task shows it, and not only a Work
 */
export function noteEvicted(
  pacer: DrainPacer,
  binding: ResourceBinding,
  from: readonly TargetCluster[],
  certain: boolean,
): EvictedBinding {
  const key = bindingKey(binding);
  let known = pacer.evicted.get(key);
  if (!known) {
    const { apiVersion: _version, ...workload } = workloadIdentity(binding);
    known = { binding: bindingIdentity(binding), workload, from: [...from], evictions: 0, certain };
    pacer.evicted.set(key, known);
  } else if (certain && !known.certain) {
    known.from = [...from];
    known.certain = true;
  }
  return known;
}

/** Whether our own write has replaced this version, so that the view is behind. */
export function isBehind(pacer: DrainPacer, key: string, metadata: ObjectMeta): boolean {
  const replaced = pacer.replaced.get(key);
  return (
    replaced !== undefined &&
    replaced.uid === metadata.uid &&
    replaced.resourceVersion === metadata.resourceVersion &&
    replaced.generation === metadata.generation
  );
}

/** The key of a cluster, distinct from those of bindings. */
export function clusterKey(name: string): string {
  return `Cluster/${name}`;
}

function versionOf({ uid, resourceVersion, generation }: ObjectMeta): ObjectVersion {
  return { uid, resourceVersion, generation };
}
