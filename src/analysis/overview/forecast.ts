import type { TargetCluster } from '../../karmada/api/work.ts';
import type { Certainty } from '../../karmada/evidence.ts';
import { costOfLoss, type CostOfLoss } from '../explanation/costOfLoss.ts';
import { counted } from '../explanation/failoverStatus.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';
import type { Outcome, WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';

/** What the failure of a cluster would lead to. */
export interface ClusterForecast {
  cluster: string;
  ifItFails: Partial<Record<Outcome, number>>;
  uncertainIfItFails: number;
  costIfItFails: CostOfLoss;
  /** one for each workload on it */
  workloads: WorkloadVerdict[];
}

/** What becomes of a workload if one of its clusters fails. */
export interface WorkloadVerdict {
  /** the result of `bindingKey` */
  key: string;
  outcome: Outcome;
  certainty: Certainty;
  after: TargetCluster[];
}

/** The outcomes of a simulated failure as an overview shows them. */
export function clusterForecast(cluster: string, outcomes: readonly WorkloadOutcome[]): ClusterForecast {
  return {
    cluster,
    ifItFails: counted(outcomes),
    uncertainIfItFails: outcomes.filter(({ certainty }) => certainty !== 'certain').length,
    costIfItFails: costOfLoss(outcomes),
    workloads: outcomes.map(({ binding, outcome, certainty, after }) => ({
      key: snapshotKey(binding),
      ...{ outcome, certainty, after },
    })),
  };
}
