import type { DrainOrder } from '../../useCases/drain/makePlan.ts';
import { UserError } from '../errors.ts';
import { planAgain } from '../flagNames.ts';
import { durationOrSeconds } from '../values.ts';
import type { DrainOptionFlags } from './drainFlags.ts';
import { drainOptionsFromFlags, flagsOfOptions } from './drainOptions.ts';

export interface DrainOrderFlags extends DrainOptionFlags {
  plan?: string | undefined;
  'ready-after'?: string | undefined;
}

/**
 * What arguments and flags ask for, or the plan that they name, and a warning of one line for each flag without effect. Throws a UserError
 * or StateError if they contradict each other.
 */
export async function drainOrder(
  clusters: string[],
  flags: DrainOrderFlags,
): Promise<DrainOrder & { warnings: string[] }> {
  const readyAfter = durationOrSeconds('--ready-after', flags['ready-after']);
  if (flags.plan === undefined) {
    if (clusters.length === 0) throw new UserError('name the clusters to drain, as in: drain CLUSTER');
    return { ...drainOptionsFromFlags(clusters, flags), readyAfter };
  }
  const contradicting = flagsOfOptions(flags);
  if (contradicting.length > 0)
    throw new UserError(
      `the plan of --plan already says what to drain and how; leave out ${contradicting.join(', ')}, or ${planAgain(...contradicting)} instead`,
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
