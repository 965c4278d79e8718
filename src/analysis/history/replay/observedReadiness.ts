import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { karmada } from '../../../karmada/controllers/karmada.ts';
import { latencies } from '../../../karmada/latencies.ts';
import { copyKey } from '../../../karmada/members/readyTime.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { bindingKey, objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { isReady } from '../../../karmada/objects/clusterReadiness.ts';
import { targetClusters } from '../../../karmada/objects/placement.ts';
import type { MemberAssumptions } from '../../../karmada/members/memberAssumptions.ts';
import type { World } from '../../../karmada/world.ts';
import { isObserved, isObservedBinding, type ObservedChange } from '../history.ts';
import { readyOn } from '../readyCopies.ts';
import { median } from './steps.ts';

/** The behaviour of members in a recording; absent: no copy became ready. */
type SeenReadiness = Partial<MemberAssumptions>;

interface Start {
  workload: ObjectIdentity;
  cluster: string;
  /** epoch milliseconds */
  since: number;
}

/** From a placement to its status report about new replicas, without the time until these are ready; milliseconds. */
const REPORTING =
  karmada['binding-controller'].reaction +
  karmada['execution-controller'].reaction +
  karmada.kubelet.reaction +
  latencies.readinessReport +
  karmada['work-status'].reaction +
  karmada['binding-status'].reaction;

/** From a placement to its first status report, which needs only a Work; milliseconds. */
const FIRST_WORD = karmada['binding-controller'].reaction + karmada['binding-status'].reaction;
/** Milliseconds; a later first report shows that the dispatch waited for the deletion of an old copy or Work. */
const LONGEST_DISPATCH = 5000;

/**
 * How long new copies took from their dispatch until they were reported Healthy with all replicas, each with its own
 * time. Other copies of a workload use its longest time, and everything else that of most replicas. Copies not observed
 * as ready for longer than any other took never become ready. Only copies on clusters without an earlier one count, and
 * only while the cluster is Ready.
 *
 * @param end epoch milliseconds
 */
export function observedReadiness(
  first: World,
  changes: Iterable<ObservedChange>,
  end: number,
): SeenReadiness {
  const clusters = new Map(first.clusters.map((one) => [one.metadata.name, one]));
  const bindings = new Map(first.bindings.map((one) => [bindingKey(one), one]));
  const starting = new Map<string, Map<string, Start>>();
  const took = new Map<string, number[]>();
  const ofWorkload = new Map<string, number[]>();
  const ofReplicas: number[] = [];
  const given = new Map<string, { start: Start; lasted: number }>();

  function follow(
    key: string,
    before: ResourceBinding | undefined,
    after: ResourceBinding,
    at: number,
  ): void {
    const own = getOrAdd(starting, key, () => new Map<string, Start>());
    const placed = new Set(targetClusters(after.spec).map(({ name }) => name));
    const had = new Set(before && targetClusters(before.spec).map(({ name }) => name));
    for (const [cluster, start] of own)
      if (!placed.has(cluster)) {
        own.delete(cluster);
        giveUp(start, at);
      }
    for (const cluster of placed)
      if (before && !had.has(cluster) && isEmptyOf(cluster, before, after))
        own.set(cluster, { workload: workloadOf(after), cluster, since: at });
    for (const [cluster, start] of own) {
      if (!isWell(after, cluster)) {
        const isFirstWord = itemOf(after, cluster) && !(before && itemOf(before, cluster));
        if (isFirstWord && at - start.since > LONGEST_DISPATCH) start.since = at - FIRST_WORD;
        continue;
      }
      own.delete(cluster);
      const time = Math.max(at - start.since - REPORTING, -latencies.readinessReport);
      getOrAdd(took, copyKey(start.workload, cluster), () => []).push(time);
      getOrAdd(ofWorkload, objectKey(start.workload), () => []).push(time);
      if (after.spec.replicas) ofReplicas.push(time);
    }
  }

  function giveUp(start: Start, at: number): void {
    const key = copyKey(start.workload, start.cluster);
    const lasted = at - start.since;
    if (lasted > (given.get(key)?.lasted ?? 0)) given.set(key, { start, lasted });
  }

  /** Whether a Ready cluster has no copy of a binding. */
  function isEmptyOf(cluster: string, before: ResourceBinding, after: ResourceBinding): boolean {
    return isReady(clusters.get(cluster)) && !itemOf(before, cluster) && !itemOf(after, cluster);
  }

  function isWell(binding: ResourceBinding, cluster: string): boolean {
    const item = itemOf(binding, cluster);
    const wanted = targetClusters(binding.spec).find(({ name }) => name === cluster)?.replicas ?? 0;
    return (
      item?.health === 'Healthy' && (!binding.spec.replicas || readyOn(binding, cluster, clusters) >= wanted)
    );
  }

  for (const { at, before, after } of changes) {
    const one = after ?? before;
    if (isObserved(one, 'Cluster')) {
      const { metadata } = one;
      if (after) clusters.set(metadata.name, one);
      else clusters.delete(metadata.name);
      if (after && isReady(one)) continue;
      // The readiness of its copies is unknown from here on.
      for (const own of starting.values()) own.delete(metadata.name);
    } else if (isObservedBinding(one)) {
      const key = bindingKey(one);
      if (after) {
        follow(key, bindings.get(key), one, at);
        bindings.set(key, one);
      } else {
        for (const start of starting.get(key)?.values() ?? []) giveUp(start, at);
        starting.delete(key);
        bindings.delete(key);
      }
    }
  }
  for (const own of starting.values()) for (const start of own.values()) giveUp(start, end);

  const all = [...took.values()].flat();
  if (all.length === 0) return {};
  const usual = middle(ofReplicas);
  const readyAfter = Object.fromEntries(
    [...ofWorkload, ...took].map(([key, times]) => [key, middle(times)!] as const),
  );
  const longest = all.reduce((most, time) => Math.max(most, time), 0) + REPORTING;
  const neverReady = [...given].flatMap(([key, { start, lasted }]) => {
    const { cluster, workload } = start;
    return took.has(key) || lasted <= longest ? [] : [{ ...workload, cluster }];
  });
  return { ...(usual === undefined ? {} : { workloadReadyAfter: usual }), readyAfter, neverReady };
}

function middle(times: readonly number[]): number | undefined {
  return median(times.toSorted((a, b) => a - b));
}

function itemOf({ status }: ResourceBinding, cluster: string) {
  return status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
}
