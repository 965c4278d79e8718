import { objectText } from '../../../../karmada/objects/identities.ts';
import type { Toleration } from '../../../../karmada/api/meta.ts';
import {
  APPLIED_PLACEMENT_ANNOTATION,
  TAINT_CLUSTER_NOT_READY,
  TAINT_CLUSTER_UNREACHABLE,
} from '../../../../karmada/api/names.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { toleratesTaint } from '../../../../kubernetes/tolerations.ts';
import { formatDuration } from '../../../../kubernetes/time.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { claimOf } from '../../../../karmada/objects/claims.ts';
import { isWorkload, placedOn } from '../../../../karmada/objects/placement.ts';
import type { FailoverLink, LinkQuestion } from '../../../explanation/links/link.ts';
import { appliedPlacementLink, tolerationLinks } from '../../../explanation/links/taintLinks.ts';
import { inBinding, jointFinding } from '../about.ts';
import { brokenAt } from '../brokenAt.ts';
import { type Examined, policyKey } from '../examined.ts';
import { patchPolicies } from '../remedies.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';

function linkQuestion(binding: ResourceBinding, seen: Examined, expected: LinkQuestion['expected']) {
  const { world, configuration, unverified: unverified, proven, names, now } = seen;
  return {
    binding,
    clusters: placedOn(binding.spec).flatMap(({ name }) => seen.clusters().get(name) ?? []),
    fleet: world.clusters,
    taintPolicies: world.taintPolicies,
    configuration,
    unverified,
    proven,
    names,
    now,
    expected,
  };
}

export const toleratesForever: StateCheck = {
  id: 'tolerates-forever',
  severity: 'warning',
  theme: 'chain',
  title: 'a workload tolerates the taint of a failed cluster forever',
  help: 'A toleration without tolerationSeconds keeps the workload on a cluster that fails. Give it tolerationSeconds, or remove it. An object without replicas may be pinned on purpose: in manifests, only workloads have this finding.',
  lints: 'manifests',
  needs: ['ResourceBinding', 'Configuration'],
  uses: ['Cluster'],
  lacks: ({ isWritten, world }) =>
    isWritten || world.clusters.length > 0 ? undefined : 'the state has no Cluster',
  symptoms: ['the cluster has a NoExecute taint, and only this workload stays'],
  issues: [744],
  find: (seen) => {
    if (seen.isWritten) return writtenForever(seen);
    const tolerating = seen.bindings.filter(
      ({ metadata, spec }) =>
        !isAttached(spec) &&
        metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION]?.includes('"clusterTolerations"'),
    );
    const expected: LinkQuestion['expected'] = new Map();
    // Cached, as many bindings share one policy.
    const known = new Map<string, Map<string, readonly FailoverLink[]>>();
    const linksOf = (binding: ResourceBinding) => {
      const { metadata, spec } = binding;
      const applied = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION] ?? '';
      const alike = getOrAdd(known, applied, () => new Map<string, readonly FailoverLink[]>());
      const names = placedOn(spec).map(({ name }) => name);
      return getOrAdd(alike, `${names.join()} ${JSON.stringify(spec.failover?.cluster)}`, () =>
        tolerationLinks(linkQuestion(binding, seen, expected)),
      );
    };
    return brokenAt(
      'tolerations',
      tolerating,
      linksOf,
      (_, bindings) => {
        const claim = claimOf(bindings[0].metadata);
        return {
          text: `give the toleration tolerationSeconds, or remove it, in ${claim ? objectText(claim) : 'their bindings'}`,
          patches: patchPolicies(bindings, ({ spec }) => ({
            placement: { clusterTolerations: spec.placement?.clusterTolerations?.map(forATime) ?? null },
          })),
        };
      },
      policyKey,
    );
  },
};

/** The same for policies as written, with the taints that Karmada's samples use for eviction. */
function writtenForever({ bindings }: Examined): Diagnosed[] {
  const byPolicy = new Map<string, { key: string; of: ResourceBinding[] }>();
  for (const binding of bindings) {
    if (!isWorkload(binding.spec)) continue;
    const endless = (binding.spec.placement?.clusterTolerations ?? []).filter(
      ({ tolerationSeconds }) => tolerationSeconds == null,
    );
    const key = FAILURE_TAINTS.find((one) =>
      endless.some((toleration) => toleratesTaint(toleration, { key: one, effect: 'NoExecute' })),
    );
    if (key === undefined) continue;
    getOrAdd(byPolicy, policyKey(binding), () => ({ key, of: [] })).of.push(binding);
  }
  return [...byPolicy.values()].flatMap(({ key, of }) =>
    jointFinding(
      of,
      (workloads, amount) =>
        `${workloads} ${amount === 1 ? 'tolerates' : 'tolerate'} ${key} forever: ${amount === 1 ? 'it stays' : 'they stay'} on a cluster that fails`,
      (first) =>
        inBinding(
          first,
          'a toleration without tolerationSeconds never ends',
          'spec.placement.clusterTolerations',
          first.spec.placement?.clusterTolerations,
        ),
      'give the toleration tolerationSeconds, or remove it',
    ),
  );
}

/** Seconds for which Kubernetes itself tolerates a failing node. */
const TOLERATED = 300;

function forATime(toleration: Toleration): Toleration {
  if (toleration.tolerationSeconds != null || toleration.effect === 'NoSchedule') return toleration;
  // Only this effect allows seconds.
  return { ...toleration, effect: 'NoExecute', tolerationSeconds: TOLERATED };
}

/** Seconds beyond which a toleration delays failover too long. */
const LONG = 3600;

export const toleratesLong: StateCheck = {
  id: 'tolerates-long',
  lints: 'manifests',
  severity: 'warning',
  theme: 'chain',
  title: 'a workload tolerates the taint of a failed cluster for an hour or more',
  help: 'After its cluster fails, it stays there for tolerationSeconds, and is then evicted. Shorten them for an earlier eviction.',
  needs: ['ResourceBinding'],
  symptoms: ['the cluster has a NoExecute taint, and this workload moves hours later'],
  issues: [744],
  find: (seen) => {
    const groups = new Map<number, ResourceBinding[]>();
    for (const binding of seen.bindings) {
      const seconds = isAttached(binding.spec) ? 0 : longestToleration(binding);
      if (seconds >= LONG) getOrAdd(groups, seconds, () => []).push(binding);
    }
    return [...groups].flatMap(([seconds, bindings]) =>
      jointFinding(
        bindings,
        (workloads, amount) =>
          `${workloads} ${amount === 1 ? 'stays' : 'stay'} for ${formatDuration(seconds * 1000)} on a cluster that fails`,
        (first) =>
          inBinding(
            first,
            'it tolerates the taint for that time',
            'spec.placement.clusterTolerations',
            seconds,
          ),
        'shorten tolerationSeconds for an earlier eviction',
      ),
    );
  },
};

/** The longest toleration of the taint of a failed cluster, in seconds; 0: none, or forever. */
export function longestToleration({ spec }: ResourceBinding): number {
  const tolerations = spec.placement?.clusterTolerations ?? [];
  return Math.max(
    0,
    ...tolerations.map(({ effect, key, tolerationSeconds }) =>
      effect === 'NoExecute' && (!key || FAILURE_TAINTS.includes(key)) ? (tolerationSeconds ?? 0) : 0,
    ),
  );
}

const FAILURE_TAINTS: readonly string[] = [TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE];

export const appliedPlacementMissing: StateCheck = {
  id: 'applied-placement-missing',
  severity: 'error',
  theme: 'chain',
  title: 'the taint manager cannot read the applied placement of a binding',
  help: 'The taint manager reads tolerations from the annotation policy.karmada.io/applied-placement, and fails on a binding without it. Let karmada-scheduler write it: change the placement of the policy.',
  needs: ['ResourceBinding'],
  symptoms: ['"failed to get placement" in the log of karmada-controller-manager'],
  find: (seen) =>
    brokenAt(
      'applied-placement',
      seen.bindings.filter(({ spec }) => !isAttached(spec) && spec.placement && spec.clusters?.length),
      (binding) => [appliedPlacementLink(binding)],
      ({ fix }) => fix,
    ),
};
