import type { KubernetesObject } from '../api/meta.ts';
import type { BindingSnapshot, ResourceBinding, ResourceBindingSpec } from '../api/work.ts';
import {
  BINDING_FINALIZER,
  DEPENDENCIES_ANNOTATION,
  RESOURCE_BINDING_PERMANENT_ID_LABEL,
} from '../api/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { Evidence } from '../evidence.ts';
import {
  bindingIdentity,
  bindingKey,
  bindingName,
  boundResource,
  identityOf,
  objectKey,
  simulatedId,
  snapshotKey,
  workloadOf,
} from '../objects/identities.ts';
import { recordedDependencies, type DependentReference } from '../objects/dependents.ts';
import { templateDependencies } from './templateDependencies.ts';
import type { Controller, Failure, ReconcileRequest, Wake } from '../controllers/controller.ts';
import { isSpecChange } from '../controllers/specChange.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf, Write } from '../controllers/write.ts';
import { appendAll } from '../../kubernetes/longLists.ts';

/**
 * The dependencies distributor (Karmada v1.18): with `propagateDeps` the objects that a workload needs get bindings
 * attached to its own, whose `requiredBy` follows its clusters at once and without a task. Objects that it no longer
 * needs, or all of them if it is deleted, lose the entry.
 */
export const dependenciesDistributor: Controller = {
  wakes: { Binding: bindingChanged, Object: dependencyChanged },
  resumes,
  reconcile(request) {
    const { key, view } = request;
    const parent = view.get('Binding', key);
    if (!parent?.spec.propagateDeps || parent.metadata.deletionTimestamp)
      return { writes: view.attachedTo(key).flatMap((one) => detach(view, one, key, request.evidence)) };
    return distribute(request, parent);
  },
};

function* bindingChanged({ key, before, after }: ChangeOf<'Binding'>): Iterable<Wake> {
  if (!before?.spec.propagateDeps && !after?.spec.propagateDeps) return;
  // ClusterResourceBindings are not distributed.
  if (!(after ?? before).metadata.namespace) return;
  if (!before && !after?.spec.clusters?.length) return;
  if (!after || isSpecChange(before, after)) yield { key };
}

/** Wakes the bindings that wait for a new object. */
function* dependencyChanged({ before, after }: ChangeOf<'Object'>, view: View): Iterable<Wake> {
  if (before || !after || !dependentKinds.has(after.kind)) return;
  for (const binding of view.needing(identityOf(after))) yield { key: bindingKey(binding) };
}

const dependentKinds: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'PersistentVolumeClaim',
]);

/** Parents whose clusters changed shortly before the world was captured. */
function* resumes(view: View): Iterable<Wake> {
  const keys = new Set<string>();
  for (const { spec } of view.all('Binding'))
    for (const snapshot of spec.requiredBy ?? []) {
      const key = snapshotKey(snapshot);
      const parent = view.get('Binding', key);
      if (parent?.spec.propagateDeps && !deepEqual(snapshot.clusters ?? [], parent.spec.clusters ?? []))
        keys.add(key);
    }
  for (const key of keys) yield { key };
}

function distribute(
  { key, view, evidence }: ReconcileRequest<unknown>,
  parent: ResourceBinding,
): {
  writes: Write[];
  failure?: Failure;
} {
  const template = view.get('Object', objectKey(parent.spec.resource));
  const interpreted = template && templateDependencies(template);
  // If the template, or the script that defines its dependencies, is unavailable, the recorded ones apply.
  const dependencies = interpreted ?? recordedDependencies(parent);
  const writes = interpreted ? recordWrite(key, parent, dependencies) : [];
  const wanted = new Set(dependencies.map(objectKey));
  for (const one of view.attachedTo(key)) {
    const orphaned = interpreted && !wanted.has(objectKey(one.spec.resource));
    appendAll(writes, orphaned ? detach(view, one, key, evidence) : follow(view, one, parent, evidence));
  }

  const blocked: string[] = [];
  const attached = new Set(view.attachedTo(key).map(({ spec }) => objectKey(spec.resource)));
  for (const dependency of dependencies) {
    const object = view.get('Object', objectKey(dependency));
    if (!object || attached.has(objectKey(dependency))) continue;
    const written = attach(view, object, parent, evidence);
    if (typeof written === 'string') blocked.push(written);
    else writes.push(written);
  }
  return blocked.length === 0 ? { writes } : { writes, failure: ownerReplaced(blocked) };
}

/** Creates an object's binding, or adds the parent to a binding that a policy created. */
function attach(
  view: View,
  object: KubernetesObject,
  parent: ResourceBinding,
  evidence: Evidence[] | undefined,
): Write | string {
  const { kind, metadata } = object;
  const { namespace, uid } = metadata;
  const named = { ...(namespace && { namespace }), name: bindingName(kind, metadata.name) };
  const key = snapshotKey(named);
  const existing = view.get('Binding', key);
  const owner = existing?.metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner?.uid && uid && owner.uid !== uid) return key;
  const requiredBy = [...(existing?.spec.requiredBy ?? []), snapshotOf(parent)];
  evidence?.push(followsEvidence(parent));
  if (existing) return update(key, existing, { ...existing.spec, requiredBy }, view);
  const { preserveResourcesOnDeletion, conflictResolution } = parent.spec;
  const { apiVersion } = object;
  const binding: ResourceBinding = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      ...named,
      labels: { [RESOURCE_BINDING_PERMANENT_ID_LABEL]: simulatedId(named) },
      finalizers: [BINDING_FINALIZER],
      ownerReferences: [{ apiVersion, kind, name: metadata.name, ...(uid && { uid }), controller: true }],
    },
    spec: {
      resource: boundResource(object),
      requiredBy,
      ...(preserveResourcesOnDeletion !== undefined && { preserveResourcesOnDeletion }),
      ...(conflictResolution && { conflictResolution }),
    },
  };
  return { verb: 'create', kind: 'Binding', key, object: binding };
}

function follow(
  view: View,
  attached: ResourceBinding,
  parent: ResourceBinding,
  evidence: Evidence[] | undefined,
): Write[] {
  const requiredBy = (attached.spec.requiredBy ?? []).map((snapshot) =>
    snapshotKey(snapshot) === bindingKey(parent) ? snapshotOf(parent) : snapshot,
  );
  if (deepEqual(requiredBy.map(clustersOf), attached.spec.requiredBy?.map(clustersOf))) return [];
  evidence?.push(followsEvidence(parent));
  return [update(bindingKey(attached), attached, { ...attached.spec, requiredBy }, view)];
}

/** Removes a parent. The binding remains even without parents; its Works are deleted. */
function detach(
  view: View,
  attached: ResourceBinding,
  parent: string,
  evidence: Evidence[] | undefined,
): Write[] {
  const requiredBy = (attached.spec.requiredBy ?? []).filter((snapshot) => snapshotKey(snapshot) !== parent);
  evidence?.push({
    rule: 'a dependent is deleted with the workload that requires it',
    object: workloadOf(attached),
    field: 'spec.requiredBy',
    value: requiredBy,
  });
  const { requiredBy: _, ...rest } = attached.spec;
  const spec = requiredBy.length > 0 ? { ...rest, requiredBy } : rest;
  return [update(bindingKey(attached), attached, spec, view)];
}

/**
 * Parents of a binding without a policy decide how its object is applied and deleted: one parent is enough for
 * overwriting, or for preserving on deletion.
 */
function update(key: string, base: ResourceBinding, spec: ResourceBindingSpec, view: View): Write {
  const parents = (spec.requiredBy ?? []).flatMap((one) => view.get('Binding', snapshotKey(one)) ?? []);
  let next = spec;
  if (!spec.placement && !spec.requiredBy?.length) {
    const { conflictResolution: _, preserveResourcesOnDeletion: __, ...rest } = spec;
    next = rest;
  } else if (!spec.placement && parents.length > 0)
    next = {
      ...spec,
      conflictResolution: parents.some((one) => one.spec.conflictResolution === 'Overwrite')
        ? 'Overwrite'
        : 'Abort',
      preserveResourcesOnDeletion: parents.some((one) => one.spec.preserveResourcesOnDeletion),
    };
  const object = { ...base, spec: next };
  return { verb: 'update', kind: 'Binding', key, part: 'object', lock: true, base, object };
}

function recordWrite(key: string, parent: ResourceBinding, dependencies: DependentReference[]): Write[] {
  const known = recordedDependencies(parent).map(objectKey).sort();
  if (deepEqual(known, dependencies.map(objectKey).sort())) return [];
  const annotations = {
    ...parent.metadata.annotations,
    [DEPENDENCIES_ANNOTATION]: JSON.stringify(dependencies),
  };
  const object = { ...parent, metadata: { ...parent.metadata, annotations } };
  return [{ verb: 'update', kind: 'Binding', key, part: 'object', lock: true, base: parent, object }];
}

function ownerReplaced(keys: string[]): Failure {
  return {
    reason: 'OwnerReplaced',
    message: `${keys.join(', ')} belong to earlier objects, and are being deleted`,
    unless: keys.map((key) => ({ kind: 'Binding', key })),
  };
}

function followsEvidence(parent: ResourceBinding): Evidence {
  return {
    rule: 'a dependent follows its parent without an eviction task: its old Works are deleted at once',
    object: bindingIdentity(parent),
    field: 'spec.clusters',
    value: parent.spec.clusters,
  };
}

function snapshotOf({ metadata, spec }: ResourceBinding): BindingSnapshot {
  const { namespace, name } = metadata;
  return { ...(namespace && { namespace }), name, ...(spec.clusters && { clusters: spec.clusters }) };
}

function clustersOf({ clusters = [] }: BindingSnapshot): unknown {
  return clusters;
}
