import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { AuditedWorkload } from './auditedWorkload.ts';
import type { Cause } from './causes.ts';
import type { Cures } from './cures.ts';
import { compareTroubles, isUncovered, type Trouble } from './trouble.ts';

/** A cause and all workloads in trouble because of it. */
export interface AuditedCause extends Cause {
  /** changes that would help one of its workloads, each simulated until it settles; absent: not searched */
  cures?: Cures;
  trouble: Trouble;
  workloads: (ObjectIdentity & { apiVersion: string })[];
  /** the contingencies in which it occurs, each once */
  contingencies: string[];
}

/** The causes of the worst cases: those of uncovered workloads first, then the most frequent. */
export function causesOf(workloads: readonly AuditedWorkload[]): AuditedCause[] {
  const causes = new Map<string, AuditedCause>();
  for (const { workload, worst } of workloads) {
    if (!worst) continue;
    const { cause, trouble, contingency } = worst;
    const key = `${cause.code} ${cause.detail ?? ''}`;
    const known = causes.get(key);
    if (!known) {
      causes.set(key, { ...cause, trouble, workloads: [workload], contingencies: [contingency] });
      continue;
    }
    known.workloads.push(workload);
    if (!known.contingencies.includes(contingency)) known.contingencies.push(contingency);
    if (compareTroubles(trouble, known.trouble) < 0) known.trouble = trouble;
  }
  return [...causes.values()].sort(
    (a, b) =>
      Number(isUncovered(b.trouble)) - Number(isUncovered(a.trouble)) ||
      b.workloads.length - a.workloads.length ||
      compareTroubles(a.trouble, b.trouble),
  );
}
