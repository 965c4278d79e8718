import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition, KubernetesObject } from '../../karmada/api/meta.ts';
import type {
  AggregatedStatusItem,
  ManifestIdentifier,
  ResourceBinding,
  Work,
} from '../../karmada/api/work.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { executionNamespace, workName } from '../../karmada/api/names.ts';
import { instant } from '../../kubernetes/time.ts';
import { bindingOwnership, type BindingOwnership } from '../../karmada/objects/worksOfBinding.ts';
import { dispatchingCondition } from '../../karmada/works/workConditions.ts';
import { jobCompletions } from '../../karmada/scheduling/division/jobCompletions.ts';
import { revisesReplicas, withoutPlace, workManifest } from '../../karmada/works/workManifest.ts';
import { entitledClusters, suspendsDispatching } from '../../karmada/eviction/works.ts';
import { targetClusters } from '../../karmada/objects/placement.ts';
import { appliedTime, isNeverReady, readyTime } from '../../karmada/members/readyTime.ts';
import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import { aggregateStatus, workReports } from '../../karmada/status/aggregateStatus.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { manifestIdentifier } from '../../karmada/objects/identities.ts';
import { rolloutHealth } from '../../karmada/status/memberObject.ts';
import { reportedStatus, unobservedStatus } from '../../karmada/status/reportedStatus.ts';

/**
 * The Works of a binding whose capture has none, by cluster: those that must exist, with the status from its
 * aggregatedStatus. They depend only on the captured binding and the start of the simulation (epoch milliseconds). A
 * directly purged Work is assumed to be deleted.
 *
 * A binding without aggregatedStatus lost it in the capture, together with its Works: whether they are applied and
 * ready depends on the time since its scheduling.
 */
export function deriveWorks(
  binding: ResourceBinding,
  template: KubernetesObject | undefined,
  assumptions: MemberAssumptions,
  start: number,
  rules: Rules,
  hooks: DeclaredHooks,
): Map<string, Work> {
  const replicas = replicasByCluster(binding);
  const items = new Map((binding.status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]));
  const works = new Map<string, Work>();
  const parts = commonParts(binding, template, rules, hooks);
  for (const cluster of [...entitledClusters(binding.spec, rules)].sort()) {
    const assigned = replicas.get(cluster);
    const workSpec = parts.spec(cluster, assigned);
    const [manifest] = workSpec.workload.manifests;
    const item =
      items.size > 0
        ? items.get(cluster)
        : impliedItem(binding, manifest, cluster, assigned ?? 0, assumptions, start, hooks);
    works.set(cluster, derivedWork(binding, cluster, parts, workSpec, item));
  }
  return works;
}

/**
 * Whether controllers may still have to act on an implied Work (`isOpen`), judged without creating the Works: those
 * that are applied and Healthy on Ready clusters are settled.
 */
export function impliesOpenWorks(
  { spec, status }: ResourceBinding,
  clusters: ReadonlyMap<string, Cluster>,
  rules: Rules,
): boolean {
  for (const cluster of entitledClusters(spec, rules)) {
    const item = status?.aggregatedStatus?.findLast(({ clusterName }) => clusterName === cluster);
    if (!item?.applied || item.health !== 'Healthy' || !isReady(clusters.get(cluster))) return true;
  }
  return false;
}

/** A binding with the aggregatedStatus that its Works imply, if the capture omitted it. */
export function withAggregatedStatus(
  binding: ResourceBinding,
  worksOf: () => ReadonlyMap<string, Work>,
): ResourceBinding {
  if (binding.status?.aggregatedStatus?.length) return binding;
  const works = [...worksOf().values()];
  // Karmada writes aggregatedStatus with the first report.
  if (!works.some(({ metadata, status }) => !metadata.deletionTimestamp && status?.conditions))
    return binding;
  const found = workReports(works, binding.spec.resource);
  if ('error' in found) return binding;
  return { ...binding, status: { ...binding.status, aggregatedStatus: aggregateStatus(found.reports) } };
}

function replicasByCluster({ spec }: ResourceBinding): Map<string, number | undefined> {
  const replicas = new Map<string, number | undefined>();
  for (const task of spec.gracefulEvictionTasks ?? []) replicas.set(task.fromCluster, task.replicas);
  for (const target of targetClusters(spec)) replicas.set(target.name, target.replicas);
  return replicas;
}

/** The shared parts of a binding's Works; created once, since they are never changed in place. */
interface CommonParts {
  name: string;
  ownership: BindingOwnership;
  spec(cluster: string, replicas: number | undefined): DerivedSpec;
  identifier: ManifestIdentifier;
}

type DerivedSpec = NonNullable<Work['spec']> & { workload: { manifests: [KubernetesObject] } };

function commonParts(
  binding: ResourceBinding,
  template: KubernetesObject | undefined,
  rules: Rules,
  hooks: DeclaredHooks,
): CommonParts {
  const { spec } = binding;
  const name = workName(spec.resource);
  const completions = jobCompletions(template, spec, rules);
  const revises = revisesReplicas(spec, hooks);
  const specs = new Map<string, DerivedSpec>();
  const ownership = bindingOwnership(binding);
  return {
    name,
    ownership,
    identifier: manifestIdentifier({ ...spec.resource, metadata: spec.resource }),
    spec(cluster, assigned) {
      const replicas = revises ? assigned : undefined;
      const completed = completions?.get(cluster);
      const suspendDispatching = suspendsDispatching(spec, cluster);
      const id = `${replicas} ${completed} ${suspendDispatching}`;
      const known = specs.get(id);
      if (known) return known;
      const manifest = workManifest({
        binding,
        ownership,
        name,
        namespace: '',
        template,
        existing: undefined,
        preservedLabels: {},
        replicas,
        completions: completed,
      });
      const made: DerivedSpec = {
        // Works of several clusters share a manifest, so it must not name one cluster.
        workload: { manifests: [withoutPlace(manifest)] },
        suspendDispatching,
        preserveResourcesOnDeletion: spec.preserveResourcesOnDeletion ?? false,
      };
      specs.set(id, made);
      return made;
    },
  };
}

function derivedWork(
  binding: ResourceBinding,
  cluster: string,
  { name, ownership, identifier }: CommonParts,
  spec: DerivedSpec,
  item: AggregatedStatusItem | undefined,
): Work {
  const { labels, annotations } = ownership;
  const suspended = spec.suspendDispatching ?? false;
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name, namespace: executionNamespace(cluster), generation: 1, labels, annotations },
    spec,
    status: item && workStatus(item, identifier, suspended, binding),
  };
}

const APPLIED: Condition = {
  type: 'Applied',
  status: 'True',
  reason: 'AppliedSuccessful',
  message: 'Manifest has been successfully applied',
};

const DISPATCHED_AND_APPLIED: Condition[] = [dispatchingCondition(false), APPLIED];

const REFUSED = { type: 'Applied', status: 'False', reason: 'AppliedFailed' } as const;

/** When an object was first refused: at the scheduling, or when FullyApplied became False. */
function refusedSince({ status }: ResourceBinding): string | undefined {
  const applied = conditionOf(status?.conditions, 'FullyApplied');
  const times = [status?.lastScheduledTime, applied?.status === 'False' && applied.lastTransitionTime];
  return times
    .filter((time) => typeof time === 'string')
    .sort()
    .at(-1);
}

/** A reported Work was dispatched or suspended before: the execution controller sets that condition first. */
function workStatus(
  item: AggregatedStatusItem,
  identifier: ManifestIdentifier,
  suspended: boolean,
  binding: ResourceBinding,
): Work['status'] {
  const { applied, appliedMessage, status, health } = item;
  if (!applied) {
    const dispatching = dispatchingCondition(suspended);
    if (!appliedMessage) return { conditions: [dispatching] };
    const refusedAt = refusedSince(binding);
    const refused = {
      ...REFUSED,
      message: appliedMessage,
      ...(refusedAt && { lastTransitionTime: refusedAt }),
    };
    return { conditions: [dispatching, refused] };
  }
  const conditions = suspended ? [dispatchingCondition(true), APPLIED] : DISPATCHED_AND_APPLIED;
  if (status === undefined && (health === undefined || health === 'Unknown')) return { conditions };
  return { conditions, manifestStatuses: [{ identifier, status, health }] };
}

/** The implied item of a binding without aggregatedStatus for a cluster; none until its Work is applied. */
function impliedItem(
  { spec, status }: ResourceBinding,
  object: KubernetesObject,
  cluster: string,
  replicas: number,
  assumptions: MemberAssumptions,
  start: number,
  hooks: DeclaredHooks,
): AggregatedStatusItem | undefined {
  if (suspendsDispatching(spec, cluster)) return { clusterName: cluster };
  const scheduled = status?.lastScheduledTime ? instant(status.lastScheduledTime) : undefined;
  const applied = scheduled === undefined ? undefined : appliedTime(scheduled);
  if (applied !== undefined && applied > start) return undefined;
  const complete =
    (applied === undefined || readyTime(applied, assumptions, cluster, spec.resource) <= start) &&
    !isNeverReady(assumptions, cluster, spec.resource);
  const ready = complete ? replicas : 0;
  const raw = complete ? reportedStatus(spec.resource, replicas, ready) : unobservedStatus(spec.resource);
  return {
    clusterName: cluster,
    ...(raw !== undefined && { status: raw }),
    applied: true,
    health: rolloutHealth(object, { replicas, ready, complete, observed: complete }, hooks),
  };
}
