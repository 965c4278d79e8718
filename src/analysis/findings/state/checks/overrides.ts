import type { KubernetesObject } from '../../../../karmada/api/meta.ts';
import type { ClusterAffinity } from '../../../../karmada/api/policy.ts';
import { workloadOf, identityOf, objectText } from '../../../../karmada/objects/identities.ts';
import { isWorkload, targetClusters } from '../../../../karmada/objects/placement.ts';
import { highestPrioritySelector } from '../../../../karmada/propagation/resourceSelector.ts';
import { isObject } from '../../../../kubernetes/json.ts';
import { edit, finding, findingIn, firstObjectNames } from '../about.ts';
import type { Examined } from '../examined.ts';
import { isFor, overriddenBindings, overridesOf, REPLICA_PATHS, type Override } from '../overridePolicies.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';
import { isTemplate } from '../unbound.ts';

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
  const other = overriddenBindings(override, seen).flatMap((binding) => {
    if (!isWorkload(binding.spec)) return [];
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
          return finding(
            [identityOf(override), ...overriddenBindings(override, seen).map(workloadOf)],
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
