import type { Audit } from '../../analysis/audit/audit.ts';
import type { ContingencyTaint } from '../../analysis/audit/contingencies.ts';
import type { Breach, GateCondition, Progress } from '../../analysis/audit/gate.ts';
import type { SafeTogether } from '../../analysis/audit/safeTogether.ts';
import type { WorkloadEvents } from '../../analysis/audit/workloadEvents.ts';
import type { FailoverSwitch } from '../../analysis/explanation/failoverSwitch.ts';
import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';

/** What an audit found, and what of it was requested. */
export interface AuditInput extends DatedBasis {
  audit: Audit;
  /** the files of changes applied before it; absent: none */
  applied?: readonly string[] | undefined;
  /** what happens to clusters instead of failing; absent: they fail */
  taint?: ContingencyTaint | undefined;
  failover: FailoverSwitch;
  gate?: GateResult | undefined;
  safeTogether?: SafeTogether | undefined;
  /** the steps of troubled workloads; absent: not requested */
  courses?: readonly WorkloadEvents[] | undefined;
  /** the workloads are in the requested order */
  ordered?: boolean;
}

/** The verdict of an audit's conditions. */
export interface GateResult {
  conditions: readonly GateCondition[];
  /** breaches of the gate; with a baseline only new ones */
  breaches: readonly Breach[];
  /** the changes since the baseline; absent: there is none */
  progress?: Progress;
}
