import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import type { Evidence } from '../../evidence.ts';
import type { InputNames } from '../../../karmada/inputNames.ts';

/**
 * How a link of the chain is:
 * - `holds`: it is as failover needs it
 * - `limits`: failover happens, but later or in another way than one may think
 * - `broken`: the workload does not leave, or does not start elsewhere, because of this
 * - `unknown`: nobody has confirmed the value and it is the default, or what decides could not be read
 */
export type LinkState = 'holds' | 'limits' | 'broken' | 'unknown';

/** One of the things that must all hold for a workload to leave a cluster that fails. */
export interface FailoverLink {
  /** stable, for machines: "no-execute-taint", "tolerations", … */
  id: string;
  state: LinkState;
  /** what is the case, in a sentence */
  text: string;
  /** what to do about it, where something can be done */
  fix?: string;
  evidence: Evidence[];
}

export interface LinkQuestion {
  binding: ResourceBinding;
  /** the clusters that the workload would leave */
  clusters: Cluster[];
  taintPolicies: ClusterTaintPolicy[];
  /** what it takes to read ClusterTaintPolicies, if they could not be read */
  unreadTaintPolicies?: string | undefined;
  configuration: Configuration;
  /** gates and flags that are defaults which nobody has confirmed */
  unconfirmed: ReadonlySet<string>;
  names: InputNames;
  /** epoch milliseconds */
  now: number;
}

/** A link that is as failover needs it. */
export function holds(id: string, text: string, evidence: Evidence[] = []): FailoverLink {
  return { id, state: 'holds', text, evidence };
}
