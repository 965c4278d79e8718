import type { Event } from '../../../karmada/api/event.ts';
import type { KubernetesObject, ObjectIdentity } from '../../../karmada/api/meta.ts';
import { objectKey } from '../../../karmada/objects/identities.ts';
import { instant } from '../../../kubernetes/time.ts';
import { isEvent } from '../../history/karmadaEvents.ts';
import type { Severity } from '../finding.ts';

/** The effect of a failure that Karmada reports; severity error if the object cannot start or move because of it. */
interface Failure {
  effect: string;
  severity?: Severity;
  /** the longest time between repetitions in milliseconds; absent: the longest back-off */
  repeated?: number;
}

/** A FederatedHPA reads its metrics every 15 s; similar Events of an object are written every 5 minutes. */
const noMetric: Failure = { effect: 'a metric does not count in scaling', repeated: 330_000 };

const stops = (effect: string): Failure => ({ effect, severity: 'error' });

/**
 * Events of type Warning, by reason (pkg/events/events.go). Left out: reasons that a condition also reports
 * (ScheduleBindingFailed, SyncFailed), quota updates, which are retried, and FailedComputeMetricsReplicas, which sums
 * up the Events of its metrics.
 */
export const FAILURE_EVENTS: Readonly<Record<string, Failure>> = {
  ApplyPolicyFailed: stops('its policy is not applied'),
  PreemptPolicyFailed: { effect: 'a policy of higher priority does not take it over' },
  GetReplicasFailed: stops('its replicas cannot be interpreted, so its binding is not written'),
  GetComponentsFailed: stops('its components cannot be interpreted, so its binding is not written'),
  GetDependenciesFailed: { effect: 'its dependencies do not follow it' },
  SyncScheduleResultToDependenciesFailed: { effect: 'its dependencies do not follow it' },
  DependencyPolicyConflict: { effect: 'workloads that share the dependency have conflicting policies' },
  ApplyOverridePolicyFailed: stops('its overrides cannot be applied, so no Work is written'),
  SyncWorkFailed: stops('its Works are not written'),
  CleanupWorkFailed: { effect: 'copies stay on its previous clusters' },
  EvictWorkloadFromClusterFailed: stops('it is not evicted'),
  DescheduleBindingFailed: { effect: 'replicas that stay pending are not moved' },
  ReflectStatusFailed: { effect: 'the status of its clusters is missing' },
  InterpretHealthFailed: { effect: 'its health is unknown, so application failover skips it' },
  AggregateStatusFailed: { effect: 'its status is stale' },
  TaintClusterFailed: stops('its taints are not written'),
  CreateExecutionSpaceFailed: stops('it has no namespace for Works'),
  RemoveExecutionSpaceFailed: { effect: 'it is not unjoined' },
  SyncImpersonationConfigFailed: { effect: 'requests through the control plane are refused there' },
  SyncDerivedServiceFailed: { effect: 'its derived Service is not written' },
  SyncServiceFailed: { effect: 'its Service is not in all clusters' },
  DispatchEndpointSliceFailed: { effect: 'its endpoints are not in all clusters' },
  ClusterNotFound: { effect: 'a named cluster does not exist' },
  APIIncompatible: { effect: 'a named cluster has no EndpointSlices' },
  CollectOverallStatusFailed: { effect: 'its usage is not counted' },
  ScaleFailed: { effect: 'its target is not scaled' },
  StartRuleFailed: { effect: 'a rule does not run' },
  UpdateCronFederatedHPAFailed: { effect: 'its rules may not run' },
  SelectorRequired: { effect: 'it does not scale' },
  InvalidSelector: { effect: 'it does not scale' },
  AmbiguousSelector: { effect: 'it does not scale' },
  FailedGetScale: { effect: 'it does not scale' },
  FailedGetScaleTargetRef: { effect: 'it does not scale' },
  FailedGetBindings: { effect: 'it does not scale' },
  FailedGetTargetClusters: { effect: 'it does not scale' },
  FailedRescale: { effect: 'it does not scale' },
  FailedGetResourceMetric: noMetric,
  FailedGetContainerResourceMetric: noMetric,
  FailedGetPodsMetric: noMetric,
  FailedGetObjectMetric: noMetric,
  InvalidMetricSourceType: noMetric,
};

/** Releases before v1.16 warn of each object that no policy selects. */
const NO_POLICY = /^No policy match for resource/;

/** A Warning Event of a known reason, with its object and time. */
interface FailureEvent extends Event {
  involvedObject: Partial<ObjectIdentity>;
  reason: string;
  lastTimestamp: string;
}

/** The reason of the Event that ends a failure, by the reason of the failure. */
export function successOf(reason: string): string {
  return reason.replace(/Failed$/, 'Succeed');
}

/** The failures that Events report, except those ended by a later success. */
export function lastingFailures(objects: readonly KubernetesObject[]): FailureEvent[] {
  const events = objects.filter(isEvent).filter(isDated);
  const failures = events.filter(
    (event) =>
      event.reason in FAILURE_EVENTS &&
      !NO_POLICY.test(event.message ?? '') &&
      (!isConflict(event) || hasLasted(event)),
  );
  if (failures.length === 0) return failures;
  const succeeded = new Map<string, string>();
  for (const event of events) {
    if (!event.reason.endsWith('Succeed')) continue;
    const key = keyOf(event, event.reason);
    if (event.lastTimestamp > (succeeded.get(key) ?? '')) succeeded.set(key, event.lastTimestamp);
  }
  return failures.filter(
    (event) => !((succeeded.get(keyOf(event, successOf(event.reason))) ?? '') >= event.lastTimestamp),
  );
}

/** Whether another write came first: Karmada retries at once. */
export function isConflict({ message = '' }: Pick<Event, 'message'>): boolean {
  return message.includes('the object has been modified');
}

/** Milliseconds and count above which conflicts come from another writer that keeps writing. */
const [LASTING, REPEATS] = [600_000, 20];

function hasLasted({ count = 1, firstTimestamp, lastTimestamp }: FailureEvent): boolean {
  return (
    firstTimestamp != null && count >= REPEATS && instant(lastTimestamp) - instant(firstTimestamp) >= LASTING
  );
}

function isDated(event: Event): event is FailureEvent {
  return Boolean(event.involvedObject && event.reason && event.lastTimestamp);
}

function keyOf({ involvedObject }: FailureEvent, reason: string): string {
  return `${objectKey(identityFrom(involvedObject))} ${reason}`;
}

/** The object of an Event. */
export function identityFrom({ kind = '', namespace, name = '' }: Partial<ObjectIdentity>): ObjectIdentity {
  return { kind, ...(namespace && { namespace }), name };
}
