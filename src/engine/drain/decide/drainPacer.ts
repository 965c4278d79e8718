import type { ClusterSnapshot } from '../../scheduling/clusterSnapshot.ts';
import type { KnownSituation } from './drainSituation.ts';
import type { SchedulerHeard } from './silentScheduler.ts';
import type { EvictionCheck } from './evictionCheck.ts';
import type { ObjectIdentity, ObjectMeta } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import { bindingIdentity, bindingKey, workloadIdentity } from '../../objects/identities.ts';
import type { DrainWrite } from './drainStep.ts';

/**
 * What a running drain remembers between two looks. None of it has to survive a restart: the newest
 * creationTimestamp among our tasks counts as the last eviction then, and what is under way shows in the tasks.
 */
export interface DrainPacer {
  /** epoch milliseconds of the newest eviction that this process has written */
  lastEvictionAt?: number;
  /** bindings that this run has evicted or found evicted; kept until the end to report them gone */
  readonly evicted: Map<string, EvictedBinding>;
  /** keys of bindings that had no place to go to when their turn came: they are tried again after all others */
  readonly skipped: Set<string>;
  /** clusters that this run has cordoned or seen cordoned with their mark */
  readonly cordoned: Set<string>;
  /** the same for the NoExecute taint of a drain by taint */
  readonly tainted: Set<string>;
  /** who runs this, for the marks; absent: nobody is named */
  readonly runner?: string | undefined;
  /** clusters whose marks this run has written: another run of the same drain may have put its own name there since */
  readonly named: Set<string>;
  /** the versions that our newest writes replaced: as long as a view shows one, it is behind */
  readonly replaced: Map<string, ObjectVersion>;
  /** what the scheduler has answered to evictions */
  readonly scheduler: SchedulerHeard;
  /** kept for speed alone: what would be found anew otherwise */
  situation?: KnownSituation;
  readonly checks: WeakMap<ResourceBinding, KnownCheck>;
}

/** A check of a binding, which holds as long as neither it nor what matters of a cluster changes. */
export interface KnownCheck {
  snapshot: ClusterSnapshot;
  check: EvictionCheck;
}

export interface EvictedBinding {
  binding: ObjectIdentity;
  workload: ObjectIdentity;
  /** what it had on the clusters that it left */
  from: TargetCluster[];
  /** how often this run has evicted it */
  evictions: number;
  /** a drain's task was seen or written; else only a Work told, which may be seen later than what entitles it */
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

/** Notes a write that the API server has taken. To be called after each, with the time of the server's answer. */
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
      const { binding, clusters } = write;
      const from = (binding.spec.clusters ?? []).filter(({ name }) => clusters.includes(name));
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
 * Remembers a binding that is on its way out, so that it can be reported gone.
 *
 * @param certain whether a task tells so, and not a Work alone
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

/** Whether this is the version that a write of ours has replaced: what is seen is older than what was written. */
export function isBehind(pacer: DrainPacer, key: string, metadata: ObjectMeta): boolean {
  const replaced = pacer.replaced.get(key);
  return (
    replaced !== undefined &&
    replaced.uid === metadata.uid &&
    replaced.resourceVersion === metadata.resourceVersion &&
    replaced.generation === metadata.generation
  );
}

/** The key of a cluster, beside those of bindings. */
export function clusterKey(name: string): string {
  return `Cluster/${name}`;
}

function versionOf({ uid, resourceVersion, generation }: ObjectMeta): ObjectVersion {
  return { uid, resourceVersion, generation };
}
