import type { DrainOptions, DrainSelection } from '../../analysis/drain/drainOptions.ts';
import type { DrainPlan, DrainRefusal, Risk } from '../../analysis/drain/plan/drainPlan.ts';
import { planBasis, type PlanBasis } from '../../analysis/drain/plan/planBasis.ts';
import { planDrain } from '../../analysis/drain/plan/planDrain.ts';
import { refusalsOf } from '../../analysis/drain/plan/drainRefusals.ts';
import { planDrift, type PlanDrift } from '../../analysis/drain/plan/planDrift.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import { unverified, type AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import { formatDuration } from '../../kubernetes/time.ts';
import type { SavedPlan } from '../../state/plan/planFile.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Ports } from '../ports.ts';
import { memberAssumptions } from '../scenario/runScenario.ts';
import { knownCluster, bindingsIn } from '../selection/selection.ts';
import type { OpenedState } from '../state/openState.ts';
import { compileSelection, templatesOf } from '../../analysis/drain/decide/selects.ts';
import { workloadIdentity } from '../../karmada/objects/identities.ts';
import type { World } from '../../karmada/world.ts';
import { Problem } from '../problem.ts';

/** A requested drain, and its saved plan, if any. */
export interface DrainOrder {
  options: DrainOptions;
  saved?: SavedPlan | undefined;
  /** milliseconds until new replicas are ready */
  readyAfter?: number | undefined;
  /** whether to return the course of every workload as spans; a saved plan has none */
  spans?: boolean;
}

/** A plan as it is shown and executed. */
export interface MadePlan {
  plan: DrainPlan;
  basis: PlanBasis;
  assumptions: AnsweredAssumption[];
  /** changes since the plan was saved; any change invalidates the plan */
  drift: PlanDrift[];
}

/**
 * Plans the drain on the opened state, or takes the saved plan and finds the changes since. Throws a Problem if the
 * state lacks a requested object, a DrainProblem if no plan can be made.
 */
export function makePlan(
  { options, saved, readyAfter, spans = false }: DrainOrder,
  state: OpenedState,
  ports: Ports,
): MadePlan {
  const { world, now, configuration, karmadaVersion } = state;
  for (const name of options.clusters) knownCluster('drain', name, world);
  if (saved)
    return {
      ...saved,
      plan: withItsRisks(saved.plan, state),
      drift: planDrift(saved.basis, options, world),
    };
  checkSelection(options.selection, world);
  const members = usualMembers(world, readyAfter);
  const scenario = { start: now, members, events: [] };
  const assumptions = [
    ...state.assumptions,
    ...memberAssumptions(scenario, readyAfter !== undefined, world, ports.names),
  ];
  const progress = ports.startProgress();
  try {
    const plan = planDrain(world, options, configuration, now, {
      karmadaVersion,
      unverified: unverified(state.assumptions),
      members,
      otherOrders: OTHER_ORDERS,
      spans,
      progress: (at) => progress.report(`planning T+${formatDuration(Math.floor((at - now) / 1000) * 1000)}`),
    });
    return { plan, basis: planBasis(plan, world), assumptions, drift: [] };
  } finally {
    progress.done();
  }
}

/** A saved plan with its refusals recomputed, in case they were removed from its file. */
function withItsRisks(plan: DrainPlan, { world, configuration }: OpenedState): DrainPlan {
  const following = refusalsOf(plan, world.clusters, configuration);
  const known = new Set(following.map(({ risk }) => risk));
  const accepted = (risk: Risk) => plan.options.accept[risk];
  const others = plan.refusals.filter(({ risk }) => !known.has(risk));
  return {
    ...plan,
    refusals: [...following, ...others.map((one) => ({ ...one, accepted: accepted(one.risk) }))],
  };
}

/** The reasons not to execute a plan: unaccepted risks, and changes since it was made. */
export function reasonsAgainst({ plan, drift }: MadePlan): { refused: DrainRefusal[]; drift: PlanDrift[] } {
  return { refused: plan.refusals.filter(({ accepted }) => !accepted), drift };
}

/**
 * Throws a Problem if a part of a selection matches no workload: a typo in a workload to skip would drain the very
 * workload that should stay.
 */
function checkSelection(selection: DrainSelection, world: World): void {
  const bindings = bindingsIn(world.bindings, selection.namespace);
  const means = (one: DrainSelection) => {
    const { selects } = compileSelection(one);
    return world.bindings.some((binding) => selects(binding, undefined));
  };
  for (const input of ['skip', 'only'] as const)
    for (const name of selection[input] ?? [])
      if (!means({ only: [name] })) {
        const workloads = bindings.map(workloadIdentity);
        throw new Problem({ code: 'no-workload', input, name, workloads });
      }
  for (const kind of selection.kinds ?? [])
    if (!means({ kinds: [kind] })) {
      const known = new Set(world.bindings.map((binding) => workloadIdentity(binding).kind.toLowerCase()));
      throw new Problem({ code: 'no-kind', kind, known: [...known].sort() });
    }
  const { policy, labelSelector } = selection;
  if (policy !== undefined && !means({ policy })) throw new Problem({ code: 'no-policy', policy });
  if (labelSelector) {
    const templateOf = templatesOf(world);
    const { selects } = compileSelection({ labelSelector });
    if (!world.bindings.some((binding) => selects(binding, templateOf(binding))))
      throw new Problem({ code: 'no-labels' });
  }
}
