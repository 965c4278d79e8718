import { conditionOf } from '../../karmada/objects/conditions.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition, KubernetesObject, ObjectIdentity, Taint } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { admissionSettings, admitObject, crdDefaults } from '../../karmada/defaults/admitObject.ts';
import { CLUSTER_CONDITION_READY, executionNamespace, workName } from '../../karmada/api/names.ts';
import { clusterTaintRefusal } from '../../karmada/validation/clusterTaints.ts';
import { apiTypes } from '../../karmada/api/kinds.ts';
import { applyManifest, applyMergePatch } from '../../kubernetes/mergePatch.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { defaultWorkload } from '../../kubernetes/workloadDefaults.ts';
import type { Kind, Kinds } from '../../karmada/controllers/kinds.ts';
import { electionWait } from '../../karmada/detection/memberAccess.ts';
import { permanentIdLabel } from '../../karmada/objects/policies.ts';
import type { View } from '../../karmada/controllers/view.ts';
import { usualReadiness } from '../../karmada/detection/readiness.ts';
import { withHealth } from '../../karmada/members/rollout.ts';
import type { Write } from '../../karmada/controllers/write.ts';
import type { ConditionChange, ScenarioAction } from '../scenario.ts';
import {
  identityOf,
  objectKey,
  simulatedId,
  snapshotKey,
  workKey,
  objectText,
} from '../../karmada/objects/identities.ts';
import { keyOf } from '../../karmada/controllers/keys.ts';
import { joiningMember, memberTurns, type ChanceOf } from './memberTurns.ts';

/** A scenario names an object that the world does not have, or a change that Karmada would refuse. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  /** the impossible event, if it is from a scenario */
  action?: ScenarioAction;
}

/** The object of an action does not exist, or was deleted before. */
export class MissingObject extends ScenarioError {
  readonly kind: Kind;
  readonly key: string;

  constructor(kind: Kind, key: string, message: string) {
    super(message);
    this.kind = kind;
    this.key = key;
  }
}

/**
 * The writes of a scenario's action. Objects pass Karmada's webhooks first; a refusal is a ScenarioError with Karmada's
 * message, a missing object a MissingObject.
 *
 * @param now epoch milliseconds
 * @param unseen values that the scenario leaves to chance, from 0 to 1; undefined: the likeliest
 */
export function scenarioWrites(
  action: ScenarioAction,
  view: View,
  configuration: Configuration,
  now: number,
  unseen: ChanceOf = () => undefined,
): Write[] {
  const turn = { now, unseen, agentSince: now };
  switch (action.type) {
    case 'fail':
    case 'recover':
      return memberTurns(view, existingCluster(view, action.cluster), action.type === 'recover', turn);
    case 'condition': {
      const before = existingCluster(view, action.cluster);
      const condition = completeCondition(before, action.condition, now);
      const others = (before.status?.conditions ?? []).filter(({ type }) => type !== condition.type);
      const after = { ...before, status: { ...before.status, conditions: [...others, condition] } };
      // The condition represents the failure or recovery from the user's view.
      const member =
        condition.type === 'Ready'
          ? memberTurns(view, before, condition.status === 'True', {
              ...turn,
              // Every status but Unknown is published by the agent, which is then already the leader.
              agentRuns: condition.status !== 'Unknown',
              agentSince: now - electionWait(configuration),
            })
          : [];
      return [...member, ...updates('Cluster', before, after)];
    }
    case 'taint':
      return [taintWrite(existingCluster(view, action.cluster), action.taint, configuration)];
    case 'untaint': {
      const before = existingCluster(view, action.cluster);
      const taints = (before.spec?.taints ?? []).filter(
        ({ key, effect }) => key !== action.key || (action.effect !== undefined && effect !== action.effect),
      );
      return updates('Cluster', before, { ...before, spec: { ...before.spec, taints } });
    }
    case 'health':
      return healthWrites(view, action);
    case 'patch': {
      const found = existing(view, action.target, 'patch');
      return written(
        view,
        configuration,
        now,
        applyMergePatch(found.object, action.merge) as KubernetesObject,
      );
    }
    case 'apply':
      return action.objects.flatMap((manifest) => {
        const found = find(view, identityOf(manifest));
        const before = found?.object as KubernetesObject | undefined;
        return written(
          view,
          configuration,
          now,
          defaultWorkload(before ? applyManifest(before, manifest) : manifest),
        );
      });
    case 'restart':
    case 'stop':
    case 'start':
      // These write nothing here: planEvents handles them.
      return [];
    case 'delete': {
      const found = existing(view, action.target, 'delete');
      return [{ verb: 'delete', kind: found.kind, key: found.key, base: found.object } as Write];
    }
  }
}

type Deletion = Extract<Write, { verb: 'delete'; kind: 'Policy' | 'Object' | 'Binding' | 'Work' }>;

/** The namespaces that are terminating. */
export function deletedNamespaces(view: View): KubernetesObject[] {
  return [...view.objectsOf('Namespace')].filter(({ metadata }) => metadata.deletionTimestamp);
}

/** Starts the deletion of a namespace; does nothing if it is not in the state. */
export function deletingWrites(name: string, view: View, now: number): Write[] {
  const found = find(view, { kind: 'Namespace', name });
  if (found?.kind !== 'Object') return [];
  const { metadata } = found.object;
  return updates('Object', found.object, {
    ...found.object,
    metadata: { ...metadata, deletionTimestamp: metadata.deletionTimestamp ?? rfc3339(now) },
  });
}

/** Deletes the contents of a namespace. */
export function contentWrites(namespace: string, view: View): Deletion[] {
  return (['Policy', 'Object', 'Binding', 'Work'] as const).flatMap((kind) =>
    [...view.all(kind)]
      .filter(({ metadata }) => metadata.namespace === namespace)
      .map((base) => ({ verb: 'delete', kind, key: keyOf(kind, base), base }) as Deletion),
  );
}

/** Deletes an empty namespace, with the Works that propagate it: it owns them (karmada's namespace sync controller). */
export function emptyNamespaceWrites(name: string, view: View): Deletion[] {
  const found = find(view, { kind: 'Namespace', name });
  const works = [...view.all('Work')].filter(({ metadata }) =>
    metadata.ownerReferences?.some((owner) => owner.kind === 'Namespace' && owner.name === name),
  );
  return [
    ...(found ? [{ verb: 'delete', kind: found.kind, key: found.key, base: found.object } as Deletion] : []),
    ...works.map((base): Deletion => ({ verb: 'delete', kind: 'Work', key: keyOf('Work', base), base })),
  ];
}

function existingCluster(view: View, name: string): Cluster {
  const found = view.get('Cluster', name);
  if (found) return found;
  const known = [...view.all('Cluster')].map(({ metadata }) => metadata.name).join(', ') || 'none';
  throw new MissingObject('Cluster', name, `there is no cluster "${name}" in the state; there are ${known}`);
}

function existing(view: View, target: ObjectIdentity, verb: 'patch' | 'delete'): Found {
  const found = find(view, target);
  if (found) return found;
  const kind = kindOf(target.kind);
  const message = `there is no ${objectText(target)} in the state to ${verb}`;
  throw new MissingObject(kind, keyOfTarget(kind, target), message);
}

function updates<K extends Exclude<Kind, 'Copy'>>(kind: K, base: Kinds[K], object: Kinds[K]): Write[] {
  const common = { verb: 'update' as const, kind, key: keyOf(kind, base), lock: false };
  return [
    { ...common, part: 'object', base, object },
    { ...common, part: 'status', base, object },
  ] as unknown as Write[];
}

function taintWrite(
  before: Cluster,
  { key, value, effect }: Extract<ScenarioAction, { type: 'taint' }>['taint'],
  configuration: Configuration,
): Write {
  const others = (before.spec?.taints ?? []).filter((taint) => taint.key !== key || taint.effect !== effect);
  const taint: Taint = { key, ...(value === undefined ? {} : { value }), effect };
  const object = { ...before, spec: { ...before.spec, taints: [taint, ...others] } };
  takenByClusterApi(object, before, configuration);
  return updates('Cluster', before, object)[0]!;
}

function healthWrites(
  view: View,
  { workload, cluster, health }: Extract<ScenarioAction, { type: 'health' }>,
): Write[] {
  const binding = view.bindingFor(workload);
  if (!binding)
    throw new ScenarioError(
      `there is no binding for ${objectText(workload)} in the state; check its kind, namespace and name`,
    );
  const { name } = existingCluster(view, cluster).metadata;
  const work = view.worksOf(binding).get(name);
  // A preserved copy has no Work.
  const key = work ? workKey(work) : `${executionNamespace(name)}/${workName(binding.spec.resource)}`;
  const copy = view.get('Copy', key);
  if (!copy) return [];
  const object = withHealth(copy, health, view.hooks);
  return [{ verb: 'update', kind: 'Copy', key, part: 'object', lock: false, base: copy, object }];
}

type Found = {
  [K in Exclude<Kind, 'Copy' | 'Member'>]: { kind: K; key: string; object: Kinds[K] };
}[Exclude<Kind, 'Copy' | 'Member'>];

/** The kind under which a world holds objects of an API kind. */
function kindOf(apiKind: string): Found['kind'] {
  switch (apiKind) {
    case 'Cluster':
    case 'ClusterTaintPolicy':
    case 'Work':
      return apiKind;
    case 'ResourceBinding':
    case 'ClusterResourceBinding':
      return 'Binding';
    case 'PropagationPolicy':
    case 'ClusterPropagationPolicy':
      return 'Policy';
    default:
      return 'Object';
  }
}

function keyOfTarget(kind: Found['kind'], target: ObjectIdentity): string {
  if (kind === 'Cluster' || kind === 'ClusterTaintPolicy') return target.name;
  if (kind === 'Work') return workKey({ metadata: target });
  return kind === 'Binding' ? snapshotKey(target) : objectKey(target);
}

function find(view: View, target: ObjectIdentity): Found | undefined {
  const kind = kindOf(target.kind);
  const key = keyOfTarget(kind, target);
  const object = view.get(kind, key);
  return object && ({ kind, key, object } as Found);
}

function written(view: View, configuration: Configuration, now: number, object: KubernetesObject): Write[] {
  const target = identityOf(object);
  const found = find(view, target);
  const kind = kindOf(object.kind);
  if (kind === 'Cluster') takenByClusterApi(object as Cluster, found?.object as Cluster, configuration);
  const admittable = kind === 'Policy' || kind === 'ClusterTaintPolicy';
  const accepted = admittable ? admitted(object, found?.object, configuration) : object;
  if (!found) {
    const key = keyOf(kind, accepted as unknown as ResourceBinding & Kinds[typeof kind]);
    // The API server sets creationTimestamp regardless of the manifest: kubectl create prints an empty one.
    const { creationTimestamp: _, ...metadata } = accepted.metadata;
    return [
      { verb: 'create', kind, key, object: { ...accepted, metadata } } as unknown as Write,
      ...(kind === 'Cluster' ? joiningMember(view, object as Cluster, configuration, now) : []),
    ];
  }
  return updates(found.kind, found.object, accepted);
}

/** Throws if Karmada's API server would refuse the taints; taints already in the state are not checked. */
function takenByClusterApi(object: Cluster, before: Cluster | undefined, { rules }: Configuration): void {
  const taints = object.spec?.taints ?? [];
  if (deepEqual(taints, before?.spec?.taints ?? [])) return;
  const refusal = clusterTaintRefusal(object.metadata.name, taints, rules.admission);
  if (refusal !== undefined) throw new ScenarioError(`Karmada would refuse it: ${refusal}`);
}

/** The object after the webhooks; a refusal ends the simulation with Karmada's message. */
function admitted(
  object: KubernetesObject,
  oldObject: Found['object'] | undefined,
  configuration: Configuration,
): KubernetesObject {
  const { namespace } = object.metadata;
  const verdict = admitObject({
    kind: object.kind,
    operation: oldObject ? 'UPDATE' : 'CREATE',
    ...(namespace ? { namespace } : {}),
    object: object as unknown as Record<string, unknown>,
    ...(oldObject && {
      oldObject: crdDefaults(
        object.kind,
        oldObject as unknown as Record<string, unknown>,
        apiTypes(configuration.rules),
      ),
    }),
    ...admissionSettings(configuration),
    permanentId: recordedId(object) ?? simulatedId(object.metadata),
  });
  if (verdict.allowed) return verdict.object as unknown as KubernetesObject;
  throw new ScenarioError(`Karmada would refuse ${objectText(identityOf(object))}: ${verdict.message}`);
}

/** The permanent id of a policy that an API server has served, which its later changes keep. */
function recordedId({ kind, metadata: { uid, labels } }: KubernetesObject): string | undefined {
  if (!uid || (kind !== 'PropagationPolicy' && kind !== 'ClusterPropagationPolicy')) return undefined;
  return labels?.[permanentIdLabel(kind)];
}

/** Completes a condition as Karmada would write it, so that the next probe changes nothing. */
function completeCondition(cluster: Cluster, change: ConditionChange, now: number): Condition {
  const before = conditionOf(cluster.status?.conditions, change.type);
  const sameStatus = before?.status === change.status ? before : undefined;
  const reason = change.reason ?? sameStatus?.reason;
  const usual = change.type === CLUSTER_CONDITION_READY ? usualReadiness(change.status, reason) : undefined;
  return {
    reason: reason ?? usual?.reason ?? change.status,
    message: usual?.message ?? '',
    ...change,
    lastTransitionTime:
      before?.status === change.status && before.lastTransitionTime
        ? before.lastTransitionTime
        : rfc3339(now),
  };
}
