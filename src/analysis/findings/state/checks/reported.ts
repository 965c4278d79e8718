import type { Condition, KubernetesObject, ObjectIdentity } from '../../../../karmada/api/meta.ts';
import {
  bindingIdentity,
  objectKey,
  workloadOf,
  identityOf,
  objectText,
} from '../../../../karmada/objects/identities.ts';
import { placedOn } from '../../../../karmada/objects/placement.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { policyIdentity } from '../../../../karmada/objects/policies.ts';
import type { PropagationPolicy } from '../../../../karmada/api/policy.ts';
import { isObject } from '../../../../kubernetes/json.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { missingKind } from '../../../../karmada/world.ts';
import { isOtherKind } from '../../../../karmada/api/otherKinds.ts';
import { clusterObject, finding, findingIn, firstObjectNames } from '../about.ts';
import type { Examined } from '../examined.ts';
import { FAILURE_EVENTS, identityFrom, isConflict, lastingFailures } from '../failureEvents.ts';
import { startWith } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';
import { neverReady } from './components.ts';

// Failures that Karmada itself reports, in Events and conditions.

/** Milliseconds within which a lasting failure is reported again, beyond the longest back-off. */
const REPEATED = 1_200_000;

/** The workload of a binding, or the object itself: bindings and workloads get the same Events. */
function subjectOf(object: ObjectIdentity, workloads: ReadonlyMap<string, ObjectIdentity>): ObjectIdentity {
  return workloads.get(objectKey(object)) ?? object;
}

export const failureReported: StateCheck = {
  id: 'failure-reported',
  severity: 'warning',
  theme: 'chain',
  title: 'an Event of Karmada reports a failure',
  help: 'A controller fails for an object and retries: its Warning Event gives the reason. Only Events of the last 20 minutes without a later success count.',
  needs: ['Event'],
  uses: ['ResourceBinding'],
  symptoms: Object.keys(FAILURE_EVENTS),
  issues: [5486, 4032, 4823],
  find: (seen) => {
    const failures = lastingFailures(seen.ofKind('Event')).filter(
      ({ reason, lastTimestamp }) =>
        seen.now - instant(lastTimestamp) <= (FAILURE_EVENTS[reason]!.repeated ?? REPEATED),
    );
    if (failures.length === 0) return [];
    const workloads = new Map(seen.bindings.map((one) => [objectKey(bindingIdentity(one)), workloadOf(one)]));
    const groups = new Map<
      string,
      { reason: string; message: string; objects: Map<string, ObjectIdentity> }
    >();
    for (const { involvedObject, reason, message = '' } of failures) {
      const subject = subjectOf(identityFrom(involvedObject), workloads);
      getOrAdd(groups, `${reason} ${message}`, () => ({
        reason,
        message: message.replace(/[.\s]+$/, ''),
        objects: new Map<string, ObjectIdentity>(),
      })).objects.set(objectKey(subject), subject);
    }
    return [...groups.values()].map(({ reason, message, objects: alike }) => {
      const objects = [...alike.values()];
      const { effect, severity } = FAILURE_EVENTS[reason]!;
      return finding(
        objects,
        `${firstObjectNames(objects)}: ${effect} (${reason}): ${message}`,
        { rule: message, ...(objects[0] && { object: objects[0] }), field: 'Event', value: reason },
        isConflict({ message })
          ? 'stop the other program that keeps writing the object: its writes come first'
          : 'fix the error in the message',
        severity,
      );
    });
  },
};

/** A condition that no other check reads, and its meaning if not True. */
interface Stated {
  kind: string;
  type: string;
  effect: string;
  /** whether another check explains it better */
  unless?: (object: KubernetesObject, condition: Condition, seen: Examined) => boolean;
}

const CONDITIONS: readonly Stated[] = [
  {
    kind: 'Cluster',
    type: 'Ready',
    effect: 'nothing new is placed there',
    unless: ({ metadata: { name } }, _, seen) =>
      neverReady(seen.clusters().get(name)!, seen) ||
      seen.world.bindings.some(({ spec }) => placedOn(spec).some((one) => one.name === name)),
  },
  {
    kind: 'Cluster',
    type: 'CompleteAPIEnablements',
    effect: 'the scheduler may reject it for kinds that it does serve',
    unless: (_, { reason }) => reason === 'Empty',
  },
  {
    kind: 'Cluster',
    type: 'ServiceDomainNameResolutionReady',
    effect: 'Services are not found by name there',
  },
  { kind: 'MultiClusterService', type: 'ServiceApplied', effect: 'its Service is not in all clusters' },
  {
    kind: 'MultiClusterService',
    type: 'EndpointSliceDispatched',
    effect: 'its endpoints are not in all clusters',
  },
  { kind: 'FederatedHPA', type: 'AbleToScale', effect: 'it does not scale' },
  {
    kind: 'FederatedHPA',
    type: 'ScalingActive',
    effect: 'it does not scale',
    unless: ({ metadata }, { reason }, seen) =>
      lastingFailures(seen.ofKind('Event')).some(
        ({ involvedObject: about, reason: failed }) =>
          failed === reason && about.name === metadata.name && about.namespace === metadata.namespace,
      ),
  },
  { kind: 'Karmada', type: 'Ready', effect: 'karmada-operator has not finished' },
  { kind: 'APIService', type: 'Available', effect: 'the API server answers no request for its API' },
];

/** Milliseconds for which a condition may be False during normal changes. */
const PASSING = 600_000;

function conditionsOf(object: KubernetesObject): Condition[] {
  const status = 'status' in object && isObject(object.status) ? object.status : {};
  const list = status['conditions'];
  return Array.isArray(list) ? list.filter((one): one is Condition => isObject(one)) : [];
}

export const conditionFailed: StateCheck = {
  id: 'condition-failed',
  severity: 'warning',
  theme: 'stuck',
  title: 'a condition set by Karmada reports a failure',
  help: 'It has not been True for ten minutes: its reason and its message give the cause. A cluster that is not Ready is reported here if nothing is placed there.',
  needs: ['Cluster'],
  uses: ['MultiClusterService', 'FederatedHPA', 'APIService'],
  symptoms: [
    'FailedGetPodsMetric, FailedGetResourceMetric',
    'CompleteAPIEnablements=False, reason Partial',
    'ServiceAppliedFailed, EndpointSliceDispatchedFailed',
  ],
  issues: [1673, 3770, 3771, 4692, 4926],
  find: (seen) => {
    const clusters = seen.world.clusters.map((one) => ({ apiVersion: '', ...one, kind: 'Cluster' }));
    const objectsOf = (kind: string): readonly KubernetesObject[] =>
      kind === 'Cluster' ? clusters : seen.ofKind(kind);
    return CONDITIONS.flatMap(({ kind, type, effect, unless }) =>
      objectsOf(kind).flatMap((object) => {
        const condition = conditionsOf(object).find((one) => one.type === type);
        if (!condition || condition.status === 'True' || object.metadata.deletionTimestamp) return [];
        const { lastTransitionTime: since, reason = '', message = '' } = condition;
        if ((since && seen.now - instant(since) < PASSING) || unless?.(object, condition, seen)) return [];
        const identity = identityOf(object);
        const why = [reason, message].filter((one) => one).join(': ');
        return finding(
          [identity, ...targetOf(object)],
          `${objectText(identity)}: ${type} is ${condition.status}${since ? ` since ${since}` : ''} (${why.replace(/\.$/, '')}): ${effect}`,
          { rule: why, object: identity, field: `status.conditions[${type}]`, value: condition.status },
          {
            text: 'fix the error in its message',
            commands: [
              [
                'kubectl',
                'describe',
                kind.toLowerCase(),
                identity.name,
                ...(identity.namespace ? ['-n', identity.namespace] : []),
              ],
            ],
          },
        );
      }),
    );
  },
};

/** A reference of an object to another one. */
interface Reference {
  to: ObjectIdentity;
  field: string;
  effect: string;
}

/** By kind: the objects that objects of that kind refer to by name. */
const REFERENCES: Readonly<Record<string, (object: KubernetesObject) => readonly Reference[]>> = {
  FederatedHPA: scaled,
  CronFederatedHPA: scaled,
  FederatedResourceQuota: (object) =>
    isOtherKind(object, 'FederatedResourceQuota')
      ? (object.spec?.staticAssignments ?? []).map(({ clusterName }, at) => ({
          to: clusterObject(clusterName),
          field: `spec.staticAssignments[${at}].clusterName`,
          effect: 'its share is unused',
        }))
      : [],
};

/** Only with the gate PriorityBasedScheduling does a policy wait for its priority class. */
function ranked(policy: PropagationPolicy, { configuration }: Examined): Reference[] {
  const { priorityClassSource, priorityClassName: name } = policy.spec.schedulePriority ?? {};
  const counts = configuration.featureGates.PriorityBasedScheduling;
  return counts && priorityClassSource === 'KubePriorityClass' && name
    ? [{ to: { kind: 'PriorityClass', name }, field: 'spec.schedulePriority', effect: 'it is not applied' }]
    : [];
}

export const priorityIgnored: StateCheck = {
  id: 'priority-ignored',
  severity: 'note',
  theme: 'placement',
  title: 'a policy sets a priority that karmada-scheduler ignores',
  help: 'spec.schedulePriority orders workloads that wait for the scheduler, also evicted ones, only with the gate PriorityBasedScheduling of karmada-scheduler and karmada-controller-manager. Turn it on, or expect no order.',
  needs: ['PropagationPolicy', 'Configuration'],
  flags: ['PriorityBasedScheduling'],
  symptoms: ['workloads of a low priority are rescheduled first'],
  find: (seen) =>
    seen.configuration.featureGates.PriorityBasedScheduling
      ? []
      : seen.world.policies
          .filter(({ spec }) => spec.schedulePriority)
          .map((policy) =>
            findingIn(
              policyIdentity(policy),
              (name) =>
                `${name}: spec.schedulePriority has no effect: the gate PriorityBasedScheduling is off`,
              {
                rule: 'only with the gate',
                field: 'spec.schedulePriority',
                value: policy.spec.schedulePriority,
              },
              startWith('scheduler', '--feature-gates=PriorityBasedScheduling=true', seen),
            ),
          ),
};

function scaled(object: KubernetesObject): Reference[] {
  return targetOf(object).map((to) => ({ to, field: 'spec.scaleTargetRef', effect: 'it scales nothing' }));
}

export const referenceMissing: StateCheck = {
  id: 'reference-missing',
  severity: 'warning',
  theme: 'writers',
  title: 'an autoscaler, a quota or a policy names an object that does not exist',
  help: 'It is the target of a FederatedHPA or CronFederatedHPA, the cluster of a static assignment of a FederatedResourceQuota, or the PriorityClass of a policy. Without its PriorityClass a policy is not applied. Correct the name, or remove it.',
  needs: ['Cluster', 'ResourceBinding'],
  uses: ['FederatedHPA', 'CronFederatedHPA', 'FederatedResourceQuota', 'Template'],
  lints: 'clusters',
  symptoms: ['FailedGetScale', 'failed to query scale subresource'],
  issues: [],
  find: (seen) => {
    const referring = [
      ...Object.entries(REFERENCES).flatMap(([kind, referencesOf]) =>
        seen.ofKind(kind).map((one) => ({ object: identityOf(one), references: referencesOf(one) })),
      ),
      ...seen.world.policies
        .filter(({ spec }) => spec.schedulePriority)
        .map((one) => ({ object: policyIdentity(one), references: ranked(one, seen) })),
    ];
    if (referring.length === 0) return [];
    const present = new Set(
      [
        ...seen.world.others.map(identityOf),
        ...seen.world.bindings.map(workloadOf),
        ...[...seen.clusters().keys()].map(clusterObject),
      ].map(objectKey),
    );
    return referring.flatMap(({ object, references }) =>
      references
        .filter(({ to }) => !present.has(objectKey(to)) && isRead(to, seen))
        .map(({ to, field, effect }) =>
          findingIn(
            object,
            (name) => `${name} names ${objectText(to)}, which does not exist: ${effect}`,
            { rule: 'no object has the name', field, value: to.name },
            'correct the name',
          ),
        ),
    );
  },
};

/** Whether the state would contain an object if it existed: its kind was read, or another of the kind is present. */
function isRead({ kind, namespace }: ObjectIdentity, seen: Examined): boolean {
  const { unread } = seen.world;
  if (kind === 'Cluster' || (kind === 'PriorityClass' && unread && !missingKind(seen.world, kind)))
    return true;
  // Manifests need not include the workloads that they name.
  if (seen.isWritten && kind !== 'PriorityClass') return false;
  return [...seen.ofKind(kind).map(identityOf), ...seen.world.bindings.map(workloadOf)].some(
    (one) => one.kind === kind && one.namespace === namespace,
  );
}

/** The workload that an autoscaler scales. */
export function targetOf(object: KubernetesObject): ObjectIdentity[] {
  const spec = 'spec' in object && isObject(object.spec) ? object.spec : {};
  const target = spec['scaleTargetRef'];
  const { namespace } = object.metadata;
  return isObject(target) && typeof target['kind'] === 'string' && typeof target['name'] === 'string'
    ? [{ kind: target['kind'], ...(namespace && { namespace }), name: target['name'] }]
    : [];
}
