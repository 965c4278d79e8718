import type { Cluster } from '../../karmada/api/cluster.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster, Work } from '../../karmada/api/work.ts';
import type { Evidence } from '../evidence.ts';
import { isScheduled } from '../eviction/evictionRule.ts';
import { isStale } from '../explanation/readiness.ts';
import { placementBefore } from './drainTasks.ts';
import { isWorkload } from '../selection/isWorkload.ts';
import { hasReplicaRevision, kindKey, type DeclaredHooks } from '../status/healthInterpreter.ts';

export interface ReplacementReadiness {
  ready: boolean;
  /** scheduling: the scheduler has not placed it anew; starting: placed, not all seen ready */
  phase: 'scheduling' | 'starting' | 'ready';
  /** what is missing, in words */
  waitingFor?: string;
  evidence: Evidence[];
}

/**
 * Whether what replaces an evicted copy has been seen ready: scheduled after the eviction, dispatched with the replicas
 * that are assigned now, applied, and as many reported ready by a cluster that is Ready itself. Goes by the Works;
 * the binding's aggregatedStatus may be older than the scale-up. A cluster that is not Ready holds nothing up where the
 * workload has no more there than before the eviction.
 *
 * @param works the binding's Works by cluster
 */
export function replacementReady(
  binding: ResourceBinding,
  works: ReadonlyMap<string, Work>,
  clusters: ReadonlyMap<string, Cluster>,
  hooks: DeclaredHooks,
): ReplacementReadiness {
  const unplaced = placementMissing(binding);
  if (unplaced) return { ready: false, phase: 'scheduling', waitingFor: unplaced.rule, evidence: [unplaced] };
  const targets = binding.spec.clusters ?? [];
  const someReady = targets.some(({ name }) => !isStale(clusters.get(name)));
  const had = placementOf(binding);
  const seen = targets.map((target): CopyReadiness => {
    const cluster = clusters.get(target.name);
    const gained = (target.replicas ?? 0) > (had?.get(target.name) ?? -1);
    return someReady && isStale(cluster) && !gained
      ? { ready: true, evidence: { rule: `${target.name}: not Ready, but no part of the replacement` } }
      : copyReadiness(binding, target, works.get(target.name), cluster, hooks);
  });
  const evidence = seen.map((copy) => copy.evidence);
  const missing = seen.filter(({ ready }) => !ready).map((copy) => copy.evidence.rule);
  return missing.length === 0
    ? { ready: true, phase: 'ready', evidence }
    : { ready: false, phase: 'starting', waitingFor: missing.join('; '), evidence };
}

/** What it had where before a drain evicted it. */
function placementOf({ spec }: ResourceBinding): ReadonlyMap<string, number> | undefined {
  const before = spec.gracefulEvictionTasks?.map(placementBefore).find((one) => one !== undefined);
  return before && new Map(before.map(({ name, replicas }) => [name, replicas ?? 0]));
}

/** Why the binding's result is none to go by. */
function placementMissing(binding: ResourceBinding): Evidence | undefined {
  const { spec, status, metadata } = binding;
  const scheduled = status?.conditions?.find(({ type }) => type === 'Scheduled');
  if (scheduled && scheduled.status !== 'True')
    return {
      rule: `not scheduled: ${scheduled.message || scheduled.reason || scheduled.status}`,
      field: 'status.conditions[type=Scheduled]',
      value: scheduled,
    };
  if (!isScheduled(binding))
    return {
      rule: 'the scheduler has not looked at it since the eviction',
      field: 'status.schedulerObservedGeneration',
      value: { observed: status?.schedulerObservedGeneration, generation: metadata.generation },
    };
  const clusters = spec.clusters ?? [];
  if (clusters.length === 0) return { rule: 'it is placed on no cluster', field: 'spec.clusters', value: [] };
  const wanted = spec.replicas ?? 0;
  const placed = clusters.reduce((sum, { replicas }) => sum + (replicas ?? 0), 0);
  if (spec.placement?.replicaScheduling?.replicaSchedulingType === 'Divided' && placed < wanted)
    return {
      rule: `${placed} of ${wanted} replicas are placed`,
      field: 'spec.clusters',
      value: clusters,
    };
  return undefined;
}

interface CopyReadiness {
  ready: boolean;
  evidence: Evidence;
}

/** One copy of the result, by its Work. Each `no` names the first thing that is missing. */
function copyReadiness(
  { spec }: ResourceBinding,
  { name, replicas = 0 }: TargetCluster,
  work: Work | undefined,
  cluster: Cluster | undefined,
  hooks: DeclaredHooks,
): CopyReadiness {
  const about = (ready: boolean, rule: string, field?: string, value?: unknown): CopyReadiness => ({
    ready,
    evidence: {
      rule: `${name}: ${rule}`,
      ...(work
        ? { object: { kind: 'Work', namespace: work.metadata.namespace ?? '', name: work.metadata.name } }
        : {}),
      ...(field ? { field } : {}),
      ...(value === undefined ? {} : { value }),
    },
  });
  if (isStale(cluster))
    return about(false, 'the cluster is not Ready, what was reported of it may be out of date');
  if (!work) return about(false, 'no Work has been written yet');
  if (work.metadata.deletionTimestamp) return about(false, 'its former Work is still being deleted');
  if (work.spec?.suspendDispatching)
    return about(false, 'dispatching is suspended', 'spec.suspendDispatching');
  const manifest = work.spec?.workload?.manifests?.[0];
  const wanted = isWorkload(spec) ? replicas : 0;
  const written = manifest && writtenReplicas(manifest);
  const revised = hasReplicaRevision(spec.resource, hooks);
  if (revised && wanted > 0 && written !== undefined && written !== wanted)
    return about(false, `the Work still has ${count(written)}, ${wanted} are assigned`, REPLICAS, written);
  const applied = work.status?.conditions?.find(({ type }) => type === 'Applied');
  if (applied?.status !== 'True')
    return about(
      false,
      applied?.message ? `not applied: ${applied.message}` : 'not applied yet',
      'status.conditions[type=Applied]',
      applied,
    );
  const reported = work.status?.manifestStatuses?.[0];
  const status = fieldsOf(reported?.status);
  const unobserved =
    typeof status?.generation === 'number' &&
    typeof status.observedGeneration === 'number' &&
    status.observedGeneration < status.generation;
  if (unobserved)
    return about(false, 'the member has not acted on the new content yet', STATUS, reported?.status);
  const needed = revised ? neededOf(manifest, wanted, status) : (written ?? wanted);
  const ready = needed > 0 ? readyCount(spec.resource, status) : undefined;
  if (ready !== undefined)
    return ready >= needed
      ? about(true, `${ready} of ${count(needed)} ready`, STATUS, reported?.status)
      : about(false, `${ready} of ${count(needed)} ready`, STATUS, reported?.status);
  const health = reported?.health;
  const judged = about(
    health === 'Healthy',
    health ? `reported ${health}` : 'nothing reported yet',
    'status.manifestStatuses[0].health',
    health,
  );
  if (!judged.ready || needed === 0) return judged;
  return {
    ready: true,
    evidence: {
      ...judged.evidence,
      certainty: 'estimate',
      missing: `${spec.resource.kind} reports no ready replicas, so health from before the scale-up cannot be told apart`,
    },
  };
}

const REPLICAS = 'spec.workload.manifests[0].spec.replicas';
const STATUS = 'status.manifestStatuses[0].status';

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The replicas that a manifest asks for. */
function writtenReplicas(manifest: KubernetesObject): number | undefined {
  const { spec } = manifest as KubernetesObject & { spec?: Fields };
  const value = manifest.kind === 'Job' ? spec?.parallelism : spec?.replicas;
  return typeof value === 'number' ? value : undefined;
}

const RETAIN_REPLICAS_LABEL = 'resourcetemplate.karmada.io/retain-replicas';

/** Where an autoscaler in the member decides on replicas, no more than it wants can be ready. */
function neededOf(
  manifest: KubernetesObject | undefined,
  wanted: number,
  status: Fields | undefined,
): number {
  if (manifest?.metadata.labels?.[RETAIN_REPLICAS_LABEL] !== 'true') return wanted;
  return typeof status?.replicas === 'number' ? Math.min(wanted, status.replicas) : wanted;
}

/** Kinds whose ready counts are left out of their status where they are 0. */
const counting: ReadonlySet<string> = new Set([
  'apps/v1/Deployment',
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
  'apps.kruise.io/v1alpha1/CloneSet',
  'apps.kruise.io/v1beta1/StatefulSet',
]);

/** Whether objects of the kind always report how many of their replicas are ready. */
export function countsReplicas(resource: { apiVersion: string; kind: string }): boolean {
  return counting.has(kindKey(resource));
}

/** How many replicas a Work's member has reported ready; undefined where its kind counts none. */
export function reportedReady(
  resource: { apiVersion: string; kind: string },
  work: Work | undefined,
): number | undefined {
  return readyCount(resource, fieldsOf(work?.status?.manifestStatuses?.[0]?.status));
}

/** How many replicas a status tells to be ready and available; undefined where the kind counts none. */
function readyCount(
  resource: { apiVersion: string; kind: string },
  status: Fields | undefined,
): number | undefined {
  const number = (field: string) =>
    typeof status?.[field] === 'number' ? (status[field] as number) : undefined;
  if (countsReplicas(resource))
    return Math.min(number('readyReplicas') ?? 0, number('availableReplicas') ?? 0);
  if (kindKey(resource) === 'batch/v1/Job')
    return status ? (number('active') ?? 0) + (number('succeeded') ?? 0) : 0;
  const counts = [number('readyReplicas'), number('availableReplicas')].filter((one) => one !== undefined);
  return counts.length === 0 ? undefined : Math.min(...counts);
}

function count(replicas: number): string {
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}
