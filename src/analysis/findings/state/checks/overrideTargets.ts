import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { workloadOf, identityOf, objectText } from '../../../../karmada/objects/identities.ts';
import { targetClusters } from '../../../../karmada/objects/placement.ts';
import { edit, finding, findingIn, firstNames, firstObjectNames } from '../about.ts';
import {
  overridesOf,
  overriddenBindings,
  namedBindings,
  isFor,
  resourceOf,
  type Override,
} from '../overridePolicies.ts';
import { affinitiesOf, namesOf } from '../policyFindings.ts';
import type { StateCheck } from '../stateCheck.ts';
import { isTemplate, selectorMismatch } from '../unbound.ts';

export const overrideSelectsNothing: StateCheck = {
  id: 'override-selects-nothing',
  severity: 'warning',
  theme: 'placement',
  title: 'an override does not match its workload',
  help: 'A selector names a workload that is propagated, and differs by apiVersion or namespace: the override has no effect. An OverridePolicy selects in its own namespace only.',
  needs: ['ResourceBinding', 'OverridePolicy'],
  symptoms: ['an override has no effect'],
  issues: [4650],
  find: (seen) =>
    overridesOf(seen).flatMap((override) => {
      if (overriddenBindings(override, seen).length > 0) return [];
      const { resourceSelectors = [] } = override.spec ?? {};
      const scope = override.kind === 'OverridePolicy' ? override.metadata.namespace : undefined;
      const [missed] = namedBindings(override, seen).flatMap((binding) => {
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
    }),
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
  find: (seen) =>
    overridesOf(seen).flatMap((override) =>
      (override.spec?.overrideRules ?? []).flatMap(({ targetCluster, overriders }, at) =>
        (overriders?.plaintext ?? []).flatMap((operation, index) => {
          const refused = overriddenBindings(override, seen).filter(
            (binding) =>
              cannotApply(operation, binding.spec.resource.kind) &&
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
      ),
    ),
};

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

export const overrideMissesCandidate: StateCheck = {
  id: 'override-misses-a-home',
  lints: 'manifests',
  severity: 'note',
  theme: 'placement',
  title: 'an override lacks candidate clusters of a workload',
  help: 'Its rules name clusters, and the placement allows others: there the workload starts without the override, for example with an image of another registry. Add the clusters to the rules, if they need it.',
  needs: ['ResourceBinding', 'OverridePolicy'],
  symptoms: ['ImagePullBackOff after a failover'],
  find: (seen) =>
    overridesOf(seen).flatMap((override) => {
      const names = overriddenClusters(override);
      if (!names) return [];
      const without = overriddenBindings(override, seen).flatMap((binding) => {
        const homes = homesOf(binding);
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
    }),
};

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
