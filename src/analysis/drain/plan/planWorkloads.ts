import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import {
  bindingIdentity,
  objectKey,
  workloadOf,
  compareByName,
} from '../../../karmada/objects/identities.ts';
import { type DependencyIndex, isAttached, requiringBindings } from '../../../karmada/objects/dependents.ts';
import { placedOn, placementOf, dividesReplicas } from '../../../karmada/objects/placement.ts';
import type { Simulation } from '../../../simulator/simulation/simulation.ts';
import type { WorkloadOutcome } from '../../../simulator/verdicts/outcome.ts';
import type { World } from '../../../karmada/world.ts';
import { templatesOf } from '../decide/selects.ts';
import { compileSelection } from '../decide/selects.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { DrainOutcomeWithEnd, PlannedWorkload } from './drainPlan.ts';
import type { DrainTimes, SimulatedDrain } from './simulatedDrain.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { strategyOf } from '../../../karmada/scheduling/strategy.ts';
import { capacityDoubts } from '../../../simulator/verdicts/doubt.ts';
import { clustersToLeave } from '../decide/drainSituation.ts';
import type { DrainedWorkload } from '../decide/drainStep.ts';
import { evictionCheck } from '../decide/evictionCheck.ts';
import { stateRanks } from '../../explanation/workloadNow.ts';

interface Planned {
  world: World;
  options: DrainOptions;
  configuration: Configuration;
  simulation: Simulation;
  ended: ReturnType<SimulatedDrain['result']>;
  dependencies: DependencyIndex;
}

/** The outcome of all workloads on the drained clusters: in the order of evictions, then by state, then by name. */
export function planWorkloads(planned: Planned): PlannedWorkload[] {
  const { world, options, configuration, simulation, ended, dependencies } = planned;
  const own = new Set(options.clusters);
  const templateOf = templatesOf(world);
  const outcomes = new Map(simulation.workloads.map((outcome) => [objectKey(outcome.binding), outcome]));
  const phases = new Map(ended.step.workloads.map((workload) => [objectKey(workload.binding), workload]));
  const tolerated = new Set(
    simulation.events.filter(({ type }) => type === 'EvictionWaits').map(({ object }) => objectKey(object)),
  );
  const selection = compileSelection(options.selection);
  const fateOf = drainOutcomes({ ended, end: simulation.end, options, configuration, templateOf });

  function plan(binding: ResourceBinding): PlannedWorkload | undefined {
    if (isAttached(binding.spec)) return undefined;
    const from = drainedTargets(binding, own);
    if (from.length === 0 || binding.metadata.deletionTimestamp) return undefined;
    const key = objectKey(bindingIdentity(binding));
    const outcome = outcomes.get(key);
    const found = ended.find(binding);
    const current = found?.current ?? binding;
    const times = found?.times ?? {};
    const left = selection.leftOutBy(binding, templateOf(binding));
    const fate: WorkloadFate = left
      ? {
          fate: 'stays',
          after: outcome?.after ?? placementOf(current.spec).clusters,
          reason: `excluded: ${left}`,
        }
      : fateOf({ binding, current, outcome, phase: phases.get(key) });
    return {
      ...objectsOf(binding),
      from,
      before: placementOf(binding.spec).clusters,
      ...endOf(fate, times.readyAt),
      ...judgedBy(outcome, fate),
      ...timesOf(
        times,
        fate.fate === 'lost' ? times.goneAt : tolerated.has(key) ? times.evictedAt : undefined,
      ),
      ...dependencies.of(binding),
      evidence: fate.evidence ?? [],
    };
  }

  const workloads = world.bindings.flatMap((binding) => plan(binding) ?? []);
  const followers = dependencies.attached.flatMap((binding) => {
    const outcome = outcomes.get(objectKey(bindingIdentity(binding)));
    return planFollower(binding, options, outcome, ended) ?? [];
  });
  const all = [...workloads, ...followers];
  const keys = new Set(all.map(({ binding }) => objectKey(binding)));
  const bindings = world.bindings.filter((one) => keys.has(objectKey(bindingIdentity(one))));
  const rank = stateRanks({ ...world, bindings }, configuration);
  return all.sort(
    (a, b) =>
      (a.order ?? LAST) - (b.order ?? LAST) || rank(a) - rank(b) || compareByName(a.binding, b.binding),
  );
}

function objectsOf(binding: ResourceBinding) {
  const { resourceVersion, uid } = binding.metadata;
  return {
    ...workloadOf(binding),
    binding: bindingIdentity(binding),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(uid ? { uid } : {}),
  };
}

function judgedBy(outcome: WorkloadOutcome | undefined, { fate, reason, dependsOn: own = [] }: WorkloadFate) {
  const { leaving, possibleEnds, deletedReady, flapping, certainty: judged = 'certain' } = outcome ?? {};
  const certainty = judged === 'certain' && own.length > 0 ? 'estimate' : judged;
  const dependsOn = [...new Set([...own, ...(outcome?.dependsOn ?? [])])];
  // A copy that leaves without a replacement is not missing.
  const gap = fate === 'leaves' ? undefined : outcome?.gap;
  return {
    ...(outcome ? { outcome: outcome.outcome } : {}),
    ...(reason ? { reason } : {}),
    certainty,
    ...(leaving ? { leaving } : {}),
    ...(dependsOn.length > 0 ? { dependsOn } : {}),
    ...(possibleEnds ? { possibleEnds } : {}),
    ...(deletedReady ? { deletedReady } : {}),
    ...(flapping ? { flapping } : {}),
    ...(gap ? { gap } : {}),
  };
}

/** The final placement for an outcome; a lost workload is never ready. */
function endOf(ends: WorkloadFate, readyAt: number | undefined): DrainOutcomeWithEnd {
  if (ends.fate === 'lost') return { fate: ends.fate, after: ends.after };
  const ready = readyAt === undefined ? {} : { readyAt };
  return ends.fate === 'moves' || ends.fate === 'partly-moves'
    ? { fate: ends.fate, after: ends.after, ...ready }
    : { fate: ends.fate, after: ends.after, ...ready };
}

/** @param until when it stays, or when it is lost; epoch milliseconds */
function timesOf({ order, evictedAt, goneAt }: DrainTimes, until: number | undefined) {
  return {
    ...(order === undefined ? {} : { order }),
    ...(evictedAt === undefined ? {} : { evictedAt }),
    ...(goneAt === undefined ? {} : { goneAt }),
    ...(until === undefined ? {} : { until }),
  };
}

/** The plan for a dependent, which follows its parents. */
function planFollower(
  binding: ResourceBinding,
  { clusters: drained, hold, method }: DrainOptions,
  outcome: WorkloadOutcome | undefined,
  ended: Planned['ended'],
): PlannedWorkload | undefined {
  const own = new Set(drained);
  const before = placedOn(binding.spec);
  const from = before.filter(({ name }) => own.has(name));
  if (from.length === 0) return undefined;
  const current = ended.find(binding)?.current ?? binding;
  const after = outcome?.after ?? placedOn(current.spec);
  const requiredBy = requiringBindings(binding);
  const parents = requiredBy.map(({ name }) => name).join(', ');
  const stays = after.some(({ name }) => own.has(name));
  const fate: WorkloadFate = {
    fate: stays ? 'stays' : 'follows',
    after,
    // Karmada writes no task for a dependent, so its copy is deleted at the eviction, before its parent's old copy.
    reason: stays
      ? `stays with ${parents}`
      : hold && method === 'evict'
        ? `its copy here is kept until the old copy of ${parents} is deleted`
        : `Karmada deletes its copy here at the eviction of ${parents}, whose old copy still runs then`,
  };
  return {
    ...objectsOf(binding),
    from,
    before,
    ...endOf(fate, undefined),
    ...judgedBy(outcome, fate),
    requiredBy,
    takesAlong: [],
    leavesBehind: [],
    evidence: [{ rule: 'it follows the bindings that require it', field: 'spec.requiredBy' }],
  };
}

/** The replicas of a binding on the drained clusters, with or without a task. */
function drainedTargets({ spec }: ResourceBinding, own: ReadonlySet<string>): TargetCluster[] {
  const targets = targetsOf(spec.clusters).filter(({ name }) => own.has(name));
  for (const { fromCluster, replicas = 0 } of spec.gracefulEvictionTasks ?? [])
    if (own.has(fromCluster) && !targets.some(({ name }) => name === fromCluster))
      targets.push({ name: fromCluster, replicas });
  return targets;
}

const LAST = Number.MAX_SAFE_INTEGER;

function targetsOf(clusters: readonly TargetCluster[] | undefined): TargetCluster[] {
  return (clusters ?? []).map(({ name, replicas }) => ({ name, replicas: replicas ?? 0 }));
}

/** The outcome of a workload by a drain, and why. */
type WorkloadFate = DrainOutcomeWithEnd & {
  reason?: string | undefined;
  /** further doubts, if the estimate is less certain than the outcome */
  dependsOn?: string[];
  evidence?: Evidence[];
};

export interface EndedDrain {
  ended: ReturnType<SimulatedDrain['result']>;
  /** epoch milliseconds */
  end: number;
  options: DrainOptions;
  configuration: Configuration;
  templateOf: ReturnType<typeof templatesOf>;
}

/** The state of a workload at the end of a drain. */
export interface DrainedTo {
  binding: ResourceBinding;
  current: ResourceBinding;
  outcome: WorkloadOutcome | undefined;
  /** the drain's last report of it; undefined if the drain does not concern it */
  phase: DrainedWorkload | undefined;
}

/** How many refusals are explained cluster by cluster; the others only count clusters by reason. */
const MAX_EXPLAINED = 50;

/** Returns a function from a workload to its outcome in the drain. */
export function drainOutcomes(drain: EndedDrain): (workload: DrainedTo) => WorkloadFate {
  let explained = 0;
  return (workload) => {
    const { current, outcome, phase } = workload;
    const after = outcome?.after ?? placedOn(current.spec);
    switch (phase?.phase) {
      case 'stays':
        return { fate: 'stays', after, reason: phase.waitingFor, evidence: phase.evidence };
      case 'skipped':
        return skippedFate(drain, phase, workload, ++explained <= MAX_EXPLAINED);
      case 'queued':
        return {
          fate: 'blocked',
          after,
          reason: phase.waitingFor ?? `it is not evicted: ${drain.ended.step.pace.reason}`,
        };
      case 'stuck':
        // The final placement of a workload that never settles is random.
        if (outcome?.outcome === 'flaps') return evictedFate(drain, outcome, workload);
        return {
          fate: 'blocked',
          after,
          reason: `evicted and held, its replacement does not become ready: ${phase.waitingFor}`,
          evidence: phase.evidence,
        };
      default:
        if (!outcome) return { fate: 'leaves', after, reason: 'the binding is deleted' };
        return evictedFate(drain, outcome, workload);
    }
  };
}

function evictedFate({ options }: EndedDrain, outcome: WorkloadOutcome, workload: DrainedTo): WorkloadFate {
  const { phase } = workload;
  const fate = fateOfOutcome(outcome, workload, options.clusters);
  // A workload that leaves keeps its copies on other clusters.
  if (fate.fate === 'leaves') return fate;
  return { ...fate, reason: outcome.reason ?? phase?.waitingFor, evidence: phase?.evidence ?? [] };
}

/** The meaning of an outcome for a drain of these clusters. */
function fateOfOutcome(
  judged: WorkloadOutcome,
  { binding, current }: Pick<DrainedTo, 'binding' | 'current'>,
  drained: readonly string[],
): DrainOutcomeWithEnd {
  const places = [...placedOn(current.spec).map(({ name }) => name), ...judged.evicting];
  const isThere = places.some((name) => drained.includes(name));
  switch (judged.outcome) {
    case 'moves':
    case 'starts':
      return { fate: 'moves', after: judged.after };
    case 'partly-moves': {
      const joined = judged.after.some(
        ({ name }) => !binding.spec.clusters?.some((one) => one.name === name),
      );
      if (dividesReplicas(binding.spec) || joined) return { fate: 'partly-moves', after: judged.after };
      return { fate: 'leaves', after: judged.after };
    }
    case 'restarted':
      return isThere ? { fate: 'blocked', after: judged.after } : { fate: 'moves', after: judged.after };
    case 'blocked': {
      const [first, ...others] = judged.after;
      // Its old copy is deleted anyway.
      return first && !isThere
        ? { fate: 'partly-moves', after: [first, ...others] }
        : { fate: 'blocked', after: judged.after };
    }
    case 'deleted':
      return { fate: 'leaves', after: judged.after };
    case 'lost':
    case 'flaps':
      return { fate: judged.outcome, after: judged.after };
    case 'stays':
    case 'tolerates':
      return { fate: isThere ? 'stays' : 'leaves', after: judged.after };
  }
}

/** Why it was never evicted, at the end of the drain. */
function skippedFate(
  { ended: { situation }, end, options, configuration, templateOf }: EndedDrain,
  phase: DrainedWorkload,
  { current, outcome }: DrainedTo,
  explain: boolean,
): WorkloadFate {
  const leave = clustersToLeave(situation, current, templateOf(current));
  const after = outcome?.after ?? placedOn(current.spec);
  const known = { after, reason: phase.waitingFor, evidence: phase.evidence };
  if (options.method === 'taint' || leave.length === 0) return { ...known, fate: 'stays' };
  const check = evictionCheck(
    { binding: current, leave, situation, options, configuration, now: end },
    explain,
  );
  if (check.verdict === 'evict') return { ...known, fate: 'blocked' };
  const strategy = strategyOf(current.spec.placement);
  const byCapacity =
    check.verdict === 'blocked' && (strategy === 'Aggregated' || strategy === 'DynamicWeight');
  return {
    fate: check.verdict,
    after,
    reason: check.reason,
    evidence: check.evidence,
    ...(byCapacity ? { dependsOn: capacityDoubts(configuration, situation.snapshot.clusters) } : {}),
  };
}
