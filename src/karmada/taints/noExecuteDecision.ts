import type { Evidence } from '../evidence.ts';
import { formatDuration, instant } from '../../kubernetes/time.ts';
import { formatTaint, toleratesTaint } from '../../kubernetes/tolerations.ts';
import type { Taint, Toleration } from '../../kubernetes/schema/core.ts';

/** The effect of evicting taints on a binding on the tainted cluster. */
export type NoExecuteDecision =
  /** because a taint is not tolerated at all, or no longer */
  | { kind: 'evict'; after: 'noToleration' | 'toleration' }
  /** tolerated for this many milliseconds from now */
  | { kind: 'wait'; milliseconds: number }
  | { kind: 'stay' };

/** The NoExecute taints of a cluster, in order. */
export function noExecuteTaints(taints: readonly Taint[] | null | undefined): Taint[] {
  return taints?.filter(({ effect }) => effect === 'NoExecute') ?? [];
}

/**
 * Whether a binding with these tolerations leaves a cluster with these NoExecute taints now, later or not at all. Each
 * used toleration with tolerationSeconds runs from the timeAdded of every taint that it tolerates, not only of the one
 * that it was used for; the earliest end decides, and the binding is evicted at exactly that instant. A taint without
 * timeAdded starts no timer. Taint manager, all versions alike.
 *
 * @param now epoch milliseconds
 * @param evidence if given, collects the deciding facts
 */
export function noExecuteDecision(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  now: number,
  evidence?: Evidence[],
): NoExecuteDecision {
  if (taints.length === 0) return { kind: 'stay' };
  const used = usedTolerations(taints, tolerations);
  if (!used) {
    evidence?.push(untoleratedEvidence(taints, tolerations));
    return { kind: 'evict', after: 'noToleration' };
  }
  let left = Infinity;
  let ending: Ending | undefined;
  let undated: Taint | undefined;
  for (const toleration of used) {
    const { tolerationSeconds: seconds } = toleration;
    if (seconds == null) continue;
    for (const taint of taints) {
      if (!toleratesTaint(toleration, taint)) continue;
      if (!taint.timeAdded) {
        undated ??= taint;
        continue;
      }
      const lasts = instant(taint.timeAdded) - now + tolerationLength(seconds);
      if (lasts < left) {
        left = lasts;
        ending = { toleration, seconds, taint, index: tolerations.indexOf(toleration) };
      }
    }
  }
  if (evidence) {
    if (ending) evidence.push(endingEvidence(ending, left));
    if (undated && left > 0) evidence.push(undatedEvidence(undated));
    if (!ending && !undated)
      evidence.push({ rule: 'every NoExecute taint is tolerated forever', value: used });
  }
  if (left === Infinity) return { kind: 'stay' };
  return left <= 0 ? { kind: 'evict', after: 'toleration' } : { kind: 'wait', milliseconds: left };
}

/** The largest number of seconds in a time.Duration. */
const MAX_SECONDS = 9_223_372_036;

/**
 * Milliseconds that a toleration of this many seconds lasts. Karmada multiplies in 64 bits without a check, so more
 * than 292 years wrap around, often to a negative number.
 */
function tolerationLength(seconds: number): number {
  if (Math.abs(seconds) <= MAX_SECONDS) return seconds * 1000;
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n)) / 1e6;
}

function untoleratedEvidence(taints: readonly Taint[], tolerations: readonly Toleration[]): Evidence {
  const taint = taints.find((one) => !tolerations.some((toleration) => toleratesTaint(toleration, one)))!;
  return { rule: `no toleration for the taint ${formatTaint(taint)}`, value: taint };
}

interface Ending {
  toleration: Toleration;
  /** its tolerationSeconds */
  seconds: number;
  /** position of the toleration in its list */
  index: number;
  taint: Taint;
}

function endingEvidence({ toleration, seconds, index, taint }: Ending, left: number): Evidence {
  const ends = left <= 0 ? 'has ended' : 'ends later';
  return {
    rule: `toleration of ${formatDuration(seconds * 1000)} for the taint ${formatTaint(taint)} ${ends}`,
    field: `clusterTolerations[${index}] of the applied placement`,
    value: { toleration, timeAdded: taint.timeAdded },
  };
}

/** The API server sets timeAdded on evicting taints, so one without it is unlikely to be from a control plane. */
export function undatedEvidence(taint: Taint): Evidence {
  return {
    rule: `the toleration never expires for the taint ${formatTaint(taint)}: it has no timeAdded`,
    field: 'spec.taints[].timeAdded',
    value: taint,
    certainty: 'estimate',
    missing: `timeAdded of the taint ${formatTaint(taint)}: add it to the Cluster in the state`,
  };
}

/**
 * For each taint the first toleration that covers it, in taint order and with repetitions; undefined if a taint has
 * none. Later tolerations of the same taint are ignored, even stricter ones.
 */
export function usedTolerations(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): Toleration[] | undefined {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const first = tolerations.find((toleration) => toleratesTaint(toleration, taint));
    if (!first) return undefined;
    used.push(first);
  }
  return used;
}
