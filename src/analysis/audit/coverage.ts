import { type AuditedWorkload, isCovered, meetsTarget } from './auditedWorkload.ts';

/** How many workloads survive every contingency, and how many were not judged. */
export interface Coverage {
  /** workloads with a placement, or with a copy under eviction */
  workloads: number;
  /** of these: no contingency leaves them lost, down, blocked or flapping */
  covered: number;
  /** of the covered: some outcome is an estimate */
  coveredUncertain: number;
  /** in trouble now, including those without a placement, as `failover status` counts */
  inTroubleNow: number;
  /** in trouble at the end even without further failures */
  inTroubleAnyway: number;
  /** workloads with a target, and those that meet it in every contingency */
  targets: { asked: number; met: number };
  /** workloads without a placement: they have nothing to lose */
  notPlaced: number;
}

/** Counts the workloads that survive every contingency. */
export function coverageOf(
  workloads: readonly AuditedWorkload[],
  { inTroubleNow, notPlaced }: Pick<Coverage, 'inTroubleNow' | 'notPlaced'>,
): Coverage {
  const covered = workloads.filter(isCovered);
  const targets = workloads.flatMap((one) => meetsTarget(one) ?? []);
  return {
    workloads: workloads.length,
    covered: covered.length,
    coveredUncertain: covered.filter(({ certainty }) => certainty !== 'certain').length,
    inTroubleNow,
    inTroubleAnyway: workloads.filter(({ now }) => now !== undefined).length,
    targets: { asked: targets.length, met: targets.filter((met) => met).length },
    notPlaced,
  };
}
