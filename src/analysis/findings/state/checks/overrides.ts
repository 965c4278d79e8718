import { decodeObject } from '../../../../karmada/api/decodeObject.ts';
import { apiTypes } from '../../../../karmada/api/kinds.ts';
import type { OverridePolicy } from '../../../../karmada/api/override.ts';
import type { ClusterAffinity } from '../../../../karmada/api/policy.ts';
import type { KubernetesObject } from '../../../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../../../karmada/api/work.ts';
import { workloadOf, identityOf, objectText } from '../../../../karmada/objects/identities.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { highestPrioritySelector } from '../../../../karmada/propagation/resourceSelector.ts';
import { isWorkload, targetClusters } from '../../../../karmada/objects/placement.ts';
import { clusterMatches } from '../../../../karmada/selection/clusterAffinity.ts';
import { edit, finding, findingIn, firstNames, firstObjectNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { affinitiesOf, namesOf } from '../policyFindings.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';
import { isTemplate, selectorMismatch } from '../unbound.ts';
import { deepEqual } from '../../../../kubernetes/deepEqual.ts';
import { isObject, keysOf } from '../../../../kubernetes/json.ts';
import { isFresh } from './undone.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';

type Override = OverridePolicy & { apiVersion: string; kind: 'OverridePolicy' | 'ClusterOverridePolicy' };

/** The overrides of a state that Karmada can read. */
function overridesOf(seen: Examined): Override[] {
  const types = apiTypes(seen.configuration.rules);
  return (['OverridePolicy', 'ClusterOverridePolicy'] as const).flatMap((kind) =>
    seen.ofKind(kind).flatMap((object) => {
      const decoded = decodeObject(kind, object, types);
      return 'value' in decoded ? [{ ...decoded.value, apiVersion: object.apiVersion, kind }] : [];
    }),
  );
}

/** The overrides that apply to the resource of a binding. */
export function overridesFor(binding: ResourceBinding, seen: Examined): KubernetesObject[] {
  return overridesOf(seen).filter((one) => isIn(one, binding) && isSelected(one, binding));
}

/** The clusters that the rules of an override name; undefined if a rule selects clusters in another way. */
function overriddenClusters({ spec }: Override): string[] | undefined {
  const targets = (spec?.overrideRules ?? []).map(({ targetCluster = {} }) => targetCluster);
  const isByName = targets.every(
    ({ clusterNames, labelSelector, fieldSelector }) =>
      clusterNames?.length && !labelSelector && !fieldSelector,
  );
  return isByName && targets.length > 0
    ? [...new Set(targets.flatMap((one) => namesOf(one) ?? []))]
    : undefined;
}

export const overrideFormDeprecated: StateCheck = {
  id: 'override-form-deprecated',
  lints: 'manifests',
  severity: 'note',
  theme: 'placement',
  title: 'an override has the deprecated form',
  help: 'spec.overriders and spec.targetCluster are deprecated since v1.0, and can have only one rule. They become an entry of spec.overrideRules.',
  needs: ['OverridePolicy'],
  symptoms: ["overrideRules and overriders can't co-exist"],
  find: (seen) =>
    overridesOf(seen).flatMap((override) => {
      const { apiVersion, spec = {} } = override;
      const { overriders, targetCluster, overrideRules } = spec;
      if (!overriders || overrideRules) return [];
      const object = identityOf(override);
      return findingIn(
        object,
        (name) =>
          `${name}: ${targetCluster ? 'targetCluster and overriders are' : 'overriders is'} deprecated`,
        { rule: 'overrideRules replaces them', field: 'spec.overriders', value: overriders },
        {
          text: 'make them an entry of overrideRules',
          certain: true,
          patches: [
            {
              target: { apiVersion, ...object },
              merge: {
                spec: {
                  overriders: null,
                  ...(targetCluster && { targetCluster: null }),
                  overrideRules: [{ ...(targetCluster && { targetCluster }), overriders }],
                },
              },
            },
          ],
        },
      );
    }),
};

export const initContainersKept: StateCheck = {
  id: 'override-misses-init-containers',
  severity: 'warning',
  theme: 'placement',
  title: 'an imageOverrider does not change the images of initContainers',
  help: 'Without a predicate an imageOverrider changes the images of containers only: initContainers keep theirs, which the cluster may not be able to pull. Add an imageOverrider with predicate.path for each of them.',
  needs: ['OverridePolicy'],
  uses: ['Template'],
  symptoms: ['Init:ImagePullBackOff'],
  issues: [4283],
  find: (seen) =>
    overridesOf(seen).flatMap((override) => {
      const rules = [override.spec ?? {}, ...(override.spec?.overrideRules ?? [])];
      const images = rules.flatMap(({ overriders }) => overriders?.imageOverrider ?? []);
      // An override with a predicate shows that its author is aware of this.
      if (images.length === 0 || images.some(({ predicate }) => predicate)) return [];
      const { namespace } = override.metadata;
      const kept = seen.world.others.filter(
        (one) =>
          isTemplate(one.kind) &&
          (!namespace || namespace === one.metadata.namespace) &&
          hasInitContainers(one) &&
          (!override.spec?.resourceSelectors?.length ||
            highestPrioritySelector(one, override.spec.resourceSelectors) !== undefined),
      );
      if (kept.length === 0) return [];
      const objects = kept.map(identityOf);
      return finding(
        [identityOf(override), ...objects],
        `${objectText(identityOf(override))} changes the images of ${firstObjectNames(objects)}, and not those of initContainers`,
        {
          rule: 'only containers without a predicate',
          field: 'spec.overrideRules[].overriders.imageOverrider',
        },
        edit('add an imageOverrider with predicate.path for each initContainer', identityOf(override)),
      );
    }),
};

/** Whether the Pods of a template have initContainers. */
function hasInitContainers(template: KubernetesObject): boolean {
  const at = (value: unknown, key: string) => (isObject(value) ? value[key] : undefined);
  const pod = ['spec', 'template', 'spec'].reduce<unknown>(at, template);
  const found = at(pod, 'initContainers');
  return Array.isArray(found) && found.length > 0;
}

/** Paths of the replicas of workloads. */
export const REPLICA_PATHS: ReadonlySet<string> = new Set(['/spec/replicas', '/spec/parallelism']);

export const overrideWritesReplicas: StateCheck = {
  id: 'override-writes-replicas',
  lints: 'manifests',
  severity: 'note',
  theme: 'writers',
  title: 'an override writes the replicas of a workload',
  help: 'It applies after the scheduler has divided the replicas: the cluster runs the number in the override, also after a failover. Let the policy divide them.',
  needs: ['OverridePolicy'],
  symptoms: ['the replicas on a cluster differ from spec.clusters of the binding'],
  find: (seen) =>
    overridesOf(seen).flatMap((override) => {
      const { overrideRules, overriders } = override.spec ?? {};
      const rules = (overrideRules ?? []).map((rule, at) => ({
        ...rule,
        field: `spec.overrideRules[${at}].overriders`,
      }));
      const old = { overriders, targetCluster: override.spec?.targetCluster, field: 'spec.overriders' };
      return [old, ...rules].flatMap(({ overriders: own, targetCluster: target, field }) =>
        (own?.plaintext ?? []).flatMap(({ path, value }, at) =>
          REPLICA_PATHS.has(path)
            ? [writesReplicas(override, path, value, `${field}.plaintext[${at}].path`, target, seen)]
            : [],
        ),
      );
    }),
};

/** A warning if a cluster runs a different number of replicas than was placed there. */
function writesReplicas(
  override: Override,
  path: string,
  value: unknown,
  field: string,
  target: ClusterAffinity | undefined,
  seen: Examined,
): Diagnosed {
  const other = seen.bindings.flatMap((binding) => {
    if (!isWorkload(binding.spec) || !isIn(override, binding) || !isSelected(override, binding)) return [];
    const clusters = targetClusters(binding.spec).filter(
      ({ name, replicas }) => replicas !== undefined && replicas !== value && isFor(target, name, seen),
    );
    return clusters.map(({ name, replicas }) => ({ object: workloadOf(binding), name, replicas }));
  });
  const [first] = other;
  const evidence = { rule: 'overrides apply last', field, value: value ?? path };
  const remedy = 'let the policy divide the replicas, by weights for example';
  const text = `writes ${path} after the replicas are divided`;
  if (!first || typeof value !== 'number')
    return findingIn(
      identityOf(override),
      (name) => `${name} ${text}: the cluster does not run the placed replicas`,
      evidence,
      remedy,
    );
  return finding(
    [identityOf(override), ...new Set(other.map(({ object }) => object))],
    `${objectText(identityOf(override))} ${text}: ${first.name} runs ${value} of ${firstObjectNames([first.object])}, where ${first.replicas} are placed`,
    { ...evidence, object: identityOf(override) },
    remedy,
    'warning',
  );
}

/** Paths by which Karmada identifies a copy. */
const IDENTITY = new Set(['/apiVersion', '/kind', '/metadata/name', '/metadata/namespace']);

export const overrideRenames: StateCheck = {
  id: 'override-changes-identity',
  lints: 'manifests',
  severity: 'error',
  theme: 'stuck',
  title: 'an override changes the name, the namespace or the kind of an object',
  help: 'Karmada finds the copy by them: once they differ, its status is not collected, it is never healthy, and it stays when the workload leaves. Propagate another object instead.',
  needs: ['OverridePolicy'],
  symptoms: ['no such manifest exist'],
  issues: [1215],
  find: (seen) =>
    overridesOf(seen).flatMap((override) =>
      (override.spec?.overrideRules ?? []).flatMap(({ overriders }, rule) =>
        (overriders?.plaintext ?? []).flatMap(({ path, value }, at) => {
          if (!IDENTITY.has(path)) return [];
          const own = seen.bindings.filter((one) => isIn(override, one) && isSelected(override, one));
          return finding(
            [identityOf(override), ...own.map(workloadOf)],
            `${objectText(identityOf(override))} changes ${path}: Karmada does not find the copy again`,
            {
              rule: 'a copy is found by its name',
              object: identityOf(override),
              field: `spec.overrideRules[${rule}].overriders.plaintext[${at}].path`,
              value: value ?? path,
            },
            'propagate another object instead',
          );
        }),
      ),
    ),
};

export const overrideSelectsNothing: StateCheck = {
  id: 'override-selects-nothing',
  severity: 'warning',
  theme: 'placement',
  title: 'an override does not match its workload',
  help: 'A selector names a workload that is propagated, and differs by apiVersion or namespace: the override has no effect. An OverridePolicy selects in its own namespace only.',
  needs: ['ResourceBinding', 'OverridePolicy'],
  symptoms: ['an override has no effect'],
  issues: [4650],
  find: (seen) => {
    const byKind = groupedBy(seen.bindings, ({ spec }) => spec.resource.kind);
    return overridesOf(seen).flatMap((override) => {
      const { resourceSelectors = [] } = override.spec ?? {};
      const kinds = [...new Set(resourceSelectors.map(({ kind }) => kind))];
      const meant = kinds.flatMap((kind) => byKind.get(kind) ?? []);
      if (meant.some((one) => isIn(override, one) && isSelected(override, one))) return [];
      const scope = override.kind === 'OverridePolicy' ? override.metadata.namespace : undefined;
      const [missed] = meant.flatMap((binding) => {
        const why = selectorMismatch(resourceOf(binding), resourceSelectors, scope);
        return why?.isSure ? [{ binding, why }] : [];
      });
      if (!missed) return [];
      return finding(
        [identityOf(override), workloadOf(missed.binding)],
        `${objectText(identityOf(override))} selects nothing: ${missed.why.text}`,
        {
          rule: missed.why.text,
          object: identityOf(override),
          field: 'spec.resourceSelectors',
          value: resourceSelectors,
        },
        edit('correct the selector', identityOf(override)),
      );
    });
  },
};

/** The fields of a workload, besides those of every object. */
const FIELDS: Partial<Record<string, readonly string[]>> = {
  ConfigMap: ['data', 'binaryData', 'immutable'],
  Secret: ['data', 'stringData', 'immutable', 'type'],
};

/** Whether an operation of a JSON Patch changes a field that the kind lacks. */
function cannotApply({ path, operator }: { path: string; operator: string }, kind: string): boolean {
  const fields = FIELDS[kind] ?? (isTemplate(kind) ? ['spec'] : undefined);
  const [, first = '', ...rest] = path.split('/');
  const known = ['apiVersion', 'kind', 'metadata', 'status'].includes(first);
  return !known && fields?.includes(first) === false && (operator !== 'add' || rest.length > 0);
}

export const overrideDoesNotApply: StateCheck = {
  id: 'override-does-not-apply',
  lints: 'manifests',
  severity: 'error',
  theme: 'stuck',
  title: 'an override changes a field that its workload lacks',
  help: 'Plaintext overrides are a JSON Patch, and apply to all objects that the resourceSelectors select. Where the field is missing the patch is refused, and no Work of that object is written or changed. Write an override of its own for each kind.',
  needs: ['ResourceBinding', 'OverridePolicy'],
  symptoms: ['replace operation does not apply: doc is missing path'],
  issues: [6103],
  find: (seen) => {
    const inNamespace = groupedBy(seen.bindings, ({ spec }) => spec.resource.namespace);
    return overridesOf(seen).flatMap((override) => {
      const { kind, metadata, spec } = override;
      const own = kind === 'OverridePolicy' ? (inNamespace.get(metadata.namespace) ?? []) : seen.bindings;
      return (spec?.overrideRules ?? []).flatMap(({ targetCluster, overriders }, at) =>
        (overriders?.plaintext ?? []).flatMap((operation, index) => {
          const refused = own.filter(
            (binding) =>
              cannotApply(operation, binding.spec.resource.kind) &&
              isSelected(override, binding) &&
              targetClusters(binding.spec).some(({ name }) => isFor(targetCluster, name, seen)),
          );
          if (refused.length === 0) return [];
          const objects = refused.map(workloadOf);
          return finding(
            [identityOf(override), ...objects],
            `${objectText(identityOf(override))} is for ${firstObjectNames(objects)}, too, which ${objects.length === 1 ? 'has' : 'have'} no ${operation.path}: no Work is written`,
            {
              rule: 'a JSON Patch of a missing field is refused',
              object: identityOf(override),
              field: `spec.overrideRules[${at}].overriders.plaintext[${index}].path`,
              value: operation.path,
            },
            'write an override of its own for each kind',
          );
        }),
      );
    });
  },
};

/** Whether a rule is for a cluster. */
function isFor(target: ClusterAffinity | undefined, name: string, seen: Examined): boolean {
  if (!target) return true;
  const cluster = seen.clusters().get(name);
  return cluster !== undefined && clusterMatches(cluster, target, seen.configuration.rules.scheduling);
}

export const overrideMissesCandidate: StateCheck = {
  id: 'override-misses-a-home',
  lints: 'manifests',
  severity: 'note',
  theme: 'placement',
  title: 'an override lacks candidate clusters of a workload',
  help: 'Its rules name clusters, and the placement allows others: there the workload starts without the override, for example with an image of another registry. Add the clusters to the rules, if they need it.',
  needs: ['ResourceBinding', 'OverridePolicy'],
  symptoms: ['ImagePullBackOff after a failover'],
  find: (seen) => {
    const inNamespace = groupedBy(seen.bindings, ({ spec }) => spec.resource.namespace);
    return overridesOf(seen).flatMap((override) => {
      const names = overriddenClusters(override);
      if (!names) return [];
      const { kind, metadata } = override;
      const own = kind === 'OverridePolicy' ? (inNamespace.get(metadata.namespace) ?? []) : seen.bindings;
      const without = own.flatMap((binding) => {
        const homes = isSelected(override, binding) ? homesOf(binding) : [];
        const missing = homes.filter((name) => !names.includes(name));
        return missing.length > 0 && missing.length < homes.length ? [{ binding, missing }] : [];
      });
      const [first] = without;
      if (!first) return [];
      return findingIn(
        identityOf(override),
        (name) =>
          `${name} is not for ${firstNames(first.missing)}, where ${firstObjectNames(without.map(({ binding }) => workloadOf(binding)))} may move to`,
        {
          rule: 'its rules name other clusters',
          field: 'spec.overrideRules[0].targetCluster.clusterNames',
          value: names,
        },
        'add these clusters to its rules, if they need the override',
      );
    });
  },
};

/** The annotations of Works that list the overrides in their manifests. */
const APPLIED: Record<Override['kind'], string> = {
  OverridePolicy: 'policy.karmada.io/applied-overrides',
  ClusterOverridePolicy: 'policy.karmada.io/applied-cluster-overrides',
};

interface Applied {
  policyName?: unknown;
  overriders?: unknown;
}

/** The overrides of a kind in a Work, by its annotation; undefined if that cannot be read. */
function appliedIn(work: Work, kind: Override['kind']): Applied[] | undefined {
  try {
    const list: unknown = JSON.parse(work.metadata.annotations?.[APPLIED[kind]] ?? '[]');
    return Array.isArray(list) ? list.filter(isObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The overriders of an override for a cluster, one for each of its rules. */
function overridersFor({ spec = {} }: Override, cluster: string, seen: Examined): unknown[] {
  const { overrideRules, overriders, targetCluster } = spec;
  return (overrideRules ?? [{ overriders, targetCluster }])
    .filter((rule) => isFor(rule.targetCluster, cluster, seen))
    .map((rule) => rule.overriders);
}

/** The differences between the overrides in a binding's Work and the existing ones, in words. */
function outdated(binding: ResourceBinding, cluster: string, work: Work, seen: Examined): string | undefined {
  const all = overridesOf(seen);
  for (const kind of keysOf(APPLIED)) {
    const applied = appliedIn(work, kind);
    const own = all.filter((one) => one.kind === kind && isIn(one, binding));
    const gone = applied?.find(({ policyName }) => !own.some(({ metadata }) => metadata.name === policyName));
    if (gone) return `still has the override of ${kind} ${String(gone.policyName)}, which does not exist`;
    for (const one of own) {
      const has = applied?.filter(({ policyName }) => policyName === one.metadata.name);
      if (!has || isFresh(one, seen) || !isSelected(one, binding)) continue;
      const wanted = overridersFor(one, cluster, seen);
      if (wanted.length > 0 && has.length === 0)
        return `lacks the override of ${objectText(identityOf(one))}`;
      if (
        !deepEqual(
          has.map(({ overriders }) => overriders ?? {}),
          wanted.map((each) => each ?? {}),
        )
      )
        return `has an older form of ${objectText(identityOf(one))}`;
    }
  }
  return undefined;
}

export const overrideOutdated: StateCheck = {
  id: 'override-outdated',
  severity: 'warning',
  theme: 'stuck',
  title: 'the overrides in a Work are out of date',
  help: 'Karmada lists the overrides of a Work in its annotations. An override that was deleted is still in the Work, or one that selects the workload and the cluster is not, or was changed since: karmada-controller-manager has not written the Work again.',
  needs: ['ResourceBinding', 'Work', 'OverridePolicy'],
  symptoms: ['an override was deleted or created, and the copies do not change'],
  issues: [4861, 507],
  find: (seen) => {
    // Files may lack the overrides.
    const areRead = seen.world.unread !== undefined || overridesOf(seen).length > 0;
    const behind = new Map<string, { bindings: ResourceBinding[]; first: Work }>();
    for (const binding of seen.bindings)
      for (const [cluster, work] of seen.worksOf(binding)) {
        const { metadata, spec } = work;
        if (metadata.deletionTimestamp || spec?.suspendDispatching || !spec?.workload?.manifests?.length)
          continue;
        const text = outdated(binding, cluster, work, seen);
        if (text)
          getOrAdd(behind, `${cluster} ${text}`, () => ({ bindings: [], first: work })).bindings.push(
            binding,
          );
      }
    return [...behind].flatMap(([text, { bindings, first }]) =>
      jointFinding(
        bindings,
        (workloads) => `${workloads}: the Work for ${text}${areRead ? '' : ', or is not in these files'}`,
        {
          rule: 'Karmada lists the applied overrides',
          object: { kind: 'Work', namespace: first.metadata.namespace ?? '', name: first.metadata.name },
          field: 'metadata.annotations',
          value: Object.values(APPLIED).map((one) => first.metadata.annotations?.[one] ?? null),
        },
        areRead
          ? 'change the template by an annotation: Karmada writes the Work again'
          : 'add the OverridePolicies to the state',
        areRead ? undefined : 'note',
      ),
    );
  },
};

/** Whether an override may apply to the namespace of a binding. */
function isIn({ kind, metadata }: Override, binding: ResourceBinding): boolean {
  return kind !== 'OverridePolicy' || metadata.namespace === binding.metadata.namespace;
}

/**
 * Whether an override that may apply to a namespace applies to a binding's resource there, ignoring label selectors.
 */
function isSelected({ spec }: Override, binding: ResourceBinding): boolean {
  const selectors = (spec?.resourceSelectors ?? []).filter(({ labelSelector }) => !labelSelector);
  return highestPrioritySelector(resourceOf(binding), selectors) !== undefined;
}

/** The resource that a binding refers to, without its labels. */
function resourceOf({ spec: { resource } }: ResourceBinding): KubernetesObject {
  const { apiVersion, kind, namespace, name } = resource;
  return { apiVersion, kind, metadata: { ...(namespace && { namespace }), name } };
}

/** The clusters that a placement names; none if it may also choose others. */
function homesOf({ spec: { placement = {} } }: ResourceBinding): string[] {
  const each = affinitiesOf(placement).map(({ affinity }) => namesOf(affinity));
  return each.every((names) => names !== undefined) ? [...new Set(each.flat())] : [];
}

export const overrideClusterUnknown: StateCheck = {
  id: 'override-cluster-unknown',
  lints: 'clusters',
  severity: 'warning',
  theme: 'placement',
  title: 'an override names a cluster that does not exist',
  help: 'The rule has no effect there: correct the name, or join the cluster.',
  needs: ['Cluster', 'OverridePolicy'],
  symptoms: ['a copy lacks the override'],
  find: (seen) =>
    overridesOf(seen).flatMap((override) => {
      const unknown = (overriddenClusters(override) ?? []).filter((name) => !seen.clusters().has(name));
      if (unknown.length === 0) return [];
      return findingIn(
        identityOf(override),
        (name) => `${name}: there is no cluster ${firstNames(unknown)}`,
        {
          rule: 'no Cluster has the name',
          field: 'spec.overrideRules[0].targetCluster.clusterNames',
          value: unknown,
        },
        'correct the name, or join the cluster',
      );
    }),
};
