import { narrowed } from '../engine/simulation/narrowed.ts';
import { simulate } from '../engine/simulation/simulate.ts';
import type { Outcome } from '../engine/simulation/timeline.ts';
import type { ResourceBinding } from '../karmada/api/work.ts';
import { defaultMembers } from '../state/scenarioFile.ts';
import type { OpenedState } from './state.ts';

/**
 * Counts the workloads of a cluster by what becomes of them were it to fail at the instant of the state; only those
 * of the bindings that are given.
 */
export function forecastFailure(
  { world, now, configuration }: Pick<OpenedState, 'world' | 'now' | 'configuration'>,
  cluster: string,
  bindings: readonly ResourceBinding[],
): Partial<Record<Outcome, number>> {
  const events = [{ at: now, action: { type: 'fail', cluster } as const }];
  const simulation = simulate(world, { start: now, members: defaultMembers, events }, configuration);
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { before, outcome } of narrowed(simulation, bindings).workloads)
    if (before.some(({ name }) => name === cluster)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
