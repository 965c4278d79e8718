import { makePlan, type DrainOrder, type MadePlan } from '../../useCases/drain/makePlan.ts';
import type { Ports } from '../../useCases/ports.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import { UserError } from '../errors.ts';
import { planAgain } from '../flagNames.ts';
import { durationOrSeconds } from '../values.ts';
import type { DrainFlags, DrainOptionFlags } from './drainFlags.ts';
import { drainOptionsFromFlags, flagsOfOptions } from './drainOptions.ts';
import { DrainProblem } from '../../analysis/drain/plan/planDrain.ts';

/**
 * The drain that arguments and flags describe, or the saved plan that they name, with a one-line warning for each flag
 * without effect. Throws a UserError or StateError for conflicts.
 */
export async function drainOrder(
  clusters: string[],
  flags: DrainOptionFlags & Pick<DrainFlags, 'plan' | 'ready-after'>,
): Promise<DrainOrder & { warnings: string[] }> {
  const readyAfter = durationOrSeconds('--ready-after', flags['ready-after']);
  if (flags.plan === undefined) {
    if (clusters.length === 0) throw new UserError('name the clusters to drain, as in: drain CLUSTER');
    return { ...drainOptionsFromFlags(clusters, flags), readyAfter };
  }
  const contradicting = flagsOfOptions(flags);
  if (contradicting.length > 0)
    throw new UserError(
      `--plan already sets the clusters and options; leave out ${contradicting.join(', ')}, or ${planAgain(...contradicting)} instead`,
    );
  const { readPlanFile } = await import('../../state/plan/planFile.ts');
  const saved = await readPlanFile(flags.plan);
  const { options } = saved.plan;
  if (clusters.length > 0 && [...clusters].sort().join() !== [...options.clusters].sort().join())
    throw new UserError(
      `--plan ${flags.plan} drains ${options.clusters.join(', ')}, not ${clusters.join(', ')}; leave the clusters out, or give the plan of these`,
    );
  return { options, warnings: [], saved, readyAfter };
}

/** The plan of an order. Throws a UserError if it cannot be planned. */
export function plannedOrder(order: DrainOrder, state: OpenedState, ports: Ports): MadePlan {
  try {
    return makePlan(order, state, ports);
  } catch (error) {
    if (error instanceof DrainProblem) throw new UserError(drainProblemText(error));
    throw error;
  }
}

/** Why a drain cannot be planned and what to do instead, in one line. */
export function drainProblemText({ problem }: DrainProblem): string {
  switch (problem.kind) {
    case 'no-cluster':
      return `there is no cluster "${problem.cluster}"; there are ${problem.known.join(', ') || 'none'}`;
    case 'selection':
      return '--method=taint evicts everything that does not tolerate the taint: leave out the flags that choose workloads, or use --method=evict';
    case 'off': {
      const { switches, confirmed } = problem;
      const assumed = confirmed ? '' : ' by default, and the flags of Karmada are unknown';
      return `--method=taint would evict nothing: ${switches.join(', ')} ${switches.length === 1 ? 'is' : 'are'} off${assumed}; use --method=evict, or give the flags of Karmada with --assume`;
    }
    case 'unverified':
      return `--method=taint evicts only with ${problem.switches.join(', ')} on, and the flags of Karmada are unknown: give them with --host-context or --assume, or use --method=evict`;
  }
}
