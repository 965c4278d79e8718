import type { ResourceBinding, Work } from '../../../../karmada/api/work.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { identityOf, objectText } from '../../../../karmada/objects/identities.ts';
import { deepEqual } from '../../../../kubernetes/deepEqual.ts';
import { isObject, keysOf } from '../../../../kubernetes/json.ts';
import { jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { overridesOf, overridesFor, overridersFor, type Override } from '../overridePolicies.ts';
import type { StateCheck } from '../stateCheck.ts';
import { isFresh } from './undone.ts';

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

/** The differences between the overrides in a binding's Work and the existing ones, in words. */
function outdated(binding: ResourceBinding, cluster: string, work: Work, seen: Examined): string | undefined {
  const all = overridesFor(binding, seen);
  for (const kind of keysOf(APPLIED)) {
    const applied = appliedIn(work, kind);
    const own = all.filter((one) => one.kind === kind);
    const scope = kind === 'OverridePolicy' ? { namespace: binding.metadata.namespace ?? '' } : {};
    const gone = applied?.find(
      ({ policyName }) => !seen.object({ kind, ...scope, name: String(policyName) }),
    );
    if (gone) return `still has the override of ${kind} ${String(gone.policyName)}, which does not exist`;
    for (const one of own) {
      const has = applied?.filter(({ policyName }) => policyName === one.metadata.name);
      if (!has || isFresh(one, seen)) continue;
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
