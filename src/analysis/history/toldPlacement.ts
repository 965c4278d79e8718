import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import { instant } from '../../kubernetes/time.ts';
import { dividesReplicas, placedOn } from '../../karmada/objects/placement.ts';
import type { SeenWorld } from './seenWorld.ts';
import { isNear } from './taintWriters.ts';

/*
 * status.lastScheduledTime tells when the scheduler decided last, mostly on what was there already: it decides again whenever a task is
 * stamped or ends. A placement is told only if a Work was created for it at that time.
 */

/** What one state tells of a placement that was made after something. */
export interface ToldPlacement {
  /** that of today */
  to: TargetCluster[];
  /** epoch milliseconds; absent: not told */
  scheduled?: number;
}

/**
 * Where a binding was placed after an eviction whose task is there, and when (epoch milliseconds). Undefined if that is not told: there
 * was no Work for it, Works came at several times, or something was evicted later.
 */
export function placementAfter(
  evicted: number,
  binding: ResourceBinding,
  world: Pick<SeenWorld, 'worksOf'>,
): ToldPlacement | undefined {
  const made = worksMadeFor(binding, world).filter((time) => time >= evicted);
  const evictions = (binding.spec.gracefulEvictionTasks ?? []).map(
    ({ creationTimestamp }) => timeOf(creationTimestamp) ?? Infinity,
  );
  const [first, last] = [Math.min(...made), Math.max(...made)];
  if (made.length === 0 || !isNear(first, last) || evictions.some((time) => time > evicted)) return undefined;
  const decided = timeOf(binding.status?.lastScheduledTime);
  const isThen = decided !== undefined && decided >= evicted && isNear(decided, first);
  return { to: placedOn(binding.spec), ...(isThen ? { scheduled: decided } : {}) };
}

/** When a binding was placed that was never placed before; undefined if that is not told. Epoch milliseconds. */
export function firstPlacement(
  binding: ResourceBinding,
  world: Pick<SeenWorld, 'worksOf'>,
): number | undefined {
  const decided = timeOf(binding.status?.lastScheduledTime);
  const created = timeOf(binding.metadata.creationTimestamp);
  if (decided === undefined || created === undefined || !isNear(created, decided)) return undefined;
  return worksMadeFor(binding, world).some((time) => isNear(time, decided)) ? decided : undefined;
}

/** Whether a binding has all of the clusters that it was placed on: an eviction that is over may have taken some of a duplicated one. */
export function isPlacedWhole({ spec }: ResourceBinding): boolean {
  const placed = placedOn(spec).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  return dividesReplicas(spec) && placed === spec.replicas;
}

/** When the Works on the clusters of a placement were created; epoch milliseconds. */
function worksMadeFor(binding: ResourceBinding, world: Pick<SeenWorld, 'worksOf'>): number[] {
  const works = world.worksOf(binding);
  return placedOn(binding.spec).flatMap(
    ({ name }) => timeOf(works.get(name)?.metadata.creationTimestamp) ?? [],
  );
}

function timeOf(text: string | null | undefined): number | undefined {
  const time = text ? instant(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
