import type { Taint, Toleration } from '../../../../karmada/api/meta.ts';
import { TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE } from '../../../../karmada/api/names.ts';
import type { Placement } from '../../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { groupedBy } from '../../../../kubernetes/nonEmpty.ts';
import { formatDuration } from '../../../../kubernetes/time.ts';
import { toleratesTaint } from '../../../../kubernetes/tolerations.ts';
import { inBinding, firstNames, jointFinding } from '../about.ts';
import { type Examined, placementText, policyKey } from '../examined.ts';
import { patchPolicies } from '../remedies.ts';
import type { Remedy, StateCheck } from '../stateCheck.ts';

/** A taint that a cluster has, or that a policy would add. */
interface KnownTaint {
  taint: Taint;
  cluster?: string;
  policy?: string;
}

/** A toleration that matches nothing, but would match known taints if it had their effect. */
interface Missed {
  toleration: Toleration;
  effect: string;
  /** "the taint of member1 has" */
  where: string;
  isPresent: boolean;
}

/** Karmada's own taints have both effects, which are tolerated separately on purpose. */
const OWN: readonly string[] = [TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE];

const CONSEQUENCES: Readonly<Record<string, string>> = {
  NoExecute: 'the workload is evicted from there, and not placed there',
  NoSchedule: 'the scheduler does not place it there',
};

export const tolerationEffectDiffers: StateCheck = {
  id: 'toleration-effect-differs',
  lints: 'manifests',
  severity: 'warning',
  theme: 'chain',
  title: 'the effects of a toleration and its taint differ',
  help: 'A toleration of NoSchedule does not tolerate a NoExecute taint of the same key, or vice versa. Without an effect it tolerates both. tolerationSeconds counts only for NoExecute: with NoSchedule the taint is tolerated forever.',
  needs: ['ResourceBinding'],
  uses: ['Cluster', 'ClusterTaintPolicy'],
  symptoms: [
    'cluster(s) had untolerated taint',
    'a workload is evicted although its policy tolerates the key',
  ],
  issues: [4952],
  find: (seen) => {
    const tolerating = seen.bindings.filter(
      ({ spec }) => spec.placement?.clusterTolerations?.length && !isAttached(spec),
    );
    return [...otherEffects(tolerating, seen), ...secondsWithoutEffect(tolerating)];
  },
};

function otherEffects(tolerating: readonly ResourceBinding[], seen: Examined) {
  const known = groupedBy(knownTaints(seen), ({ taint }) => taint.key);
  // Cached, as many bindings share one policy.
  const byPlacement = new Map<string, readonly Missed[]>();
  const missed = tolerating.flatMap((binding) => {
    const { placement = {} } = binding.spec;
    const of = getOrAdd(byPlacement, placementText(placement), () => missedBy(placement, known, seen));
    return of.map((one) => ({ binding, ...one }));
  });
  const keyOf = ({ binding, toleration, where }: (typeof missed)[number]) =>
    `${policyKey(binding)} ${JSON.stringify(toleration)} ${where}`;
  return [...groupedBy(missed, keyOf).values()].flatMap((alike) => {
    const [{ toleration, effect, where, isPresent }] = alike;
    const bindings = alike.map(({ binding }) => binding);
    const isStuck = bindings.some(
      ({ status }) => conditionOf(status?.conditions, 'Scheduled')?.status === 'False',
    );
    return jointFinding(
      bindings,
      (workloads) =>
        `${workloads}: the toleration of ${toleration.key} has the effect ${toleration.effect}, and ${where} ${effect}: ${CONSEQUENCES[effect]}`,
      (first) => inBinding(first, 'the effects differ', 'spec.placement.clusterTolerations', toleration),
      withEffect(bindings, toleration, effect),
      isPresent && (effect === 'NoExecute' || isStuck) ? 'error' : undefined,
    );
  });
}

function knownTaints({ world: { clusters, taintPolicies } }: Examined): KnownTaint[] {
  return [
    ...clusters.flatMap(({ metadata: { name }, spec }) =>
      (spec?.taints ?? []).map((taint) => ({ taint, cluster: name })),
    ),
    ...taintPolicies.flatMap(({ metadata: { name }, spec }) =>
      (spec.taints ?? spec.taintsToAdd ?? []).map((taint) => ({ taint, policy: name })),
    ),
  ].filter(({ taint }) => !OWN.includes(taint.key) && taint.effect in CONSEQUENCES);
}

function missedBy(
  placement: Placement,
  known: ReadonlyMap<string, readonly KnownTaint[]>,
  seen: Examined,
): Missed[] {
  const { clusterTolerations: tolerations = [] } = placement;
  return tolerations.flatMap((toleration) => {
    if (!toleration.key || !toleration.effect) return [];
    const { effect: own, ...ofKey } = toleration;
    const meant = (known.get(toleration.key) ?? []).filter(
      ({ taint, cluster }) => toleratesTaint(ofKey, taint) && (!cluster || seen.selects(placement, cluster)),
    );
    if (meant.some(({ taint }) => taint.effect === own)) return [];
    const untolerated = meant.filter(({ taint }) => !tolerations.some((one) => toleratesTaint(one, taint)));
    const names = untolerated.flatMap(({ cluster }) => cluster ?? []);
    const policies = untolerated.flatMap(({ policy }) => policy ?? []);
    const [first] = untolerated;
    if (!first) return [];
    const where =
      names.length > 0
        ? `the taint of ${firstNames(names)} has`
        : `ClusterTaintPolicy ${firstNames(policies)} adds the taint with`;
    return [{ toleration, effect: first.taint.effect, where, isPresent: names.length > 0 }];
  });
}

/** The policies with the effect that the toleration should have. */
function withEffect(bindings: readonly ResourceBinding[], wrong: Toleration, effect: string): Remedy {
  const isWrong = (one: Toleration) => JSON.stringify(one) === JSON.stringify(wrong);
  // Seconds apply only to NoExecute.
  const { tolerationSeconds: _, ...without } = wrong;
  const right = { ...(effect === 'NoExecute' ? wrong : without), effect };
  return {
    text: `give the toleration the effect ${effect} if the workload should tolerate the taint`,
    patches: patchPolicies(bindings, ({ spec }) => ({
      placement: {
        clusterTolerations: spec.placement?.clusterTolerations?.map((one) => (isWrong(one) ? right : one)),
      },
    })),
  };
}

function secondsWithoutEffect(tolerating: readonly ResourceBinding[]) {
  const timed = tolerating.flatMap((binding) =>
    (binding.spec.placement?.clusterTolerations ?? []).flatMap((toleration) =>
      toleration.effect === 'NoSchedule' && toleration.tolerationSeconds != null
        ? [{ binding, toleration }]
        : [],
    ),
  );
  const keyOf = ({ binding, toleration }: (typeof timed)[number]) =>
    `${policyKey(binding)} ${JSON.stringify(toleration)}`;
  return [...groupedBy(timed, keyOf).values()].flatMap((alike) => {
    const [{ toleration }] = alike;
    const { key = 'every key', tolerationSeconds } = toleration;
    return jointFinding(
      alike.map(({ binding }) => binding),
      (workloads) =>
        `${workloads}: the toleration of ${key} with NoSchedule has tolerationSeconds of ${formatDuration((tolerationSeconds ?? 0) * 1000)}, which count only for NoExecute: it never ends`,
      (first) => inBinding(first, 'only evictions use them', 'spec.placement.clusterTolerations', toleration),
      'remove the toleration if the scheduler should avoid such clusters, else its tolerationSeconds',
    );
  });
}
