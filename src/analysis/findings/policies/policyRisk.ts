import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ClusterTaintPolicy } from '../../../karmada/api/policy.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { NamedTaint } from '../../../karmada/evidence.ts';
import type { TaintOwnerKind, TaintOwnership } from '../../../karmada/taints/taintOwnership.ts';
import type { EntryProblem } from '../../taintPolicy/conditionLists.ts';
import type { InactivePolicies } from '../../../karmada/taints/inactivePolicies.ts';
import type { TaintConflict } from '../../taintPolicy/taintReconcile.ts';
import type { ShortestTurn } from '../../taintPolicy/shortestTurn.ts';

/** A risk of changed ClusterTaintPolicies, as data: views add the words and name flags. */
export type PolicyRisk = RiskOfPolicy | RiskOfChange;

interface Assuming {
  /** gates and flags that are off by an unverified default; absent: all are known */
  assumed?: string[];
}

export interface OfPolicy {
  policy: string;
  /** path of the field: "spec.taints[0].effect" */
  field: string;
}

/** A list that can never hold; without `entries` that cannot hold by themselves, entries contradict each other. */
export interface NeverHolds {
  code: 'removal-never-matches' | 'addition-never-matches' | 'match-never';
  entries: { index: number; problem: EntryProblem }[];
}

/** A list that always holds, or is empty: in the design every cluster then gets the taints, and keeps them. */
export interface AlwaysMatchRisk {
  code: 'removal-always-matches' | 'addition-always-matches' | 'match-always' | 'no-match-conditions';
}

export type RiskOfPolicy = OfPolicy &
  (
    | {
        /**
         * the Cluster API refuses the taint: then no policy has an effect on these clusters, including the other
         * policies listed
         */
        code: 'taint-refused';
        taint: NamedTaint;
        refusal: string;
        clusters: string[];
        stops: string[];
      }
    | {
        /** no condition removes the taint again, neither in this policy nor in others for all of its clusters */
        code: 'never-removed';
        taint: NamedTaint;
      }
    | {
        /** it has no addOnConditions, and no other policy for its clusters adds these of its taints */
        code: 'never-added';
        taints: NamedTaint[];
      }
    | NeverHolds
    | AlwaysMatchRisk
    | {
        /** it always removes its taints in the same reconcile that adds them */
        code: 'removes-what-it-adds';
      }
    | {
        /** these of its clusters do not report the condition now, so the entry does not hold there */
        code: 'condition-not-reported';
        conditionType: string;
        clusters: string[];
        /** none of its target clusters reports it */
        everywhere: boolean;
        /** the types that those clusters report */
        reported: string[];
      }
    | {
        /** another policy, Karmada itself or a user also sets the taint on these clusters */
        code: 'taint-owned';
        taint: NamedTaint;
        owner: { kind: 'policy'; names: string[] } | { kind: Exclude<TaintOwnership['owner'], 'policy'> };
        clusters: string[];
        /** how many other policies list it; which clusters they share is not checked */
        others?: number;
      }
    | ({
        /** the webhook refuses NoExecute: --allow-no-execute-taint-policy is off */
        code: 'no-execute-refused';
        taint: NamedTaint;
      } & Assuming)
    | ({
        /** the taint would evict nothing: these gates and flags are off */
        code: 'no-execute-dead';
        taint: NamedTaint;
        off: string[];
      } & Assuming)
    | { code: 'targets-no-cluster' }
    | { code: 'lists-no-taints' }
    | ({
        /** in the design: its conditions cannot turn back within the window, which therefore only delays */
        code: 'window-shorter-than-probe';
        taint: NamedTaint;
        seconds: number;
        shortest: ShortestTurn;
      } & Assuming)
  );

export type RiskOfChange =
  | (OfPolicy & {
      /** in the design: none of these workloads has spec.failover.cluster, so PreferNoExecute moves nothing */
      code: 'no-active-migration';
      taint: NamedTaint;
      workloadCount: number;
    })
  | {
      /** afterwards every cluster has one of these taints, unlike before; `all` without exception */
      code: 'every-cluster-tainted';
      clusters: string[];
      taints: NamedTaint[];
    }
  | {
      /** it removes a taint that may not belong to a policy: at once, or after a change of a condition */
      code: 'takes-anothers-taint';
      clusters: string[];
      taint: NamedTaint;
      policy: string;
      owner: TaintOwnerKind;
      when?: { type: string; status: string };
    }
  | (TaintConflict & { clusters: string[] })
  | ({
      /** ClusterTaintPolicies have no effect: the gate is off, or the version has none */
      code: 'policies-dead';
      off: InactivePolicies;
    } & Assuming)
  /** workloads there are lost or find no cluster because of the change */
  | { code: 'workloads-lost' | 'workloads-blocked'; workloads: ObjectIdentity[] };

/** The gates and flags that are off by an unverified default. */
export function assumedOff(off: readonly string[], unverified: ReadonlySet<string>): Assuming {
  const assumed = off.filter((name) => unverified.has(name));
  return assumed.length > 0 ? { assumed } : {};
}

/** A policy as its checks see it: by itself and with others. */
export interface ObservedPolicy {
  policy: ClusterTaintPolicy;
  /** whether it is in the form of the design optimize-cluster-failover, whose taints have windows */
  hasWindows: boolean;
  clusters: readonly Cluster[];
  /** the clusters that the policy targets */
  own: readonly Cluster[];
  /** the policies that share a cluster with it: all, and those that list a taint */
  others: { all(): ClusterTaintPolicy[]; listing(taint: NamedTaint): ClusterTaintPolicy[] };
  configuration: Configuration;
  /** gates and flags whose values are unverified defaults */
  unverified: ReadonlySet<string>;
}
