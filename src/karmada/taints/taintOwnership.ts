import type { Cluster } from '../api/cluster.ts';
import type { Taint } from '../api/meta.ts';
import type { ClusterTaintPolicy } from '../api/policy.ts';
import type { Rules } from '../dialects/rules.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Certainty, Evidence } from '../evidence.ts';
import { sameTaint } from '../objects/sameTaint.ts';
import { createdAt } from './policyOrder.ts';
import { explains, isKarmadaTaint } from './taintSources.ts';
import { CORDON_TAINT, DRAIN_TAINT } from './manualTaints.ts';

/**
 * The owner of a cluster's taint:
 * - `cluster-controller`: Karmada itself, by the Ready condition or the deletion of the cluster
 * - `policy`: a ClusterTaintPolicy for the cluster lists it, and can have added it
 * - `cordon`: karmadactl cordon, so an operator; `drain`: a drain by taint
 * - `person`: no controller can have added it
 * - `unknown`: an operator, or a changed or deleted policy
 */
export type TaintOwnerKind = 'cluster-controller' | 'policy' | 'cordon' | 'drain' | 'person' | 'unknown';

/** The owner of a taint, as the objects show it. managedFields, which would name the writer, are not read. */
export interface TaintOwnership {
  owner: TaintOwnerKind;
  /**
   * the policies for the cluster that list the taint, in the order of their creation; including those that cannot have
   * added it
   */
  listedBy: string[];
  /** if the owner is a policy: those of them that can have added it */
  policies: string[];
  certainty: Certainty;
  evidence: Evidence[];
}

/** Finds the owner of a cluster's taint. */
export function ownershipOf(
  taint: Taint,
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  rules: Pick<Rules, 'scheduling' | 'taints'>,
): TaintOwnership {
  const listing = policies.filter((policy) => explains(policy, cluster, taint, rules));
  const listedBy = listing.map(({ metadata }) => metadata.name);
  const possible = listing.filter((policy) => canHaveAdded(policy, taint));
  const owned = (owner: TaintOwnerKind, certainty: Certainty, rule: string, missing?: string) => ({
    owner,
    listedBy,
    policies: owner === 'policy' ? possible.map(({ metadata }) => metadata.name) : [],
    certainty,
    evidence: [evidenceOf(taint, cluster, rule, certainty, missing)],
  });
  if (isKarmadaTaint(taint, rules))
    return owned('cluster-controller', 'certain', 'the cluster controller manages this taint');
  if (possible.length > 0)
    return owned(
      'policy',
      'estimate',
      'a policy for the cluster lists it, and is older',
      'who wrote it: an operator may have set the same taint',
    );
  if (sameTaint(taint, CORDON_TAINT)) return owned('cordon', 'certain', 'karmadactl cordon sets this taint');
  if (sameTaint(taint, DRAIN_TAINT)) return owned('drain', 'certain', 'a drain by taint sets it');
  if (!taint.timeAdded)
    return owned('person', 'certain', 'it has no timeAdded, which every controller gives its taints');
  return owned(
    'unknown',
    'unknown',
    listing.length > 0
      ? 'it is older than every policy that lists it'
      : 'no policy for the cluster lists it, and it has a timeAdded',
    'who wrote it: an operator, or a changed or deleted policy',
  );
}

/** Whether a policy may have added a taint: it sets timeAdded, not earlier than its own creation, in whole seconds. */
function canHaveAdded(policy: ClusterTaintPolicy, { timeAdded }: Taint): boolean {
  if (!policy.spec.taintsToAdd && !policy.spec.addOnConditions?.length) return false;
  return timeAdded !== undefined && timeAdded !== null && instant(timeAdded) >= createdAt(policy);
}

function evidenceOf(
  { key, value, effect, timeAdded }: Taint,
  { metadata: { name } }: Cluster,
  rule: string,
  certainty: Certainty,
  missing: string | undefined,
): Evidence {
  return {
    rule,
    object: { kind: 'Cluster', name },
    field: 'spec.taints',
    value: { key, ...(value && { value }), effect, ...(timeAdded && { timeAdded }) },
    taint: { key, ...(value && { value }), effect },
    certainty,
    ...(missing && { missing: `${missing} (managedFields of the Cluster, which are not read)` }),
  };
}
