import type { Change } from '../controllers/write.ts';

/**
 * How long Karmada's components take to react, in milliseconds: typical figures of an idle control plane.
 * They decide the order of steps that follow one another within a second, and nothing else; times of a
 * simulation are to be read as good to about two seconds.
 */
const reactions: Readonly<Record<string, number>> = {
  'cluster-controller': 60,
  'cluster-taint-policy-controller': 110,
  'taint-manager': 30,
  scheduler: 400,
  'graceful-eviction': 40,
  'application-failover': 40,
  'binding-controller': 60,
  'execution-controller': 80,
  'work-status': 80,
  'binding-status': 40,
  'dependencies-distributor': 100,
  'workload-rebalancer': 100,
  detector: 100,
  'garbage-collector': 100,
};

/** Milliseconds from an event to a controller's look; without a change: from a timer, which is exact. */
export function reaction(controller: string, change: Change | undefined): number {
  return change === undefined ? 0 : usualReaction(controller);
}

export function usualReaction(controller: string): number {
  return reactions[controller] ?? 0;
}

/** After a write of its own the scheduler's queue works off other bindings before it comes back to this one. */
export function secondLook(controller: string): number | undefined {
  return controller === 'scheduler' ? 500 : undefined;
}
