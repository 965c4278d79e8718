import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { bindingIdentity, workloadIdentity } from '../../karmada/objects/identities.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { availableReplicas } from '../../karmada/scheduling/capacity/availableReplicas.ts';
import type { ClusterSnapshot } from '../../karmada/scheduling/clusterSnapshot.ts';
import { compareText } from '../../simulator/store/indexes.ts';
import type { Outcome } from '../../simulator/verdicts/outcome.ts';
import type { Cause } from './causes.ts';
import { comparePlaces, type WorkloadTally } from './tally.ts';
import { compareTroubles, isUncovered, type Trouble } from './trouble.ts';

/** What contingencies do to one workload. */
export interface AuditedWorkload {
  workload: ObjectIdentity & { apiVersion: string };
  binding: ObjectIdentity;
  clusters: TargetCluster[];
  /** its trouble without further failures; absent: none */
  now?: Trouble;
  /** why; absent if a contingency is worse for it */
  nowCause?: Cause;
  /** the worst trouble from any contingency; absent: none */
  worst?: WorstCase;
  /** every contingency that causes trouble for it, in the order of the contingencies */
  troubles: { contingency: string; trouble: Trouble }[];
  /** the longest time with fewer ready replicas than desired; absent: none */
  downtime?: Downtime;
  /** its target: seconds that it may have fewer ready replicas than desired; absent: none set */
  target?: number;
  /** the clusters that still have it, or receive it, in some contingency */
  secondHomes: SecondHome[];
  /** `certain` if its outcome is certain in all contingencies */
  certainty: Certainty;
  /** what its estimates depend on */
  dependsOn: string[];
}

export interface WorstCase {
  trouble: Trouble;
  contingency: string;
  outcome: Outcome;
  certainty: Certainty;
  reason?: string;
  after: TargetCluster[];
  cause: Cause;
}

export interface Downtime {
  contingency: string;
  /** null: they are still missing when the simulation ends */
  seconds: number | null;
  /** they are missing permanently: the simulation has settled */
  permanent?: true;
  /** the most replicas missing at one time */
  replicas: number;
  /** the upper bound in seconds, where pairs of clusters are combined; absent: `seconds` is the bound */
  atMost?: number;
}

interface SecondHome {
  cluster: string;
  /** how many more of its replicas fit there today; null: unknown, or it has no replicas */
  room: number | null;
}

/** The facts about a workload besides its tally. */
interface WorkloadFacts {
  snapshot: ClusterSnapshot;
  nameOf: (at: number) => string;
  now: Trouble | undefined;
  nowCause: Cause | undefined;
  worst: WorstCase | undefined;
  target: number | undefined;
}

/** A workload with the results of all contingencies. */
export function auditedWorkload(
  binding: ResourceBinding,
  tally: WorkloadTally | undefined,
  { snapshot, nameOf, now, nowCause, worst, target }: WorkloadFacts,
): AuditedWorkload {
  const { troubles = [], downtime, homes = [], dependsOn = {}, certainty = 'certain' } = tally ?? {};
  const atMost = tally?.downtimeAtMost;
  return {
    workload: workloadIdentity(binding),
    binding: bindingIdentity(binding),
    clusters: placedOn(binding.spec),
    ...(now && { now }),
    ...(nowCause && { nowCause }),
    ...(worst && { worst }),
    troubles: troubles
      .toSorted(([a], [b]) => a - b)
      .map(([at, trouble]) => ({ contingency: nameOf(at), trouble })),
    ...(downtime && {
      downtime: {
        contingency: nameOf(downtime.at),
        seconds: downtime.seconds,
        replicas: downtime.replicas,
        ...(downtime.permanent && { permanent: downtime.permanent }),
        ...(downtime.seconds !== null && atMost !== undefined && atMost > downtime.seconds && { atMost }),
      },
    }),
    ...(target !== undefined && { target }),
    secondHomes: secondHomesOf(binding, homes.toSorted(), snapshot),
    certainty,
    dependsOn: Object.entries(dependsOn)
      .sort(([, a], [, b]) => comparePlaces(a, b))
      .map(([what]) => what),
  };
}

function secondHomesOf(
  { spec }: ResourceBinding,
  homes: readonly string[],
  snapshot: ClusterSnapshot,
): SecondHome[] {
  if (homes.length === 0) return [];
  const hasReplicas = (spec.replicas ?? 0) > 0;
  const room = hasReplicas ? availableReplicas(snapshot.fleet, spec, snapshot.options) : undefined;
  return homes.map((cluster) => {
    const at = snapshot.index.get(cluster);
    const fits = at === undefined ? undefined : room?.values[at];
    // Below 0: the cluster reports no capacity.
    return { cluster, room: fits === undefined || fits < 0 ? null : fits };
  });
}

/**
 * Whether it meets its target in every contingency, even with the longest estimated downtime; undefined without a
 * target.
 */
export function meetsTarget({ target, downtime }: AuditedWorkload): boolean | undefined {
  if (target === undefined) return undefined;
  if (downtime === undefined) return true;
  return downtime.seconds !== null && (downtime.atMost ?? downtime.seconds) <= target;
}

/** Whether it is not lost, down, blocked or flapping, neither now nor after any contingency. */
export function isCovered({ now, worst }: AuditedWorkload): boolean {
  return !isUncovered(now) && !isUncovered(worst?.trouble);
}

/** Its worst trouble, now or in a contingency. */
export function worstTrouble({ now, worst }: Pick<AuditedWorkload, 'now' | 'worst'>): Trouble | undefined {
  return compareTroubles(now, worst?.trouble) < 0 ? now : worst?.trouble;
}

/** Sorts the worst trouble first, present trouble before a contingency's, then missed targets, then by name. */
export function worstFirst(a: AuditedWorkload, b: AuditedWorkload): number {
  return (
    compareTroubles(worstTrouble(a), worstTrouble(b)) ||
    compareTroubles(a.now, b.now) ||
    Number(meetsTarget(a) ?? true) - Number(meetsTarget(b) ?? true) ||
    compareText(a.workload.namespace ?? '', b.workload.namespace ?? '') ||
    compareText(a.workload.name, b.workload.name) ||
    compareText(a.workload.kind, b.workload.kind)
  );
}
