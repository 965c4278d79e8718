import { numberIn } from '../../kubernetes/json.ts';
import type { Cluster } from '../api/cluster.ts';
import type { Condition, KubernetesObject } from '../api/meta.ts';
import type { ResourceBinding, ResourceHealth, TargetCluster, Work } from '../api/work.ts';
import type { Evidence } from '../evidence.ts';
import { isStale } from '../objects/clusterReadiness.ts';
import { conditionOf } from '../objects/conditions.ts';
import { isWorkload } from '../objects/placement.ts';
import { hasHealthInterpreter, hasReplicaRevision, kindKey, retainsReplicas } from './healthInterpreter.ts';
import type { DeclaredHooks } from '../controllers/view.ts';

/** Whether one copy of a workload is reported ready; otherwise the missing step. */
export interface CopyReadiness {
  ready: boolean;
  evidence: Evidence;
}

/**
 * Checks one copy of a workload by its Work: dispatched with its replicas, applied, and all of them reported ready by a
 * Ready cluster. If not ready, names the first missing step.
 */
export function copyReadiness(
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
      ...(work && {
        object: { kind: 'Work', namespace: work.metadata.namespace ?? '', name: work.metadata.name },
      }),
      ...(field ? { field } : {}),
      ...(value === undefined ? {} : { value }),
    },
  });
  if (isStale(cluster)) return about(false, 'the cluster is not Ready, so its status may be stale');
  if (cluster?.metadata.deletionTimestamp) return about(false, 'the cluster is being deleted');
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
  const applied = conditionOf(work.status?.conditions, 'Applied');
  if (applied?.status !== 'True')
    return about(
      false,
      applied?.message ? `not applied: ${applied.message}` : 'not applied yet',
      'status.conditions[type=Applied]',
      applied,
    );
  const reported = work.status?.manifestStatuses?.[0];
  const status = reported?.status;
  const generation = numberIn(status, 'generation');
  const unobserved =
    generation !== undefined && (numberIn(status, 'observedGeneration') ?? generation) < generation;
  if (unobserved)
    return about(false, 'the member has not applied the new content yet', STATUS, reported?.status);
  const needed = revised ? neededOf(manifest, wanted, status, reported?.health, hooks) : (written ?? wanted);
  const ready = needed > 0 ? readyIn(spec.resource, status) : undefined;
  if (ready !== undefined) {
    const isJob = kindKey(spec.resource) === JOB;
    const found = `${ready} of ${count(needed)} ${isJob ? 'active or done' : 'ready'}`;
    const counted = about(ready >= needed, found, STATUS, reported?.status);
    if (!isJob || !counted.ready) return counted;
    return estimated(counted, 'whether active pods of a Job run is not reported');
  }
  if (needed > 0 && !hasHealthInterpreter(spec.resource, hooks))
    return about(
      false,
      `readiness unknown: Karmada has no health interpreter for ${spec.resource.kind}, and it reports no ready replicas`,
    );
  const health = reported?.health;
  const judged = about(
    health === 'Healthy',
    health ? `reported ${health}` : 'nothing reported yet',
    'status.manifestStatuses[0].health',
    health,
  );
  if (!judged.ready || needed === 0) return judged;
  return estimated(
    judged,
    `${spec.resource.kind} reports no ready replicas, so health may be from before the scale-up`,
  );
}

function estimated({ ready, evidence }: CopyReadiness, missing: string): CopyReadiness {
  return { ready, evidence: { ...evidence, certainty: 'estimate', missing } };
}

const REPLICAS = 'spec.workload.manifests[0].spec.replicas';
const JOB = 'batch/v1/Job';
const STATUS = 'status.manifestStatuses[0].status';

function writtenReplicas(manifest: KubernetesObject): number | undefined {
  return numberIn(manifest.spec, manifest.kind === 'Job' ? 'parallelism' : 'replicas');
}

/**
 * If an autoscaler in the member sets the replicas, no more than it wants can be ready. The status counts existing
 * replicas, which are added one by one; a Healthy copy has all that are wanted.
 */
function neededOf(
  manifest: KubernetesObject | undefined,
  wanted: number,
  status: unknown,
  health: ResourceHealth | undefined,
  hooks: DeclaredHooks,
): number {
  if (!retainsReplicas(manifest, hooks) || health !== 'Healthy') return wanted;
  return Math.min(wanted, numberIn(status, 'replicas') ?? wanted);
}

/** Kinds whose status omits ready counts of 0. */
const counting: ReadonlySet<string> = new Set([
  'apps/v1/Deployment',
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
  'apps.kruise.io/v1alpha1/CloneSet',
  'apps.kruise.io/v1beta1/StatefulSet',
]);

/** Whether objects of the kind always report how many of their replicas are ready. */
function countsReplicas(resource: { apiVersion: string; kind: string }): boolean {
  return counting.has(kindKey(resource));
}

/** How many replicas a Work's member has reported ready; undefined if its kind counts none. */
export function reportedReady(
  resource: { apiVersion: string; kind: string },
  work: Work | undefined,
): number | undefined {
  return readyIn(resource, work?.status?.manifestStatuses?.[0]?.status);
}

/** How many replicas are ready and available according to a status; undefined if the kind does not count them. */
export function readyIn(resource: { apiVersion: string; kind: string }, status: unknown): number | undefined {
  const number = (field: string) => numberIn(status, field);
  if (countsReplicas(resource))
    return Math.min(number('readyReplicas') ?? 0, number('availableReplicas') ?? 0);
  if (kindKey(resource) === JOB) return (number('active') ?? 0) + (number('succeeded') ?? 0);
  const counts = [number('readyReplicas'), number('availableReplicas')].filter((one) => one !== undefined);
  return counts.length === 0 ? undefined : Math.min(...counts);
}

function count(replicas: number): string {
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}

/** Whether this is a Job that a cluster has reported as finished, as a success or a failure. */
export function hasFinished({ spec, status }: ResourceBinding, cluster: string): boolean {
  if (kindKey(spec.resource) !== 'batch/v1/Job') return false;
  const item = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  const { conditions = [] } = (item?.status ?? {}) as { conditions?: Condition[] };
  return conditions.some(
    (one) => (one.type === 'Complete' || one.type === 'Failed') && one.status === 'True',
  );
}
