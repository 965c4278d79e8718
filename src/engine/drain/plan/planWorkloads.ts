import { dividesReplicas } from '../../objects/placement.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { compareUtf8 } from '../../../kubernetes/utf8.ts';
import { targetClusters } from '../../eviction/works.ts';
import type { Certainty, Evidence } from '../../evidence.ts';
import { bindingIdentity, objectKey, workloadOf } from '../../objects/identities.ts';
import { strategyOf } from '../../scheduling/strategy.ts';
import type { Simulation } from '../../simulation/timeline.ts';
import type { WorkloadOutcome } from '../../verdicts/outcome.ts';
import type { World } from '../../world.ts';
import { type DependencyIndex } from '../../objects/dependencyIndex.ts';
import type { DrainOptions } from '../drainOptions.ts';
import type { DrainFate, PlannedWorkload } from './drainPlan.ts';
import { clustersToLeave } from '../decide/drainSituation.ts';
import type { DrainedWorkload } from '../decide/drainStep.ts';
import { viewOfWorld } from '../decide/drainView.ts';
import { evictionCheck } from '../decide/evictionCheck.ts';
import { compileSelection } from '../decide/selects.ts';
import type { SimulatedDrain } from './simulatedDrain.ts';

interface Planned {
  world: World;
  options: DrainOptions;
  configuration: Configuration;
  simulation: Simulation;
  ended: ReturnType<SimulatedDrain['result']>;
  dependencies: DependencyIndex;
}

/** Refusals that are explained cluster by cluster; the rest say how many clusters each reason concerns. */
const MOST_EXPLAINED = 50;

/** What becomes of everything that is on the drained clusters: in the order of evictions, then by namespace and name. */
export function planWorkloads(planned: Planned): PlannedWorkload[] {
  const { world, options, simulation, ended, dependencies } = planned;
  const own = new Set(options.clusters);
  const { templateOf } = viewOfWorld({ ...world, works: [], bindings: [] });
  const outcomes = new Map(simulation.workloads.map((outcome) => [objectKey(outcome.binding), outcome]));
  const phases = new Map(ended.step.workloads.map((workload) => [objectKey(workload.binding), workload]));
  const tolerated = new Set(
    simulation.events.filter(({ type }) => type === 'EvictionWaits').map(({ object }) => objectKey(object)),
  );
  const selection = compileSelection(options.selection);
  let explained = 0;

  function plan(binding: ResourceBinding): PlannedWorkload | undefined {
    const { spec, metadata } = binding;
    const from = drainedTargets(binding, own);
    if (from.length === 0 || metadata.deletionTimestamp) return undefined;
    const identity = bindingIdentity(binding);
    const key = objectKey(identity);
    const outcome = outcomes.get(key);
    const left = selection.leftOutBy(binding, templateOf(binding));
    const found = ended.find(binding);
    const fate: Fate = left
      ? { fate: 'stays', reason: `left out: ${left}` }
      : fateOf(binding, outcome, phases.get(key), found?.current ?? binding);
    const { order, evictedAt, readyAt, goneAt } = found?.times ?? {};
    const certainty = fate.certainty ?? outcome?.certainty ?? 'certain';
    const gap = fate.fate === 'leaves' ? undefined : outcome?.gap;
    const until = fate.fate === 'lost' ? goneAt : tolerated.has(key) ? evictedAt : undefined;
    return {
      ...workloadOf(binding),
      binding: identity,
      ...(metadata.resourceVersion ? { resourceVersion: metadata.resourceVersion } : {}),
      ...(metadata.uid ? { uid: metadata.uid } : {}),
      from,
      before: targetsOf(spec.clusters),
      after: outcome?.after ?? targetsOf(found?.current.spec.clusters),
      fate: fate.fate,
      ...(fate.reason ? { reason: fate.reason } : {}),
      certainty,
      ...(certainty !== 'certain' && outcome?.dependsOn ? { dependsOn: outcome.dependsOn } : {}),
      ...(order === undefined ? {} : { order }),
      ...(evictedAt === undefined ? {} : { evictedAt }),
      ...(readyAt === undefined ? {} : { readyAt }),
      ...(goneAt === undefined ? {} : { goneAt }),
      ...(until === undefined ? {} : { until }),
      ...(gap ? { gap } : {}),
      ...dependencies.of(binding),
      evidence: fate.evidence ?? [],
    };
  }

  function fateOf(
    binding: ResourceBinding,
    outcome: WorkloadOutcome | undefined,
    phase: DrainedWorkload | undefined,
    current: ResourceBinding,
  ): Fate {
    switch (phase?.phase) {
      case 'stays':
        return { fate: 'stays', reason: phase.waitingFor, evidence: phase.evidence };
      case 'skipped':
        return skippedFate(phase, current);
      case 'stuck':
        return {
          fate: 'blocked',
          reason: `evicted and held, its replacement does not get ready: ${phase.waitingFor}`,
          evidence: phase.evidence,
        };
      case 'queued':
        return {
          fate: 'blocked',
          reason: phase.waitingFor ?? `its turn does not come: ${ended.step.pace.reason}`,
        };
      case 'gone':
      case undefined:
        return outcome ? endedFate(binding, outcome) : { fate: 'leaves', reason: 'the binding is deleted' };
      default:
        // Whoever is nowhere has not moved: as every other command says it.
        if (outcome?.after.length === 0)
          return { fate: outcome.outcome === 'lost' ? 'lost' : 'blocked', reason: outcome.reason };
        return {
          fate: 'moves',
          ...(phase?.waitingFor ? { reason: phase.waitingFor } : {}),
          evidence: phase?.evidence ?? [],
        };
    }
  }

  /** Why it was never evicted, as of the end. */
  function skippedFate(phase: DrainedWorkload, current: ResourceBinding): Fate {
    const { situation } = ended;
    const view = { templateOf } as Parameters<typeof clustersToLeave>[2];
    const leave = clustersToLeave(situation, current, view);
    const known: Fate = { fate: 'stays', reason: phase.waitingFor, evidence: phase.evidence };
    if (options.method === 'taint' || leave.length === 0) return known;
    const { configuration } = planned;
    const check = evictionCheck(
      { binding: current, leave, situation, options, configuration, now: simulation.end },
      ++explained <= MOST_EXPLAINED,
    );
    if (check.verdict === 'evict') return { ...known, fate: 'blocked' };
    const strategy = strategyOf(current.spec.placement);
    const byRoom = check.verdict === 'blocked' && (strategy === 'Aggregated' || strategy === 'DynamicWeight');
    return {
      fate: check.verdict,
      reason: check.reason,
      evidence: check.evidence,
      ...(byRoom ? { certainty: 'estimate' as const } : {}),
    };
  }

  const workloads = world.bindings.flatMap((binding) => plan(binding) ?? []);
  const followers = dependencies.attached.flatMap((binding) => planFollower(binding, own, ended) ?? []);
  return [...workloads, ...followers].sort(byOrder);
}

interface Fate {
  fate: DrainFate;
  reason?: string | undefined;
  certainty?: Certainty;
  evidence?: Evidence[];
}

/** What became of a workload that has left. */
function endedFate({ spec }: ResourceBinding, outcome: WorkloadOutcome): Fate {
  const { before, after, gap } = outcome;
  const left = before.filter(({ name }) => !after.some((target) => target.name === name));
  const preserved = spec.preserveResourcesOnDeletion
    ? `what runs on ${names(left)} is left there, no longer managed (preserveResourcesOnDeletion)`
    : undefined;
  if (after.length === 0) return { fate: 'lost', reason: preserved ?? outcome.reason };
  const divided = dividesReplicas(spec);
  const joined = after.filter(({ name }) => !before.some((target) => target.name === name));
  const fate = ((): DrainFate => {
    if (divided && total(after) < total(before)) return 'partly-moves';
    if (divided || joined.length >= left.length) return 'moves';
    return joined.length === 0 ? 'leaves' : 'partly-moves';
  })();
  if (fate !== 'leaves' && gap?.open)
    return {
      fate: gap.replicas >= total(before) ? 'lost' : 'partly-moves',
      reason: `the old copy goes, and its replacement does not get ready`,
    };
  return { fate, reason: preserved };
}

/** A binding that is where others need it. */
function planFollower(
  binding: ResourceBinding,
  own: ReadonlySet<string>,
  ended: Planned['ended'],
): PlannedWorkload | undefined {
  const before = targetClusters(binding.spec);
  const from = before.filter(({ name }) => own.has(name));
  if (from.length === 0) return undefined;
  const current = ended.find(binding)?.current ?? binding;
  const after = targetClusters(current.spec);
  const parents = (binding.spec.requiredBy ?? []).map(({ name }) => name).join(', ');
  const stays = after.some(({ name }) => own.has(name));
  const { resourceVersion, uid } = binding.metadata;
  return {
    ...workloadOf(binding),
    binding: bindingIdentity(binding),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(uid ? { uid } : {}),
    from: targetsOf(from),
    before: targetsOf(before),
    after: targetsOf(after),
    fate: stays ? 'stays' : 'follows',
    // Karmada knows no task for it: its copy goes with the eviction, before the old copy of what requires it.
    reason: stays
      ? `stays with ${parents}`
      : `Karmada deletes its copy here at the eviction of ${parents}, whose old copy still runs then`,
    certainty: 'certain',
    takesAlong: [],
    leavesBehind: [],
    evidence: [{ rule: 'it is where the bindings are that require it', field: 'spec.requiredBy' }],
  };
}

/** What a binding has on the drained clusters, or still has there under a task. */
function drainedTargets({ spec }: ResourceBinding, own: ReadonlySet<string>): TargetCluster[] {
  const targets = targetsOf(spec.clusters).filter(({ name }) => own.has(name));
  for (const { fromCluster, replicas = 0 } of spec.gracefulEvictionTasks ?? [])
    if (own.has(fromCluster) && !targets.some(({ name }) => name === fromCluster))
      targets.push({ name: fromCluster, replicas });
  return targets;
}

const LAST = Number.MAX_SAFE_INTEGER;

function byOrder(a: PlannedWorkload, b: PlannedWorkload): number {
  return (a.order ?? LAST) - (b.order ?? LAST) || compareNames(a.binding, b.binding);
}

function compareNames(a: ObjectIdentity, b: ObjectIdentity): number {
  return compareUtf8(a.namespace ?? '', b.namespace ?? '') || compareUtf8(a.name, b.name);
}

function targetsOf(clusters: readonly TargetCluster[] | undefined): TargetCluster[] {
  return (clusters ?? []).map(({ name, replicas }) => ({ name, replicas: replicas ?? 0 }));
}

function names(clusters: readonly TargetCluster[]): string {
  return clusters.map(({ name }) => name).join(', ');
}

function total(clusters: readonly TargetCluster[]): number {
  return clusters.reduce((sum, { replicas }) => sum + (replicas ?? 0), 0);
}
