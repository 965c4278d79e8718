import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Taint } from '../../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import type { InputNames } from '../../../karmada/configuration/inputNames.ts';
import type { KnownConfiguration } from '../../../karmada/configuration/assumptions.ts';

/**
 * The state of a link of the chain:
 * - `holds`: it is as failover needs it
 * - `limits`: failover works, but later or otherwise than expected
 * - `broken`: it prevents the workload from leaving, or from starting elsewhere
 * - `unknown`: the value is an unverified default, or the deciding objects could not be read
 */
export type LinkState = 'holds' | 'limits' | 'broken' | 'unknown';

/** One of the conditions that must all hold for a workload to leave a failing cluster. */
export interface FailoverLink {
  /** stable, for machines: "no-execute-taint", "tolerations", … */
  id: string;
  state: LinkState;
  /** the fact, in a sentence */
  text: string;
  /** what to do about it, if anything */
  fix?: string;
  evidence: Evidence[];
}

export interface LinkQuestion extends KnownConfiguration {
  binding: ResourceBinding;
  /** the clusters that the workload would leave */
  clusters: Cluster[];
  /** all clusters */
  fleet: readonly Cluster[];
  taintPolicies: ClusterTaintPolicy[];
  /** how to read ClusterTaintPolicies, if they could not be read */
  unreadTaintPolicies?: string | undefined;
  names: InputNames;
  /** epoch milliseconds */
  now: number;
  /** shared by calls for many bindings: caches the taints of clusters */
  expected?: Map<Cluster, ExpectedTaints>;
}

/** The evicting taints that a cluster has, or would get if it failed. */
export interface ExpectedTaints {
  taints: Taint[];
  evidence: Evidence[];
  present: boolean;
}

/** A link that is as failover needs it. */
export function holdingLink(id: string, text: string, evidence: Evidence[] = []): FailoverLink {
  return { id, state: 'holds', text, evidence };
}
