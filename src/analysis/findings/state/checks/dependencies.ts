import type { ObjectIdentity } from '../../../../karmada/api/meta.ts';
import { type DependentReference, isAttached } from '../../../../karmada/objects/dependents.ts';
import {
  bindingKey,
  objectKey,
  snapshotKey,
  workloadOf,
  identityOf,
} from '../../../../karmada/objects/identities.ts';
import { isWorkload, placedOn } from '../../../../karmada/objects/placement.ts';
import { templateDependencies } from '../../../../karmada/propagation/templateDependencies.ts';
import { finding, inBinding, firstNames, firstObjectNames, jointFinding } from '../about.ts';
import { isTemplate } from '../unbound.ts';
import type { Severity } from '../../finding.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';
import { isFresh } from './undone.ts';

export const siblingStays: StateCheck = {
  id: 'sibling-stays-behind',
  severity: 'warning',
  theme: 'placement',
  title: 'a Service or a similar object does not move with its workload',
  help: 'Objects of one policy are scheduled separately: when application failover moves a workload, objects without health stay. Only what the workload depends on (propagateDeps) follows. Propagate such an object to all clusters.',
  needs: ['ResourceBinding'],
  symptoms: ['the Pods are in the new cluster, the Service in the old one'],
  issues: [7324, 6205, 4285],
  find: (seen) => {
    const asked = new Set(seen.bindings);
    const fleet = seen.world.clusters.length;
    return [...seen.byPolicy()].flatMap(([policy, bindings]) => {
      if (policy === '') return [];
      const moving = bindings.filter(({ spec }) => spec.failover?.application && isWorkload(spec));
      const staying = bindings.filter(
        ({ spec }) => !isWorkload(spec) && !spec.requiredBy?.length && placedOn(spec).length < fleet,
      );
      // It is relevant to questions about either of them.
      if (moving.length === 0 || ![...moving, ...staying].some((one) => asked.has(one))) return [];
      const homes = new Set(staying.flatMap(({ spec }) => placedOn(spec).map(({ name }) => name)));
      return jointFinding(
        staying,
        (objects, amount) =>
          `${objects} ${amount === 1 ? 'stays' : 'stay'} on ${firstNames([...homes])} when application failover moves ${firstObjectNames(moving.map(workloadOf))}`,
        (first) =>
          inBinding(
            first,
            'it has no health to trigger a move, and the workload does not depend on it',
            'spec.requiredBy',
            null,
          ),
        'propagate it to all clusters by a policy of its own',
      );
    });
  },
};

export const siblingsSeparated: StateCheck = {
  id: 'siblings-parted',
  severity: 'warning',
  theme: 'placement',
  title: 'a workload runs on clusters without its dependencies',
  help: 'The object that its template refers to is propagated, but not to all clusters of the workload: new Pods there do not start. Set propagateDeps, or give both the same placement.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['CreateContainerConfigError', 'configmap "…" not found'],
  issues: [6205, 4285],
  find: (seen) => {
    const byResource = seen.allByWorkload();
    const asked = new Set(seen.bindings);
    return seen.world.others.flatMap((template) => {
      const binding = isTemplate(template.kind) ? byResource.get(objectKey(identityOf(template))) : undefined;
      if (!binding) return [];
      const homes = placedOn(binding.spec).map(({ name }) => name);
      const missing = (templateDependencies(template) ?? []).flatMap((one) => {
        const other = byResource.get(objectKey(one));
        // It is relevant to questions about the object as well.
        if (!other || !(asked.has(binding) || asked.has(other))) return [];
        const there = new Set(placedOn(other.spec).map(({ name }) => name));
        const without = homes.filter((name) => !there.has(name));
        const { kind, namespace, name } = one;
        return without.length > 0
          ? [{ object: { kind, ...(namespace && { namespace }), name }, without }]
          : [];
      });
      if (missing.length === 0) return [];
      return finding(
        [identityOf(template), ...missing.map(({ object }) => object)],
        `${firstObjectNames([identityOf(template)])} runs on ${firstNames(missing[0]!.without)}, where ${firstObjectNames(missing.map(({ object }) => object))} is missing`,
        missing.map(({ object, without }) => ({
          rule: 'its template refers to it',
          object,
          field: 'spec.clusters',
          value: without,
        })),
        'set propagateDeps: true in the policy of the workload',
      );
    });
  },
};

export const dependencyStays: StateCheck = {
  id: 'dependency-not-propagated',
  severity: 'note',
  theme: 'placement',
  title: 'a dependency of a workload is not propagated',
  help: 'Its template refers to a ConfigMap, Secret or the like for which there is no binding: in a new cluster the Pods start only if it exists there. Set propagateDeps, or propagate it by a policy.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['CreateContainerConfigError after a failover'],
  issues: [6205, 4285],
  find: (seen) => {
    const byResource = seen.allByWorkload();
    const lacking = seen.world.others.flatMap((template) => {
      const binding = isTemplate(template.kind) ? byResource.get(objectKey(identityOf(template))) : undefined;
      if (!binding || binding.spec.propagateDeps) return [];
      const missing = (templateDependencies(template) ?? []).filter((one) => !byResource.has(objectKey(one)));
      return missing.length > 0 ? [{ object: identityOf(template), missing }] : [];
    });
    const down = new Set(seen.doubtful().flatMap((one) => (one.down ? objectKey(one.workload) : [])));
    const [present, later] = [true, false].map((is) =>
      lacking.filter(({ object }) => down.has(objectKey(object)) === is),
    );
    return [...missingDependencies(present!, 'error'), ...missingDependencies(later!)];
  },
};

/** @param severity for workloads without a ready replica; absent: only a move would fail */
function missingDependencies(
  lacking: readonly { object: ObjectIdentity; missing: readonly DependentReference[] }[],
  severity?: Severity,
): Diagnosed[] {
  if (lacking.length === 0) return [];
  return [
    finding(
      lacking.map(({ object }) => object),
      `${firstObjectNames(lacking.map(({ object }) => object))}: nothing propagates ${firstNames(lacking[0]!.missing.map(({ kind, name }) => `${kind} ${name}`))}`,
      lacking.slice(0, 5).map(({ object, missing }) => ({
        rule: 'its template refers to it, and no binding is for it',
        object,
        field: 'spec.template',
        value: missing.map(({ kind, name }) => `${kind}/${name}`),
      })),
      'set propagateDeps: true in its policy',
      severity,
    ),
  ];
}

export const dependencyUnbound: StateCheck = {
  id: 'dependency-without-binding',
  severity: 'error',
  theme: 'stuck',
  title: 'a dependency of a workload has no binding, although propagateDeps is set',
  help: 'With propagateDeps karmada-controller-manager writes a binding for each ConfigMap, Secret and the like that the template names. Without it the object is in no cluster, and Pods there do not start. See the Events of the workload, and whether the controller runs.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['CreateContainerConfigError', 'MountVolume.SetUp failed for volume', 'GetDependenciesFailed'],
  issues: [4752],
  find: (seen) => {
    if (!seen.configuration.featureGates.PropagateDeps) return [];
    const byResource = seen.allByWorkload();
    const interpreted = new Set(
      seen
        .othersOf('ResourceInterpreterCustomization')
        .flatMap(({ spec }) => (spec?.customizations?.dependencyInterpretation ? spec.target?.kind : [])),
    );
    return seen.bindings.flatMap((binding) => {
      const template = seen.object(workloadOf(binding));
      const { metadata, spec } = binding;
      if (!template || !spec.propagateDeps || metadata.deletionTimestamp || interpreted.has(template.kind))
        return [];
      if (placedOn(spec).length === 0 || isFresh(template, seen) || isFresh(binding, seen)) return [];
      const missing = (templateDependencies(template) ?? []).flatMap((one) => {
        const object = byResource.has(objectKey(one)) ? undefined : seen.object(one);
        return object && !isFresh(object, seen) ? [identityOf(object)] : [];
      });
      if (missing.length === 0) return [];
      return finding(
        [workloadOf(binding), ...missing],
        `${firstObjectNames([workloadOf(binding)])} needs ${firstObjectNames(missing)}, which ${missing.length === 1 ? 'has' : 'have'} no binding although propagateDeps is true: no cluster gets ${missing.length === 1 ? 'it' : 'them'}`,
        { rule: 'the template names it', object: missing[0]!, field: 'ResourceBinding', value: null },
        'change the template by an annotation: karmada-controller-manager follows it again; see its log about the workload',
      );
    });
  },
};

export const dependentLeft: StateCheck = {
  id: 'dependent-left-over',
  severity: 'warning',
  theme: 'placement',
  title: 'an object is propagated for a deleted workload',
  help: 'Its binding was made by propagateDeps, and the binding of the workload in requiredBy is gone. Existing copies stay; nothing updates or deletes them. Delete the binding.',
  needs: ['ResourceBinding'],
  symptoms: ['a ResourceBinding stays after its workload was deleted'],
  issues: [5942],
  find: (seen) => {
    const keys = new Set(seen.world.bindings.map((one) => bindingKey(one)));
    const left = seen.bindings.filter(
      ({ spec, metadata }) =>
        isAttached(spec) &&
        !metadata.deletionTimestamp &&
        // The state may contain only one namespace.
        spec.requiredBy?.every((one) => one.namespace === metadata.namespace && !keys.has(snapshotKey(one))),
    );
    return jointFinding(
      left,
      (objects) =>
        `${objects}: propagated for ${firstNames(left.flatMap(({ spec }) => (spec.requiredBy ?? []).map(snapshotKey)))}: its binding is gone`,
      (first) => inBinding(first, 'the binding of no workload', 'spec.requiredBy', first.spec.requiredBy),
      'delete its ResourceBinding',
    );
  },
};
