import { isObject } from '../../kubernetes/json.ts';
import type { EvictPluginName } from '../dialects/switches/eviction.ts';
import { conditionOf, setCondition } from '../objects/conditions.ts';
import type { ObjectMeta, KubernetesObject } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { DEFAULT_SCHEDULER_NAME } from '../api/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { instant } from '../../kubernetes/time.ts';
import { evictPluginsOf } from '../eviction/evictionRule.ts';
import { scheduleBinding, type ScheduleOutcome, type ScheduleRequest } from './scheduleBinding.ts';
import {
  clusterEventObjects,
  handledByScheduler,
  wakeGroup,
  wakesOfBinding,
  wakesOfCluster,
} from './wakeUp.ts';
import { bindingKey, isClusterWide } from '../objects/identities.ts';
import type {
  BackOff,
  Controller,
  Failure,
  Interest,
  ReconcileRequest,
  Note,
  Step,
  Wake,
  WakeContext,
} from '../controllers/controller.ts';
import { nextRetry, STANDARD_BACK_OFF } from '../queues/retryBackoff.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf, Write } from '../controllers/write.ts';
import { admissionOf } from '../validation/admission.ts';
import { refuseOverQuota, quotaUsage } from '../validation/resourceBinding.ts';

/**
 * karmada-scheduler: woken by new specs of bindings, and by clusters whose spec or labels change. Its own write to a
 * spec wakes it again; that second attempt makes the observed generation equal to the current one. It retries failures
 * with back-off, unless no cluster fits.
 */
export const scheduler: Controller = {
  ownQueue: true,
  unlocked: true,
  wakes: { Binding: bindingChanged, Cluster: clusterChanged },
  resumes,
  reconcile,
};

function bindingChanged(
  { key, before, after }: ChangeOf<'Binding'>,
  _view: View,
  { configuration }: WakeContext,
): Wake[] {
  return after && wakesOfBinding(before, after, configuration) ? [{ key }] : [];
}

/**
 * Unlike events of bindings, this is not filtered: it also wakes bindings without a policy. Created and deleted
 * clusters wake nothing.
 */
function* clusterChanged(
  { before, after }: ChangeOf<'Cluster'>,
  view: View,
  { configuration, arrange = (keys) => keys }: WakeContext,
): Iterable<Wake> {
  const objects = before && after ? clusterEventObjects(before, after, configuration) : [];
  if (objects.length === 0) return;
  const { affinities } = view.fleet;
  const found = view.bindingsWhere(
    (binding) => wakesOfCluster(objects, binding, configuration, affinities),
    wakeGroup,
  );
  const woken = [...arrange(found.map((key) => ({ key })))];
  // All ResourceBindings are listed before the ClusterResourceBindings.
  if (found.some(isClusterWide))
    woken.sort((a, b) => Number(isClusterWide(a.key)) - Number(isClusterWide(b.key)));
  if (configuration.featureGates.PriorityBasedScheduling) {
    const priorities = new Map(found.map((key) => [key, priorityOf(view.get('Binding', key))]));
    woken.sort((a, b) => (priorities.get(b.key) ?? 0) - (priorities.get(a.key) ?? 0));
  }
  yield* woken;
}

/**
 * Bindings that the scheduler had not tried yet, or not since one of their clusters was deleted, and failed ones at
 * their next retry. A binding that fits on no cluster is not retried; only a success updates its observed generation.
 */
function* resumes(view: View, { configuration, now, unseen }: WakeContext): Iterable<Wake> {
  const name = configuration.scheduler['scheduler-name'];
  for (const binding of view.all('Binding')) {
    const key = bindingKey(binding);
    const failed = retriedFailure(binding, name);
    if (failed) {
      const retry = nextRetry(failed.since, now, backOffOf(failed.reason, configuration));
      yield { key, after: retry - now };
    } else if (unseen && scheduledCondition(binding)?.reason === NO_CLUSTER_FIT) {
      // No capture shows whether the cluster has just changed.
      if ((unseen(`whether ${key} is queued`) ?? 0) > 0.5) yield { key };
    } else if (
      (isBehind(binding) || namesDeleted(binding, view, configuration)) &&
      handledByScheduler(binding, configuration)
    )
      yield { key };
  }
}

const NO_CLUSTER_FIT = 'NoClusterFit';

function scheduledCondition({ status }: ResourceBinding) {
  return conditionOf(status?.conditions, 'Scheduled');
}

function isBehind({ metadata, status }: ResourceBinding): boolean {
  return (status?.schedulerObservedGeneration ?? 0) !== (metadata.generation ?? 0);
}

/** Whether one of its clusters is being deleted: its deletion woke the scheduler, in versions that move the copy. */
function namesDeleted({ spec }: ResourceBinding, view: View, { rules }: Configuration): boolean {
  return (
    rules.scheduling.deletingClusters === 'skipped' &&
    (spec.clusters ?? []).some(({ name }) => view.get('Cluster', name)?.metadata.deletionTimestamp)
  );
}

function reconcile({
  key,
  view,
  configuration,
  now,
  evidence,
  draw,
  cached,
}: ReconcileRequest<unknown>): Step<unknown> {
  const present = view.get('Binding', key);
  if (!present) return {};
  // its patches have no lock: one based on a stale cache overwrites later writes of other clients
  const binding = cached ?? present;
  const request = { snapshot: view.fleet, binding, now };
  const predicted = scheduleBinding({ snapshot: view.fleet, binding, now, evidence });
  const { tie } = predicted;
  const decided = tie && draw ? scheduleBinding({ ...request, winners: draw(key, tie) }) : predicted;
  const refusal = refusedByQuota(binding, decided, limitedNamespace(binding, view), configuration);
  const outcome = refusal ? { ...decided, ...refusedOutcome(binding, refusal, now) } : decided;
  const notes: Note[] = [];
  if (outcome.spec !== binding.spec && !outcome.failure) {
    if (judgedOnStaleHealth(binding, { ...binding, spec: outcome.spec }, evictPluginsOf(configuration)))
      notes.push({ type: 'FreeChoice', binding: key, choice: 'stale health' });
    if (placedByChance(request, outcome))
      notes.push({ type: 'FreeChoice', binding: key, choice: 'random tie' });
  }
  return {
    writes: writesOf(key, binding, outcome),
    notes,
    failure: outcome.retry ? retried(key, binding, outcome, configuration) : undefined,
  };
}

/** The quota limits of a binding's namespace; ClusterResourceBindings have none. */
function limitedNamespace({ metadata: { namespace } }: ResourceBinding, view: View): LimitedNamespace {
  const isThere = (one: { metadata: ObjectMeta }) => one.metadata.namespace === namespace;
  return {
    quotas: namespace ? view.objectsOf('FederatedResourceQuota').filter(isThere) : [],
    bindings: () => [...view.all('Binding')].filter(isThere),
  };
}

/** If the webhook refuses a result, only the condition is written. */
function refusedOutcome(
  { spec, status }: ResourceBinding,
  { reason, message }: NonNullable<ScheduleOutcome['failure']>,
  now: number,
): Pick<ScheduleOutcome, 'spec' | 'status' | 'annotations' | 'failure' | 'retry'> {
  const conditions = setCondition(
    status?.conditions,
    { type: 'Scheduled', status: 'False', reason, message },
    now,
  );
  return {
    spec,
    annotations: {},
    status: { ...status, conditions },
    failure: { reason, message },
    retry: true,
  };
}

/** The result and the applied placement in one patch without a lock, then the status. */
function writesOf(key: string, binding: ResourceBinding, outcome: ScheduleOutcome): Write[] {
  const update = { verb: 'update', kind: 'Binding', key, lock: false, base: binding } as const;
  const { metadata } = binding;
  const { spec, status, annotations = {} } = outcome;
  const annotated = Object.keys(annotations).every(
    (name) => metadata.annotations?.[name] === annotations[name],
  );
  const writes: Write[] = [];
  if (spec !== binding.spec || !annotated) {
    const written = annotated
      ? metadata
      : { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
    writes.push({ ...update, part: 'object', object: { ...binding, metadata: written, spec } });
  }
  if (status && !deepEqual(status, binding.status))
    writes.push({ ...update, part: 'status', object: { ...binding, status } });
  return writes;
}

function retried(
  key: string,
  binding: ResourceBinding,
  { failure = noPlacement(binding) }: ScheduleOutcome,
  configuration: Configuration,
): Failure {
  const unless: Interest[] = [{ kind: 'Binding', key }, { kind: 'Cluster' }];
  if (configuration.featureGates.WorkloadAffinity && binding.spec.workloadAffinityGroups)
    unless.push({ kind: 'Binding' });
  const since = retriedFailure(binding, configuration.scheduler['scheduler-name'])?.since;
  return {
    ...failure,
    backOff: backOffOf(failure.reason, configuration),
    ...(since !== undefined && { since }),
    unless,
  };
}

/** The failure in a binding's condition, if the queue retries it, which it does unless no cluster fits. */
function retriedFailure(
  binding: ResourceBinding,
  scheduler: string,
): { reason: string; since: number } | undefined {
  const scheduled = scheduledCondition(binding);
  if (scheduled?.status !== 'False' || scheduled.reason === NO_CLUSTER_FIT) return undefined;
  if ((binding.spec.schedulerName || DEFAULT_SCHEDULER_NAME) !== scheduler) return undefined;
  const { reason = '', lastTransitionTime } = scheduled;
  return lastTransitionTime ? { reason, since: instant(lastTransitionTime) } : undefined;
}

/**
 * With PriorityBasedScheduling a failed attempt is retried after a second, doubled up to ten, by a flush once per
 * second. The phase of the flush depends on the start of the scheduler, which no state shows.
 */
const PRIORITY_BACK_OFF: BackOff = { first: 1000, longest: 10_000, flush: 1000 };
/**
 * Attempts that lack capacity wait five minutes each time, with their own flush; the first such versions swap the two.
 */
const UNSCHEDULABLE_STAY: BackOff = { first: 300_000, longest: 300_000, flush: 30_000 };

function backOffOf(reason: string, { featureGates, rules }: Configuration): BackOff {
  if (!featureGates.PriorityBasedScheduling) return STANDARD_BACK_OFF;
  const unschedulable = reason === 'Unschedulable';
  const staysAside = rules.scheduling.priorityQueue === 'unschedulableWait' ? unschedulable : !unschedulable;
  return staysAside ? UNSCHEDULABLE_STAY : PRIORITY_BACK_OFF;
}

function noPlacement({ metadata: { namespace, name } }: ResourceBinding): {
  reason: string;
  message: string;
} {
  const what = namespace ? `resourceBinding(${namespace}/${name})` : `clusterResourceBinding(${name})`;
  return { reason: 'SchedulerError', message: `failed to get placement from ${what}` };
}

function priorityOf(binding: ResourceBinding | undefined): number {
  return binding?.spec.schedulePriority?.priority ?? 0;
}

/** A uid that breaks ties in favour of later names. Without a uid, earlier names win. */
const OTHER_UID = 'b';

/**
 * Whether an unpredictable tie decides where a binding is placed: before Karmada v1.16 ties are random; since then the
 * object's uid breaks them, and an object that a scenario creates has no uid yet.
 *
 * @param outcome the scheduling result of a request, for comparison
 */
function placedByChance(
  { snapshot, binding, now }: Pick<ScheduleRequest, 'snapshot' | 'binding' | 'now'>,
  outcome: ScheduleOutcome,
): boolean {
  if (outcome.tie) return true;
  const { spec } = binding;
  if (spec.resource.uid) return false;
  const named = { ...binding, spec: { ...spec, resource: { ...spec.resource, uid: OTHER_UID } } };
  const other = scheduleBinding({ snapshot, binding: named, now });
  return !deepEqual(other.spec.clusters, outcome.spec.clusters);
}

/**
 * Whether a task of a binding may end because of stale health from before a scale-up, now that the scheduler has
 * assigned more replicas: all target clusters reported Healthy before some of them grew. Karmada does not define which
 * is first: the scheduler's second attempt, which makes the generations equal, or the report that members are no longer
 * Healthy.
 *
 * @param plugins the checks that end tasks
 */
function judgedOnStaleHealth(
  before: ResourceBinding,
  after: ResourceBinding,
  plugins: readonly EvictPluginName[],
): boolean {
  const { spec, status } = after;
  // With suppressDeletion, health does not decide a task; one whose cluster is back ends in any case.
  const returned = (cluster: string) =>
    plugins.includes('InBoth') && spec.clusters?.some(({ name }) => name === cluster);
  const byHealth = spec.gracefulEvictionTasks?.some(
    ({ suppressDeletion, fromCluster }) => suppressDeletion !== true && !returned(fromCluster),
  );
  if (!byHealth || !plugins.includes('ResourceHealth')) return false;
  const had = new Map(before.spec.clusters?.map(({ name, replicas }) => [name, replicas ?? 0]));
  const targets = spec.clusters ?? [];
  const grows = targets.some(({ name, replicas }) => (replicas ?? 0) > (had.get(name) ?? 0));
  const healthy = new Set(
    status?.aggregatedStatus
      ?.filter(({ health }) => health === 'Healthy')
      .map(({ clusterName }) => clusterName),
  );
  return grows && targets.every(({ name }) => healthy.has(name));
}

interface LimitedNamespace {
  /** its FederatedResourceQuotas */
  quotas: readonly KubernetesObject[];
  /** its bindings, with the stored version of this one */
  bindings(): Iterable<ResourceBinding>;
}

/**
 * Why the webhook refuses the scheduler's write of a binding (gate FederatedQuotaEnforcement): result and annotation do
 * not change, and the queue retries. The usage of the namespace is computed from its bindings, as quota and webhook do.
 */
function refusedByQuota(
  binding: ResourceBinding,
  { spec }: Pick<ScheduleOutcome, 'spec'>,
  { quotas, bindings }: LimitedNamespace,
  { rules, featureGates }: Pick<Configuration, 'rules' | 'featureGates'>,
): ScheduleOutcome['failure'] {
  if (!featureGates.FederatedQuotaEnforcement || spec === binding.spec || quotas.length === 0)
    return undefined;
  const overallUsed = quotaUsage(bindings());
  const present = quotas.map((quota) => ({
    ...quota,
    status: { ...(isObject(quota.status) && quota.status), overallUsed },
  }));
  const refusal = refuseOverQuota({ ...binding, spec }, binding, present, admissionOf(rules));
  if (!refusal) return undefined;
  return {
    reason: refusal.reason ?? 'SchedulerError',
    message: `admission webhook "resourcebinding.karmada.io" denied the request: ${refusal.message}`,
  };
}
