import {
  explainWorkload,
  siblingsOf,
  worstLoss,
  type WorkloadExplanation,
} from '../../analysis/explanation/workloadExplanation.ts';
import { brokenLinks, brokenLinksOfUnbound } from '../../analysis/findings/state/brokenLinks.ts';
import type { CuredFinding } from '../../analysis/findings/state/diagnose.ts';
import type { ProposedChange } from '../../analysis/explanation/changes/change.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { bindingIdentity, objectKey } from '../../karmada/objects/identities.ts';
import { findBindings } from '../../karmada/selection/selectBindings.ts';
import { matchesKind, parseKind } from '../../kubernetes/resourceNames.ts';
import type { Replay } from '../../analysis/explanation/changes/trial.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { forecastLosses } from '../../analysis/forecast/losses.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import { clustersIn, type FailingArea, eventsWithoutEffect } from '../scenario/makeScenario.ts';
import { simulate } from '../../simulator/simulation/simulate.ts';
import { unverified, type DatedBasis } from '../../karmada/configuration/assumptions.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { TemplateOptions } from '../../state/source.ts';
import { examinationOf } from '../doctor/examinationOf.ts';
import type { Ports } from '../ports.ts';
import { remedyTrials } from './remedyTrials.ts';
import { memberAssumptions, runScenario } from '../scenario/runScenario.ts';
import { Problem } from '../problem.ts';
import { bindingNamed, knownCluster } from '../selection/selection.ts';
import { type KnownState, openStateToRead, type OpenedState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';

/** Up to this many bindings, proposed changes are simulated; beyond that, only the scheduler is run. */
export const MAX_REPLAYED = 5000;

/** Up to this many bindings, changes that would help if a cluster failed are searched without a request. */
const MAX_HELPED = 100;

/** The templates that an explanation needs from a live control plane. */
export const EXPLAINED_TEMPLATES = { mostBindings: MAX_REPLAYED } satisfies TemplateOptions;

/** The workload to explain, and the assumed failures. */
export interface ExplanationRequest {
  state: StateRequest;
  target: string;
  namespace?: string | undefined;
  /** clusters that fail, each after this many milliseconds */
  failures: readonly { cluster: string; after: number }[];
  /** groups of clusters that fail */
  areas?: readonly FailingArea[];
  /** clusters that recover, each after this many milliseconds */
  recoveries?: readonly { cluster: string; after: number }[];
  /** clusters for which the answer lists all reasons for and against them */
  clusters: readonly string[];
  /** milliseconds until new replicas are ready */
  readyAfter?: number | undefined;
}

export interface ExplainedFailover extends DatedBasis {
  explanation: WorkloadExplanation;
  /** causes of its broken failover, starting with the first broken link of the chain */
  brokenLinks: CuredFinding[];
}

/**
 * Where a workload runs, why, and its outcome when clusters fail. Rejects with a Problem if the state lacks a
 * requested object.
 */
export async function explainFailover(request: ExplanationRequest, ports: Ports): Promise<ExplainedFailover> {
  const state = await openStateToRead(request.state, ports, {
    live: { templates: EXPLAINED_TEMPLATES, checks: true },
  });
  return explainIn(state, request, ports);
}

type Asked = Omit<ExplanationRequest, 'state'>;

/** `explainFailover` for a state that has been read (if live, with EXPLAINED_TEMPLATES). Throws a Problem. */
export function explainIn(state: OpenedState, request: Asked, ports: Ports): ExplainedFailover {
  const { world, now, karmadaVersion } = state;
  nameBrokenLinkOfUnbound(state, request, ports);
  const { explanation, assumptions, binding, scenario, simulation } = explained(state, request, ports);
  const failing = explanation.failures.map(({ cluster }) => cluster);
  const broken = explanation.attached
    ? []
    : brokenLinks(examinationOf(state, world.bindings, ports.names), binding, failing);
  return {
    explanation:
      world.bindings.length <= MAX_HELPED ? withWayOut(explanation, state, request, ports) : explanation,
    brokenLinks: withoutSearched(
      broken.map(remedyTrials(state, { scenario, answered: simulation })),
      explanation,
    ),
    now,
    karmadaVersion,
    assumptions,
  };
}

/** Findings, after their trials, without patches of objects for which the search has found the smallest ones. */
function withoutSearched(
  findings: readonly CuredFinding[],
  { changes }: WorkloadExplanation,
): CuredFinding[] {
  const searched = changes?.items.flatMap(({ patches }) => patches.map(({ target }) => objectKey(target)));
  return findings.map((finding) => {
    const { patches, ...remedy } = finding.remedy ?? { text: '' };
    return patches?.some(({ target }) => searched?.includes(objectKey(target)))
      ? { ...finding, remedy }
      : finding;
  });
}

/** Throws a Problem with the reason why an existing object has no binding. */
function nameBrokenLinkOfUnbound(state: OpenedState, { target, namespace }: Asked, { names }: Ports): void {
  const { world } = state;
  const [name = '', kind = '', own = namespace] = target.split('/').toReversed();
  const scope = own === undefined ? {} : { namespace: own };
  if (findBindings(world.bindings, { kind, name, ...scope }).length > 0) return;
  const typed = parseKind(kind);
  const template = world.others.find(
    (one) =>
      one.metadata.name === name &&
      (own === undefined || one.metadata.namespace === own) &&
      matchesKind(typed, one.apiVersion, one.kind),
  );
  if (!template) return;
  const [{ message, check }] = brokenLinksOfUnbound(examinationOf(state, world.bindings, names), template);
  const elsewhere = { elsewhere: [], same: [], names: [] };
  throw new Problem({ code: 'no-binding', target, namespace, ...elsewhere, broken: { message, check } });
}

/**
 * Changes that let a workload survive the loss of clusters, found by simulation; the smallest first.
 *
 * @param readyAfter milliseconds until new replicas are ready
 */
export function helpfulChanges(
  { kind, namespace, name }: ObjectIdentity,
  failing: readonly string[],
  state: KnownState,
  ports: Ports,
  readyAfter?: number,
): ProposedChange[] {
  const target = namespace === undefined ? `${kind}/${name}` : `${namespace}/${kind}/${name}`;
  const failures = failing.map((cluster) => ({ cluster, after: 0 }));
  const quiet: Ports = { ...ports, warn: () => undefined, note: () => undefined };
  return (
    explained(state, { target, failures, clusters: [], readyAfter }, quiet).explanation.changes?.items ?? []
  );
}

function explained(state: KnownState, request: Asked, ports: Ports) {
  const { world, now, configuration } = state;
  const binding = bindingNamed(request.target, world.bindings, request.namespace);
  const clusters = request.clusters.map((name) => knownCluster('cluster', name, world));
  const together = (request.areas ?? []).flatMap((area) =>
    clustersIn(area, world).map((cluster) => ({ cluster, after: area.after })),
  );
  const failures = [...request.failures, ...together]
    .filter(({ cluster, after }, at, all) =>
      all.slice(0, at).every((other) => other.cluster !== cluster || other.after !== after),
    )
    .map(({ cluster, after }) => ({
      cluster: knownCluster('ifFails', cluster, world),
      time: now + after,
    }));
  const recoveries = (request.recoveries ?? []).map(({ cluster, after }) => ({
    cluster: knownCluster('recover', cluster, world),
    time: now + after,
  }));
  const { readyAfter } = request;
  const scenario: Scenario = {
    start: now,
    members: usualMembers(world, readyAfter),
    events: [
      ...failures.map(({ cluster, time }) => ({ at: time, action: { type: 'fail', cluster } }) as const),
      ...recoveries.map(({ cluster, time }) => ({ at: time, action: { type: 'recover', cluster } }) as const),
    ],
  };
  for (const { warning } of eventsWithoutEffect(scenario, world)) ports.warn(warning);
  const guessed = { unverified: unverified(state.assumptions) };
  const traced = { trace: bindingIdentity(binding), ...guessed };
  const simulation = runScenario(world, scenario, configuration, traced, ports);
  const calm =
    scenario.events.length > 0 && binding.spec.gracefulEvictionTasks?.length
      ? runScenario(world, { ...scenario, events: [] }, configuration, guessed, ports)
      : simulation;
  const replay: Replay = (events, { world: changed = world, gates, later = 0 } = {}) =>
    simulate(
      changed,
      {
        ...scenario,
        events: [...events, ...scenario.events.map((one) => ({ ...one, at: one.at + later }))],
      },
      gates ? { ...configuration, featureGates: { ...configuration.featureGates, ...gates } } : configuration,
      traced,
    );
  // each cluster fails by itself, as in the forecast of `failover status`
  const forecast =
    scenario.events.length === 0 && world.bindings.length <= MAX_REPLAYED
      ? forecastLosses(world, [binding, ...siblingsOf(binding, world.bindings)], scenario, configuration, {
          ...guessed,
          otherOrders: OTHER_ORDERS,
          forecasts: binding.spec.clusters?.length ?? 1,
        })
      : undefined;
  const explanation = explainWorkload(world, {
    binding,
    forecast,
    simulation,
    calm,
    failures,
    recoveries,
    clusters,
    configuration,
    ...guessed,
    proven: state.proven,
    names: ports.names,
    now,
    workloadReadyAfter: scenario.members.workloadReadyAfter,
    replay,
  });
  const assumptions = [
    ...state.assumptions,
    ...memberAssumptions(scenario, readyAfter !== undefined, world, ports.names),
  ];
  return { explanation, assumptions, binding, scenario, simulation };
}

/** Adds changes that would help if the cluster with the worst loss failed, unless the workload needs help now. */
function withWayOut(
  explanation: WorkloadExplanation,
  state: OpenedState,
  request: Asked,
  ports: Ports,
): WorkloadExplanation {
  const { ifItFails = [], changes } = explanation;
  const worst = worstLoss(explanation);
  if (!worst || changes) return explanation;
  const failing = { ...request, failures: [{ cluster: worst.cluster, after: 0 }], clusters: [] };
  const { explanation: failed } = explained(state, failing, { ...ports, warn: () => undefined });
  if (!failed.changes) return explanation;
  const helped = { ...worst, changes: failed.changes };
  return { ...explanation, ifItFails: ifItFails.map((loss) => (loss === worst ? helped : loss)) };
}
