import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { readyCondition } from '../../../karmada/objects/clusterReadiness.ts';
import { policyIdentity } from '../../../karmada/objects/policies.ts';
import { instant } from '../../../kubernetes/time.ts';
import { isAtLeast } from '../finding.ts';
import * as selection from './checks/clusterSelection.ts';
import * as component from './checks/components.ts';
import * as controller from './checks/controllers.ts';
import { noEvictingTaint } from './checks/evictingTaints.ts';
import { estimatorDown } from './checks/estimators.ts';
import * as task from './checks/evictionTasks.ts';
import { siblingsSeparated } from './checks/dependencies.ts';
import { workDeletionStuck } from './checks/deletions.ts';
import { clusterDown, evictionNotStarted, runsTwice } from './checks/failedClusters.ts';
import { workloadDown, workloadUnhealthy } from './checks/health.ts';
import * as pace from './checks/pace.ts';
import { generationUnseen, schedulingFailed } from './checks/scheduling.ts';
import * as replacement from './checks/replacement.ts';
import * as off from './checks/switches.ts';
import * as taint from './checks/taints.ts';
import { tolerationEffectDiffers } from './checks/tolerationEffects.ts';
import * as toleration from './checks/tolerations.ts';
import { placedOutside, policyNotApplied } from './checks/undone.ts';
import { unknownFlag } from './checks/versions.ts';
import type { Examined } from './examined.ts';
import type { Diagnosed, StateCheck, StateFinding } from './stateCheck.ts';

/** Findings that others explain. */
interface Effect {
  of: readonly StateCheck[];
  /** only if its message names this kind of cause */
  says?: RegExp;
  /** a cause for one of its workloads is enough; absent: each needs one */
  isOfOne?: true;
  causes: readonly StateCheck[];
}

/** Effects and their causes: the only such list. */
const EFFECTS: readonly Effect[] = [
  {
    of: [clusterDown, evictionNotStarted],
    causes: [
      ...[unknownFlag, noEvictingTaint, tolerationEffectDiffers, policyNotApplied],
      ...Object.values(off),
      ...[controller.controllerLeftOut, controller.queueWithoutWorkers],
      ...[pace.evictionRateSlow, pace.requestsLimited],
      ...[toleration.toleratesForever, toleration.toleratesLong],
    ],
  },
  { of: [schedulingFailed, evictionNotStarted], says: /taint/, causes: Object.values(taint) },
  {
    of: [schedulingFailed],
    says: /affinity/,
    causes: [selection.labelSelectorInvalid, selection.selectsNoCluster, selection.clusterNameUnknown],
  },
  {
    of: [schedulingFailed],
    says: /API resource/,
    causes: [selection.apiNotServed, component.clusterReportsNothing],
  },
  {
    of: [schedulingFailed],
    says: /not enough|available replicas/,
    causes: [component.clusterReportsNothing, estimatorDown],
  },
  {
    of: [task.taskUnscheduled, task.taskUnattended, task.taskOverdue, workloadDown, generationUnseen],
    causes: [replacement.schedulingSuspended, replacement.unclaimedBinding, replacement.foreignScheduler],
  },
  { of: [workloadDown], causes: [generationUnseen] },
  { of: [workloadDown, workloadUnhealthy], causes: [replacement.dispatchingSuspended] },
  { of: [siblingsSeparated], isOfOne: true, causes: [placedOutside] },
  { of: [workloadUnhealthy], isOfOne: true, causes: [siblingsSeparated] },
  // The Work stays because its copy is on the unreachable cluster.
  { of: [workDeletionStuck], causes: [runsTwice] },
];

const idsOf = (side: 'of' | 'causes'): ReadonlySet<string> =>
  new Set(EFFECTS.flatMap((effect) => effect[side].map(({ id }) => id)));
const effectIds = idsOf('of');
const causeIds = idsOf('causes');

/** Whether other findings may explain this one, and this one explains none. */
export function isOnlyEffect({ check }: StateFinding): boolean {
  return effectIds.has(check) && !causeIds.has(check);
}

/** Temporary causes: milliseconds for which they keep workloads on a failed cluster. */
const PASSING: Record<string, (cause: Diagnosed, seen: Examined) => number> = {
  [pace.evictionRateSlow.id]: ({ objects: [cluster] }, seen) => pace.timeToLeave(cluster!.name, seen),
  [toleration.toleratesLong.id]: ({ objects: [workload] }, seen) =>
    toleration.longestToleration(seen.allByWorkload().get(objectKey(workload!))!) * 1000,
};

/**
 * Gives findings the severity of the effects that they explain, and sorts causes before effects.
 *
 * @param findings by check, in the order of the catalogue
 */
export function causesFirst(findings: readonly StateFinding[], seen: Examined): StateFinding[] {
  const raised = new Map<StateFinding, StateFinding>();
  const causesOf = new Map<StateFinding, StateFinding[]>();
  for (const { of, says, isOfOne = false, causes } of EFFECTS)
    for (const effect of findings.filter(
      ({ check, message }) => of.some(({ id }) => id === check) && says?.test(message) !== false,
    ))
      for (const { id } of causes) {
        const passes = PASSING[id] ?? (() => Infinity);
        const found = findings.filter(
          (one) => one.check === id && passes(one, seen) > lastedOf(effect, seen),
        );
        if (explain(found, effect, isOfOne, seen))
          causesOf.set(effect, [...(causesOf.get(effect) ?? []), ...found]);
      }
  for (const [{ severity }, causes] of causesOf)
    if (!causes.some((one) => isAtLeast(one.severity, severity)))
      for (const one of causes) raised.set(one, { ...one, severity });
  const ordered = [...findings];
  for (const [effect, causes] of causesOf)
    for (const cause of causes) {
      const [from, to] = [ordered.indexOf(cause), ordered.indexOf(effect)];
      if (from > to) ordered.splice(to, 0, ...ordered.splice(from, 1));
    }
  return ordered.map((one) => raised.get(one) ?? one);
}

/** Milliseconds for which the cluster of an effect has failed; 0 without one. */
function lastedOf({ objects }: Diagnosed, seen: Examined): number {
  const name = objects.find(({ kind }) => kind === 'Cluster')?.name ?? '';
  const since = readyCondition(seen.clusters().get(name))?.lastTransitionTime;
  return since ? seen.now - instant(since) : 0;
}

/** Whether an object affects every workload on any cluster: it runs or configures components. */
export function concernsAll({ kind, namespace = '' }: ObjectIdentity, seen: Examined): boolean {
  const runs = kind === 'Deployment' || kind === 'StatefulSet' || kind === 'Pod';
  return runs ? seen.componentSpaces().has(namespace) : CONFIGURES.has(kind);
}

const CONFIGURES = new Set(['ClusterTaintPolicy', 'Karmada', 'Lease']);

/** Whether findings are about each workload of an effect: about itself, its policy, the cluster, or a component. */
function explain(causes: readonly Diagnosed[], effect: Diagnosed, isOfOne: boolean, seen: Examined): boolean {
  if (causes.length === 0) return false;
  const bindings = effect.objects.flatMap((one) => seen.allByWorkload().get(objectKey(one)) ?? []);
  const objects = causes.flatMap((one) => one.objects);
  const named = new Set(objects.map(objectKey));
  const isOfAll = ({ objects: of }: Diagnosed) =>
    of.length === 0 || of.some((object) => concernsAll(object, seen));
  const clusters = effect.objects.filter(({ kind }) => kind === 'Cluster');
  const isNamed = (binding: ResourceBinding) => {
    const policy = seen.policyOf(binding);
    return (
      named.has(objectKey(workloadOf(binding))) ||
      (policy !== undefined && named.has(objectKey(policyIdentity(policy)))) ||
      (clusters.length === 0 &&
        objects.some(({ kind, name }) => kind === 'Cluster' && seen.selects(binding.spec.placement, name)))
    );
  };
  const own = bindings.filter(({ spec }) => !isAttached(spec));
  return (
    causes.some(isOfAll) ||
    clusters.some((one) => named.has(objectKey(one))) ||
    (own.length > 0 && (isOfOne ? own.some(isNamed) : own.every(isNamed)))
  );
}
