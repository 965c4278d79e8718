import type { Condition } from '../api/meta.ts';
import type { Readiness } from './readiness.ts';
import type { MemoryOf } from '../controllers/karmada.ts';

/** The cluster status controller's memory of a cluster, lost when the process ends. */
export type ProbeMemory = NonNullable<MemoryOf<'cluster-status'>['probe']>;

interface ReadinessThresholds {
  /** --cluster-failure-threshold and --cluster-success-threshold, milliseconds */
  failure: number;
  success: number;
}

interface DebouncedReadiness {
  memory: ProbeMemory;
  /** the currently published condition */
  readiness: Readiness;
}

/**
 * One probe of the cluster status controller: it publishes a change between True and not True only after observing it
 * for the threshold; a contrary probe in between restarts the timer. It publishes the first observation of a process,
 * and the first of a cluster without a Ready condition, immediately.
 *
 * @param now epoch milliseconds
 */
export function debounceReadiness(
  memory: ProbeMemory | undefined,
  published: Condition | undefined,
  observed: Readiness,
  now: number,
  thresholds: ReadinessThresholds,
): DebouncedReadiness {
  if (!memory) return { memory: { observed: observed.status }, readiness: observed };
  if (!published) return { memory, readiness: observed };
  const remembered = memory.observed === observed.status ? memory : { observed: observed.status, since: now };
  const threshold = observed.status === 'True' ? thresholds.success : thresholds.failure;
  const crosses = (observed.status === 'True') !== (published.status === 'True');
  const waits = crosses && remembered.since !== undefined && now < remembered.since + threshold;
  if (!waits) return { memory: remembered, readiness: observed };
  const { status, reason = '', message = '' } = published;
  return { memory: remembered, readiness: { status, reason, message } };
}
