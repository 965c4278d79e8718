import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { keptByTasks } from '../../karmada/eviction/works.ts';
import { appliedPlacement } from '../../karmada/objects/appliedPlacement.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingKey, objectKey, workloadOf } from '../../karmada/objects/identities.ts';
import { evictingFrom, leavingClusters, targetClusters } from '../../karmada/objects/placement.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import { termsOf } from '../../karmada/taints/evictionTerms.ts';
import { taintsInForce } from '../../karmada/taints/taintedPair.ts';
import { evictionDue } from '../../karmada/taints/taintedPair.ts';
import { type CopyFacts, copyPhase, createSpanRecorder } from '../../simulator/timeline/spanRecorder.ts';
import type { Phase, Span } from '../../simulator/timeline/span.ts';
import {
  isReadinessUnreported,
  missingReplicas,
  readyOn,
  type DesiredReplicasReader,
} from './readyCopies.ts';
import type { ObservedWorld } from './observedWorld.ts';

interface SeenSpans {
  /** updates a binding at an instant (epoch milliseconds), after it or one of its clusters has changed */
  update(key: string, now: number): void;
  /** all spans up to an instant (epoch milliseconds), the last update */
  all(end: number): Span[];
  /** the workloads with unreported ready replicas, by `objectKey` */
  unreported: ReadonlyMap<string, ObjectIdentity>;
}

/** The facts for judging spans. */
interface SeenBy {
  configuration: Configuration;
  hooks: DeclaredHooks;
  wanted: DesiredReplicasReader;
}

/** Starts without spans. `world` must apply each change before `update` is called. */
export function followObservedSpans(
  world: ObservedWorld,
  { configuration, hooks, wanted }: SeenBy,
): SeenSpans {
  const recorder = createSpanRecorder();
  const unreported = new Map<string, ObjectIdentity>();
  const known = new Map<string, { binding: ResourceBinding; places: Set<string> }>();
  /** copies with a timed toleration: when it ends without another change, they wait for eviction */
  const tolerated = new Map<string, { until: number; end: () => void }>();

  /** The effect of a cluster's taints on a copy, and until when (epoch milliseconds) if it ends by time. */
  function standing(
    binding: ResourceBinding,
    cluster: string,
    now: number,
  ): { taints?: CopyFacts['taints']; until?: number } {
    const taints = taintsInForce(world.clusters.get(cluster), configuration);
    if (taints.length === 0) return {};
    const due = evictionDue(taints, binding, termsOf(binding, appliedPlacement(binding.metadata)), now);
    if (due.kind === 'immediate') return { taints: 'waits' };
    return { taints: 'tolerates', ...(due.kind === 'after' ? { until: now + due.milliseconds } : {}) };
  }

  function endTolerations(now: number, of?: string): void {
    for (const key of of === undefined ? [...tolerated.keys()] : [of]) {
      const one = tolerated.get(key);
      if (one && one.until < now) one.end();
      if (one) tolerated.delete(key);
    }
  }

  function updateCluster(binding: ResourceBinding, isThere: boolean, cluster: string, now: number): void {
    const place = `${objectKey(workloadOf(binding))} ${cluster}`;
    endTolerations(now, place);
    const { spec, status } = binding;
    const works = world.worksOf(binding);
    const target = isThere ? targetClusters(spec).find(({ name }) => name === cluster) : undefined;
    const left = leavingClusters(spec).find(({ name }) => name === cluster);
    const replicas = (target ?? left)?.replicas ?? 0;
    const isReachable = isReady(world.clusters.get(cluster));
    const isUnreported = isReadinessUnreported(binding, hooks);
    const item = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
    // An applied copy without a status report counts as ready.
    const ready =
      isUnreported && isReachable && item?.applied ? replicas : readyOn(binding, cluster, world.clusters);
    const { taints, until } = target ? standing(binding, cluster, now) : {};
    const facts: CopyFacts = {
      placed: target !== undefined,
      kept: isThere && keptByTasks(spec, configuration.rules).includes(cluster),
      present: works.has(cluster),
      unmanaged: false,
      reachable: isReachable,
      replicas: spec.replicas ? replicas : 0,
      ready,
      // A starting copy is Unhealthy as well.
      unhealthy: item?.health === 'Unhealthy' && ready >= replicas && replicas > 0,
      taints,
    };
    const set = (time: number, phase: Phase | undefined) =>
      recorder.set(
        workloadOf(binding),
        { cluster },
        time,
        phase && {
          phase,
          replicas,
          evidence: [],
          ...(isUnreported ? { certainty: 'unknown' } : { ready, certainty: 'estimate' }),
        },
      );
    set(now, copyPhase(facts));
    if (until !== undefined)
      tolerated.set(place, { until, end: () => set(until, copyPhase({ ...facts, taints: 'waits' })) });
  }

  return {
    update(key, now) {
      const present = world.bindings.get(key);
      const binding = present ?? known.get(key)?.binding;
      if (!binding) return;
      const places = known.get(key)?.places ?? new Set<string>();
      known.set(key, { binding, places });
      for (const { name } of targetClusters(binding.spec)) places.add(name);
      for (const name of evictingFrom(binding.spec)) places.add(name);
      for (const name of world.worksOf(binding).keys()) places.add(name);
      for (const cluster of places) updateCluster(binding, present !== undefined, cluster, now);
      const isUnreported = isReadinessUnreported(binding, hooks);
      if (isUnreported) unreported.set(objectKey(workloadOf(binding)), workloadOf(binding));
      const missing =
        present && !isUnreported ? missingReplicas(present, world.clusters, wanted(present)) : 0;
      recorder.set(
        workloadOf(binding),
        { of: 'gap' },
        now,
        missing > 0 ? { phase: 'gap', replicas: missing, certainty: 'estimate', evidence: [] } : undefined,
      );
      const scheduled = conditionOf(present?.status?.conditions, 'Scheduled');
      recorder.set(
        workloadOf(binding),
        { of: 'scheduling' },
        now,
        scheduled?.status === 'False' ? { phase: 'scheduling', evidence: [] } : undefined,
      );
    },
    all(end) {
      endTolerations(end);
      return recorder.spans();
    },
    unreported,
  };
}

/** The bindings that are on a cluster, are being evicted from it, or have left a Work there, by `bindingKey`. */
export function bindingsOn(world: ObservedWorld, cluster: string): string[] {
  const found: string[] = [];
  for (const binding of world.bindings.values()) {
    const { spec } = binding;
    const isThere =
      targetClusters(spec).some(({ name }) => name === cluster) ||
      evictingFrom(spec).includes(cluster) ||
      world.worksOf(binding).has(cluster);
    if (isThere) found.push(bindingKey(binding));
  }
  return found;
}
