import type { Headroom } from '../forecast/headroom.ts';
import { compareTroubles, type Trouble } from './trouble.ts';
import type { Audit } from './audit.ts';
import { type AuditedWorkload, meetsTarget, worstTrouble } from './auditedWorkload.ts';

/** What fails a gate: a trouble of a workload, a missed target, or headroom below a share from 0 to 1. */
export type GateCondition = Trouble | 'rto' | { headroom: number };

/** The values that a gate judges, from this audit or an earlier one. */
export interface Judged {
  workloads: readonly JudgedWorkload[];
  headroom: readonly JudgedHeadroom[];
}

interface JudgedWorkload {
  /** identifies the workload across audits */
  key: string;
  /** its worst trouble, now or in a contingency */
  trouble?: Trouble;
  targetMet?: boolean;
}

interface JudgedHeadroom {
  cluster: string;
  resource: Headroom['resource'];
  /** the share of the allocatable amount that is left after the worst contingency: below 0 if it is not enough */
  share: number;
}

/** A violation of a gate condition. */
export type Breach =
  | { condition: Trouble | 'rto'; workload: string }
  | { condition: 'headroom'; cluster: string; resource: Headroom['resource']; share: number };

/** "apps/v1 Deployment shop/cart", to match workloads of two audits. */
export function judgedKey({ apiVersion, kind, namespace = '', name }: AuditedWorkload['workload']): string {
  return `${apiVersion} ${kind} ${namespace}/${name}`;
}

/** The part of an audit that a gate judges. */
export function judgedOf({ workloads, clusters }: Pick<Audit, 'workloads' | 'clusters'>): Judged {
  return {
    workloads: workloads.map((one) => {
      const met = meetsTarget(one);
      const trouble = worstTrouble(one);
      return {
        key: judgedKey(one.workload),
        ...(trouble && { trouble }),
        ...(met !== undefined && { targetMet: met }),
      };
    }),
    headroom: clusters.flatMap(({ name, headroom }) =>
      headroom.flatMap(({ resource, allocatable, free, worst }) =>
        allocatable > 0 ? [{ cluster: name, resource, share: (worst?.free ?? free) / allocatable }] : [],
      ),
    ),
  };
}

/** All violations of the conditions in an audit; workloads first, in audit order. */
export function breachesOf({ workloads, headroom }: Judged, conditions: readonly GateCondition[]): Breach[] {
  const forbidden = new Set(conditions.filter((one) => typeof one === 'string'));
  const shares = conditions.flatMap((one) => (typeof one === 'string' ? [] : [one.headroom]));
  const least = shares.length > 0 ? Math.max(...shares) : undefined;
  return [
    ...workloads.flatMap(({ key, trouble, targetMet }): Breach[] => [
      ...(trouble !== undefined && forbidden.has(trouble) ? [{ condition: trouble, workload: key }] : []),
      ...(targetMet === false && forbidden.has('rto') ? [{ condition: 'rto' as const, workload: key }] : []),
    ]),
    ...(least === undefined ? [] : headroom)
      .filter(({ share }) => share < least!)
      .map((one) => ({ condition: 'headroom' as const, ...one })),
  ];
}

/** The violations that an earlier audit did not have. A trouble is new only if it is worse than the earlier one. */
export function newBreaches(
  breaches: readonly Breach[],
  earlier: Judged,
  conditions: readonly GateCondition[],
): Breach[] {
  const known = new Set(breachesOf(earlier, conditions).map(breachKey));
  const troubles = new Map(earlier.workloads.map(({ key, trouble }) => [key, trouble]));
  return breaches.filter(
    (one) =>
      !known.has(breachKey(one)) &&
      (one.condition === 'headroom' ||
        one.condition === 'rto' ||
        compareTroubles(one.condition, troubles.get(one.workload)) < 0),
  );
}

function breachKey(breach: Breach): string {
  return 'workload' in breach
    ? `${breach.condition} ${breach.workload}`
    : `${breach.condition} ${breach.cluster} ${breach.resource}`;
}

/** The workloads of an audit compared with an earlier one. */
export interface Progress {
  /** workloads whose worst trouble is smaller, or gone */
  better: string[];
  worse: string[];
  /** in trouble, and not in the earlier audit */
  added: string[];
}

/** Improvements and regressions since an earlier audit, by the keys of workloads. */
export function progressSince(now: Judged, earlier: Judged): Progress {
  const before = new Map(earlier.workloads.map((one) => [one.key, one]));
  const progress: Progress = { better: [], worse: [], added: [] };
  for (const { key, trouble } of now.workloads) {
    const known = before.get(key);
    if (!known) {
      if (trouble !== undefined) progress.added.push(key);
      continue;
    }
    const change = compareTroubles(trouble, known.trouble);
    if (change < 0) progress.worse.push(key);
    if (change > 0) progress.better.push(key);
  }
  return progress;
}
