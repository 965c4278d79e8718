import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Condition, KubernetesObject, ObjectIdentity, Taint } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy, PropagationPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { admissionSettings, admitObject } from '../../karmada/defaults/admitObject.ts';
import { apiTypes } from '../../karmada/schema/kinds.ts';
import { crdDefaults } from '../../karmada/defaults/crdDefaults.ts';
import { applyManifest } from '../../kubernetes/applyManifest.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { defaultWorkload } from '../../kubernetes/workloadDefaults.ts';
import type { Agenda } from './agenda.ts';
import { type BindingRecord, type ChangeNote, type SimulatedControlPlane } from './controlPlane.ts';
import { identityOf, objectKey } from '../objects/identities.ts';
import type { ClusterStatusController } from './controllers/clusterStatusController.ts';
import { noteTaintChanges } from './controllers/taintChanges.ts';
import type { Members } from './members.ts';
import { applyMergePatch } from '../../kubernetes/mergePatch.ts';
import type { ConditionChange, ScenarioAction, ScenarioEvent } from '../scenario.ts';

/** Something in a scenario that the world does not have. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/** Plans what a scenario lets happen from outside. Throws a ScenarioError for objects that do not exist. */
export function playScenario(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  members: Members,
  clusterStatus: ClusterStatusController,
  configuration: Configuration,
  events: ScenarioEvent[],
): void {
  const cluster = (name: string): Cluster => {
    const found = plane.clusters.get(name);
    if (found) return found;
    const known = [...plane.clusters.keys()].sort().join(', ') || 'none';
    throw new ScenarioError(`there is no cluster "${name}" in the state; there are ${known}`);
  };

  function writeTaints(name: string, taints: Taint[]): void {
    const before = cluster(name);
    noteTaintChanges(plane, 'scenario', identityOf(before), before.spec?.taints ?? [], taints, []);
    plane.writeCluster({ ...before, spec: { ...before.spec, taints } });
  }

  function write(object: KubernetesObject): void {
    plane.note({ controller: 'scenario', type: 'ObjectApplied', object: identityOf(object), evidence: [] });
    switch (object.kind) {
      case 'Cluster':
        return plane.writeCluster(object);
      case 'ResourceBinding':
      case 'ClusterResourceBinding': {
        const binding = object as unknown as ResourceBinding;
        const record = plane.findBinding(identityOf(object));
        if (record) writeBinding(record, binding);
        else plane.addBinding(binding);
        return;
      }
      case 'ClusterTaintPolicy':
        return plane.writeTaintPolicy(admitted(object) as unknown as ClusterTaintPolicy);
      case 'PropagationPolicy':
      case 'ClusterPropagationPolicy':
        return plane.writePolicy(admitted(object) as unknown as PropagationPolicy);
      default:
        return plane.writeTemplate(object);
    }
  }

  function writeBinding(record: BindingRecord, { metadata, spec, status }: ResourceBinding): void {
    const note: ChangeNote = { controller: 'scenario', type: 'ObjectApplied', evidence: [] };
    plane.writeBinding(record, { metadata, ...(spec === record.current.spec ? {} : { spec }) }, note);
    if (status && status !== record.current.status) plane.writeBindingStatus(record, status);
  }

  /** What is written passes the webhooks; a refusal ends the simulation with Karmada's own words. */
  function admitted(object: KubernetesObject): KubernetesObject {
    const oldObject = find(identityOf(object));
    const { namespace, name } = object.metadata;
    const verdict = admitObject({
      kind: object.kind,
      operation: oldObject ? 'UPDATE' : 'CREATE',
      ...(namespace ? { namespace } : {}),
      object: object as unknown as Record<string, unknown>,
      ...(oldObject
        ? {
            oldObject: crdDefaults(
              object.kind,
              oldObject as unknown as Record<string, unknown>,
              apiTypes(configuration.rules),
            ),
          }
        : {}),
      ...admissionSettings(configuration),
      permanentId: `simulated-${namespace ?? ''}-${name}`,
    });
    if (verdict.allowed) return verdict.object as unknown as KubernetesObject;
    throw new ScenarioError(`Karmada would refuse ${named(identityOf(object))}: ${verdict.message}`);
  }

  function find(target: ObjectIdentity): KubernetesObject | undefined {
    const key = objectKey(target);
    switch (target.kind) {
      case 'Cluster':
        return plane.clusters.get(target.name) as KubernetesObject | undefined;
      case 'ResourceBinding':
      case 'ClusterResourceBinding':
        return plane.findBinding(target)?.current as KubernetesObject | undefined;
      case 'ClusterTaintPolicy':
        return plane.taintPolicies.get(target.name) as KubernetesObject | undefined;
      case 'PropagationPolicy':
      case 'ClusterPropagationPolicy':
        return plane.policies.get(key) as KubernetesObject | undefined;
      default:
        return plane.templates.get(key);
    }
  }

  function remove(target: ObjectIdentity): void {
    plane.note({ controller: 'scenario', type: 'ObjectDeleted', object: target, evidence: [] });
    switch (target.kind) {
      case 'Cluster': {
        const { metadata, ...rest } = cluster(target.name);
        return plane.writeCluster({
          ...rest,
          metadata: { ...metadata, deletionTimestamp: rfc3339(agenda.now()) },
        });
      }
      case 'ResourceBinding':
      case 'ClusterResourceBinding': {
        const record = plane.findBinding(target);
        if (record) plane.removeBinding(record);
        return;
      }
      case 'ClusterTaintPolicy':
        return plane.removeTaintPolicy(target.name);
      case 'PropagationPolicy':
      case 'ClusterPropagationPolicy':
        return plane.removePolicy(objectKey(target));
      default:
        return plane.removeTemplate(objectKey(target));
    }
  }

  function play(action: ScenarioAction): void {
    switch (action.type) {
      case 'fail':
      case 'recover': {
        const down = action.type === 'fail';
        plane.note({
          controller: 'scenario',
          type: down ? 'ClusterFailed' : 'ClusterRecovered',
          object: identityOf(cluster(action.cluster)),
          cluster: action.cluster,
          evidence: [],
        });
        members.setDown(action.cluster, down);
        return clusterStatus.memberChanged(action.cluster);
      }
      case 'condition': {
        const before = cluster(action.cluster);
        // The condition stands for the failure or the recovery itself.
        if (action.condition.type === 'Ready') members.setDown(action.cluster, false);
        return clusterStatus.publish(
          before,
          completeCondition(before, action.condition, agenda.now()),
          'scenario',
          [],
        );
      }
      case 'taint': {
        const { key, value, effect } = action.taint;
        const taints = cluster(action.cluster).spec?.taints ?? [];
        const others = taints.filter((taint) => taint.key !== key || taint.effect !== effect);
        // The aggregated API server stamps NoExecute taints alone.
        const taint: Taint = {
          key,
          ...(value === undefined ? {} : { value }),
          effect,
          ...(effect === 'NoExecute' ? { timeAdded: rfc3339(agenda.now()) } : {}),
        };
        return writeTaints(action.cluster, [taint, ...others]);
      }
      case 'untaint': {
        const taints = cluster(action.cluster).spec?.taints ?? [];
        const kept = taints.filter(
          ({ key, effect }) =>
            key !== action.key || (action.effect !== undefined && effect !== action.effect),
        );
        if (kept.length === taints.length) return;
        return writeTaints(action.cluster, kept);
      }
      case 'health': {
        const { kind, namespace, name } = action.workload;
        const record = plane.bindings.find(
          ({ deleted, current: { spec } }) =>
            !deleted &&
            spec.resource.kind === kind &&
            spec.resource.name === name &&
            (spec.resource.namespace ?? '') === (namespace ?? ''),
        );
        if (!record)
          throw new ScenarioError(`there is no binding for ${named(action.workload)} in the state`);
        return members.setHealth(record, action.cluster, action.health);
      }
      case 'patch': {
        const object = find(action.target);
        if (!object) throw new ScenarioError(`there is no ${named(action.target)} in the state to patch`);
        return write(applyMergePatch(object, action.merge) as KubernetesObject);
      }
      case 'apply':
        return action.objects.forEach((manifest) => {
          const existing = find(identityOf(manifest));
          write(defaultWorkload(existing ? applyManifest(existing, manifest) : manifest));
        });
      case 'delete':
        if (!find(action.target))
          throw new ScenarioError(`there is no ${named(action.target)} in the state to delete`);
        return remove(action.target);
    }
  }

  for (const { at, action } of events) agenda.plan(at, () => play(action));
}

function named({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

function completeCondition(cluster: Cluster, change: ConditionChange, now: number): Condition {
  const before = cluster.status?.conditions?.find(({ type }) => type === change.type);
  return {
    reason: before?.status === change.status ? before.reason : change.status,
    message: '',
    ...change,
    lastTransitionTime:
      before?.status === change.status && before.lastTransitionTime
        ? before.lastTransitionTime
        : rfc3339(now),
  };
}
