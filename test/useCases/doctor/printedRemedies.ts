import type { ObjectPatch } from '../../../src/analysis/explanation/changes/change.ts';
import { patchEvents } from '../../../src/analysis/explanation/changes/trial.ts';
import { evictionActionEvents } from '../../../src/analysis/evictionAction/actionEvents.ts';
import { evictionStep, type EvictionStep } from '../../../src/analysis/findings/state/stateCheck.ts';
import { compareTroubles, troubleOf } from '../../../src/analysis/audit/trouble.ts';
import type { StateFinding } from '../../../src/analysis/findings/state/stateCheck.ts';
import { objectKey, workloadOf } from '../../../src/karmada/objects/identities.ts';
import { placedOn } from '../../../src/karmada/objects/placement.ts';
import type { FeatureGates } from '../../../src/karmada/dialects/featureGates.ts';
import type { KubernetesObject, ObjectIdentity } from '../../../src/karmada/api/meta.ts';
import type { TargetCluster } from '../../../src/karmada/api/work.ts';
import type { ScenarioEvent } from '../../../src/simulator/scenario.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import type { Simulation } from '../../../src/simulator/simulation/simulation.ts';
import { usualMembers } from '../../../src/simulator/store/savedSimulation.ts';
import type { WorkloadOutcome } from '../../../src/simulator/verdicts/outcome.ts';
import { diagnosisOf, curesOf } from '../../../src/useCases/doctor/diagnoseControlPlane.ts';
import { explainIn } from '../../../src/useCases/explanation/explainFailover.ts';
import { auditState } from '../../../src/useCases/audit/auditFailover.ts';
import { curesOfLosses } from '../../../src/useCases/scenario/curesOfLosses.ts';
import type { OpenedState } from '../../../src/useCases/state/openState.ts';
import { quietPorts } from '../quietPorts.ts';

/** A remedy as a command prints it. */
export interface PrintedRemedy {
  from: string;
  patches: readonly ObjectPatch[];
  /** an eviction command, or an object to create, instead of patches */
  step?: EvictionStep | { action: 'create'; object: KubernetesObject };
  /** where the workload then is, as printed */
  gives?: readonly TargetCluster[];
  gates?: Partial<FeatureGates> | undefined;
  /** the workload that it is to help; absent: those of a finding, which need not be in trouble */
  workload?: ObjectIdentity;
  /** clusters that fail in the question */
  failing: readonly string[];
}

const OF_WORKLOADS = /^(?:Cluster)?(?:PropagationPolicy|ResourceBinding)$/;

/**
 * The remedies that doctor, explain, simulate and audit print about a state, as patches or eviction commands; `failing`
 * fails in their questions. The drain of a cluster names them by `explain`.
 */
export async function printedRemedies(state: OpenedState, failing: string): Promise<PrintedRemedy[]> {
  const ports = quietPorts();
  const printed: PrintedRemedy[] = [];
  const templates = new Set(state.world.bindings.map((one) => objectKey(workloadOf(one))));
  const noteFindings = (from: string, findings: readonly StateFinding[], lost: readonly string[]) => {
    for (const { check, remedy } of findings) {
      const patches = (remedy?.patches ?? []).filter(
        ({ target }) => OF_WORKLOADS.test(target.kind) || templates.has(objectKey(target)),
      );
      const step = remedy && evictionStep(remedy);
      if (patches.length > 0) printed.push({ from: `${from} ${check}`, patches, failing: lost });
      else if (step)
        printed.push({
          from: `${from} ${check} ${step.action}`,
          patches,
          step,
          failing: lost,
          workload: step.workload,
        });
    }
  };
  const { findings } = diagnosisOf(
    state,
    () => true,
    { selection: {}, riskWords: ({ code }) => code },
    ports,
  );
  const cured = findings.map(curesOf(findings, state, { cured: 3 }, ports));
  noteFindings('doctor', cured, []);
  for (const { check, remedy, changes = [] } of cured)
    for (const { patches, gates, gives } of changes)
      printed.push({ from: `doctor ${check}`, patches, gates, gives, ...remedy!.simulate! });
  for (const binding of state.world.bindings)
    for (const lost of [[], [failing]]) {
      const { kind = '', metadata } = binding;
      const request = {
        target: `${kind}/${metadata.name}`,
        namespace: metadata.namespace,
        failures: lost.map((cluster) => ({ cluster, after: 0 })),
        clusters: [],
      };
      if (lost.length > 0 && !placedOn(binding.spec).some(({ name }) => name === failing)) continue;
      const { explanation, brokenLinks } = explainIn(state, request, ports);
      const from = `explain ${metadata.name} ${lost.join()}`;
      noteFindings(from, brokenLinks, lost);
      const { workload, changes, ifItFails = [], rebalance } = explanation;
      if (rebalance?.moves) {
        const spec = { workloads: [workload] };
        const metadata = { name: 'printed' };
        const object = { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', metadata, spec };
        const step = { action: 'create', object } as const;
        printed.push({ from: `${from} rebalance`, patches: [], step, gives: rebalance.gives, failing: lost });
      }
      const asked = [
        { items: changes?.items ?? [], of: lost },
        ...ifItFails.map((loss) => ({ items: loss.changes?.items ?? [], of: [loss.cluster] })),
      ];
      for (const { items, of } of asked)
        for (const { text, patches, gates, gives } of items)
          printed.push({ from: `${from}: ${text}`, patches, gates, gives, workload, failing: of });
    }
  const events = failures([failing], state.now);
  const scenario = { start: state.now, members: usualMembers(state.world), events };
  const simulation = simulate(state.world, scenario, state.configuration);
  for (const { workload, changes } of curesOfLosses(state, { scenario, simulation }, ports))
    for (const { text, patches, gates, gives } of changes)
      printed.push({ from: `simulate: ${text}`, patches, gates, gives, workload, failing: [failing] });
  const { signal } = new AbortController();
  const asked = { selection: {}, groupBy: [], pairs: false, targets: { namespaces: new Map() }, signal };
  const { audit } = await auditState(state, asked, ports);
  for (const { workload, contingency, changes } of audit.causes.flatMap(({ cures }) => cures ?? []))
    for (const { text, patches, gates, gives } of changes)
      printed.push({
        ...{ from: `audit ${contingency}: ${text}`, patches, gates, gives, workload },
        failing: audit.contingencies.find(({ name }) => name === contingency)!.clusters,
      });
  return printed;
}

function failures(clusters: readonly string[], at: number): ScenarioEvent[] {
  return clusters.map((cluster) => ({ at, action: { type: 'fail', cluster } }));
}

/** The events of carrying a remedy out; or why its command writes nothing. */
function carriedOut(
  { world, now, configuration }: OpenedState,
  { patches, step }: PrintedRemedy,
): ScenarioEvent[] | { refused: string } {
  switch (step?.action) {
    case 'create':
      return [{ at: now, action: { type: 'apply', objects: [step.object] } }];
    case 'hold-eviction':
    case 'cancel-eviction': {
      const binding = world.bindings.find((one) => objectKey(workloadOf(one)) === objectKey(step.workload))!;
      const name = step.action === 'hold-eviction' ? 'hold' : 'cancel';
      return evictionActionEvents(name, binding, step.cluster, world, { now, configuration });
    }
    default:
      return patchEvents(patches, now);
  }
}

const cached = new WeakMap<OpenedState, Map<string, Simulation>>();

/** What is wrong with a remedy that is carried out: whom it harms, or that it does not help; undefined: nothing. */
export function brokenPromise(state: OpenedState, remedy: PrintedRemedy, later: number): string | undefined {
  const { world, now, configuration } = state;
  const members = usualMembers(world);
  const { gates, workload, gives } = remedy;
  const done = carriedOut(state, remedy);
  if ('refused' in done) return `${remedy.from}: it is refused: ${done.refused}`;
  // advice about capacity, or an API
  if (done.length === 0 && !gates) return undefined;
  const events = failures(remedy.failing, now + later);
  const known = cached.get(state) ?? new Map<string, Simulation>();
  cached.set(state, known);
  const key = JSON.stringify(events);
  const before = known.get(key) ?? simulate(world, { start: now, members, events }, configuration);
  known.set(key, before);
  const after = simulate(
    world,
    { start: now, members, events: [...done, ...events] },
    { ...configuration, featureGates: { ...configuration.featureGates, ...gates } },
  );
  const bindings = new Map(
    world.bindings.map((one) => [`${one.metadata.namespace}/${one.metadata.name}`, one]),
  );
  // nothing runs either way
  const trouble = (one: WorkloadOutcome) => {
    const is = troubleOf(one, bindings.get(`${one.binding.namespace}/${one.binding.name}`)!);
    return is === 'lost' ? 'down' : is;
  };
  const missing = ({ gap, before: had, after: has }: WorkloadOutcome) =>
    gap?.open ? (gap.atEnd ?? gap.replicas) : had.length > 0 && has.length === 0 ? 1 : 0;
  for (const one of after.workloads) {
    const old = before.workloads.find(({ binding }) => objectKey(binding) === objectKey(one.binding));
    if (!old) continue;
    const isIt = workload && objectKey({ ...workload }) === objectKey(one);
    const change = compareTroubles(trouble(one), trouble(old));
    // it may move without its volumes, or with fewer copies, instead of being down
    const [is, was] = [trouble(one), trouble(old)];
    // a hold keeps the replicas running that would be deleted, or evicted again and again
    const isKept =
      one.outcome === 'blocked' && !one.down && (old.outcome === 'lost' || (was === 'flaps' && !one.gap));
    // what a workload that never settles misses when the simulation stops is arbitrary
    const isHarm =
      (missing(one) > missing(old) && (is !== 'flaps' || was !== 'flaps')) ||
      (change < 0 && !isKept && is !== 'without-state' && is !== 'partly-moves');
    if (isHarm) return `${remedy.from} at +${later / 1000}s: ${one.name} is ${is}, was ${was}`;
    if (
      isIt &&
      later === 0 &&
      change <= 0 &&
      !isKept &&
      missing(one) >= missing(old) &&
      (was || missing(old) > 0)
    )
      return `${remedy.from}: ${one.name} stays ${is}, was ${was}`;
    if (isIt && later === 0 && gives && placementText(gives) !== placementText(one.after))
      return `${remedy.from}: ${one.name} is on ${placementText(one.after)}, not ${placementText(gives)}`;
  }
  return undefined;
}

/** "member1 2, member2 1" */
function placementText(clusters: readonly TargetCluster[]): string {
  return clusters.map(({ name, replicas = '' }) => `${name} ${replicas}`).join();
}
