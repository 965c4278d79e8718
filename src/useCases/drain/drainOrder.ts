import { drainProblemText } from '../../cli/drain/drainProblem.ts';
import { planBasis, type PlanBasis } from '../../engine/drain/plan/planBasis.ts';
import { OTHER_ORDERS } from '../../engine/simulation/otherOrders.ts';
import { DrainProblem, planDrain } from '../../engine/drain/plan/planDrain.ts';
import { planDrift } from '../../engine/drain/plan/planDrift.ts';
import type { DrainPlan } from '../../engine/drain/plan/drainPlan.ts';
import type { DrainOptions } from '../../engine/drain/drainOptions.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { SavedPlan } from '../../state/planFile.ts';
import { usualMembers } from '../../state/scenarioFile.ts';
import { unconfirmed, type AnsweredAssumption } from '../../views/assumptions.ts';
import { planDriftText } from '../../views/drain/planDriftText.ts';
import type { DrainOptionFlags } from '../../cli/drain/drainFlags.ts';
import { checkSelection } from './checkSelection.ts';
import { drainOptionsFromFlags, flagsOfOptions } from '../../cli/drain/drainOptions.ts';
import { UserError } from '../../cli/errors.ts';
import { durationOrSeconds } from '../../cli/values.ts';
import { startProgress } from '../../terminal/progress.ts';
import { memberAssumptions } from '../scenario/scenario.ts';
import type { OpenedState } from '../state/openState.ts';
import { knownCluster } from '../selection/subject.ts';

/** What a drain is to do: by flags, or by a plan that was saved. */
export type DrainOrder = { options: DrainOptions; warnings: string[]; saved?: SavedPlan };

export interface DrainOrderFlags extends DrainOptionFlags {
  plan?: string | undefined;
}

/** Reads what arguments and flags ask for. Throws UserError or StateError for what they contradict. */
export async function drainOrder(clusters: string[], flags: DrainOrderFlags): Promise<DrainOrder> {
  if (flags.plan === undefined) {
    if (clusters.length === 0) throw new UserError('name the clusters to drain, as in: drain CLUSTER');
    return drainOptionsFromFlags(clusters, flags);
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
  return { options, warnings: [], saved };
}

/** A plan as it is shown and carried out. */
export interface MadePlan {
  plan: DrainPlan;
  basis: PlanBasis;
  assumptions: AnsweredAssumption[];
  /** what has changed since the plan was saved, one line each: it does not hold then */
  drift: string[];
}

/** Plans the drain on the opened state, or takes the saved plan and looks what has changed since. */
export function makePlan(
  { options, saved }: DrainOrder,
  state: OpenedState,
  flags: { 'ready-after'?: string | undefined },
): MadePlan {
  for (const name of options.clusters) knownCluster('drain', name, state.world);
  const readyAfter = flags['ready-after'];
  if (saved)
    return {
      ...saved,
      drift: planDrift(saved.basis, options, state.world).map(planDriftText),
    };
  checkSelection(options.selection, state.world);
  const members = {
    ...usualMembers(state.world),
    ...(readyAfter === undefined
      ? {}
      : { workloadReadyAfter: durationOrSeconds('--ready-after', readyAfter) }),
  };
  const assumptions = [
    ...state.assumptions,
    ...memberAssumptions({ start: state.now, members, events: [] }, readyAfter !== undefined, state.world),
  ];
  const progress = startProgress(process.stderr);
  try {
    const plan = planDrain(state.world, options, state.configuration, state.now, {
      karmadaVersion: state.karmadaVersion,
      unconfirmed: unconfirmed(state.assumptions),
      members,
      otherOrders: OTHER_ORDERS,
      progress: (now) =>
        progress.report(`planning T+${formatDuration(Math.floor((now - state.now) / 1000) * 1000)}`),
    });
    return { plan, basis: planBasis(plan, state.world), assumptions, drift: [] };
  } catch (error) {
    if (error instanceof DrainProblem) throw new UserError(drainProblemText(error));
    throw error;
  } finally {
    progress.done();
  }
}
