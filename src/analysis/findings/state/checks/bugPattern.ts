import type { Cluster } from '../../../../karmada/api/cluster.ts';
import type { ObjectIdentity } from '../../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { evictsByTaints } from '../../../../karmada/configuration/taintEviction.ts';
import type { Severity } from '../../finding.ts';
import type { Examined } from '../examined.ts';
import type { StateCheck } from '../stateCheck.ts';

/** The effect of a bug, and the test that finds the bindings, clusters and other objects affected. */
export interface Pattern {
  severity: Severity;
  needs: StateCheck['needs'];
  symptom: string;
  /**
   * whether the control plane shows that it happens now: then it is an error, and explains why workloads stay on a
   * cluster
   */
  happens?(seen: Examined): boolean;
  /** a precondition on the whole control plane; absent: none */
  when?(seen: Examined): boolean;
  bindings?(binding: ResourceBinding, seen: Examined): unknown;
  clusters?(cluster: Cluster, seen: Examined): unknown;
  objects?(seen: Examined): readonly ObjectIdentity[];
}

/** Whether taints evict, for bugs that only evictions trigger. */
export const evicts = ({ configuration }: Examined): boolean => evictsByTaints(configuration);
