import type { DrainOrder } from '../../useCases/drain/makePlan.ts';
import { UserError } from '../errors.ts';
import { durationOrSeconds } from '../values.ts';
import type { DrainOptionFlags } from './drainFlags.ts';
import { drainOptionsFromFlags, flagsOfOptions } from './drainOptions.ts';

export interface DrainOrderFlags extends DrainOptionFlags {
  plan?: string | undefined;
  'ready-after'?: string | undefined;
}

/**
 * What arguments and flags ask for, or the plan that they name, and what of it has no effect, one line each. Throws UserError or
 * StateError for what they contradict.
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
    throw new UserError(`--plan says itself what is drained and how; leave out ${contradicting.join(', ')}`);
  const { readPlanFile } = await import('../../state/planFile.ts');
  const saved = await readPlanFile(flags.plan);
  const { options } = saved.plan;
  if (clusters.length > 0 && [...clusters].sort().join() !== [...options.clusters].sort().join())
    throw new UserError(
      `--plan ${flags.plan} drains ${options.clusters.join(', ')}, not ${clusters.join(', ')}`,
    );
  return { options, warnings: [], saved, readyAfter };
}
