import type { NamedTaint } from '../../engine/evidence.ts';
import type { ClusterLook, TaintMove } from '../../engine/taintPolicy/clusterLook.ts';
import type { TaintOwnership } from '../../engine/taints/taintOwnership.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';

/** "key=value:effect" */
export const taintText = (taint: NamedTaint | Taint): string => formatTaint(taint);

/** A taint, for documents. */
export function taintDocument({ key, value, effect }: NamedTaint): {
  key: string;
  value?: string;
  effect: string;
} {
  return { key, ...(value ? { value } : {}), effect };
}

/** Whose a taint is, for documents. */
export function ownershipDocument({ owner, policies, listedBy, certainty, evidence }: TaintOwnership) {
  return { owner, policies, listedBy, certainty, evidence };
}

/** What a look of the controller does, for documents. */
export function lookDocument({ gains, loses, renews, refused, contested }: ClusterLook) {
  const moves = (list: readonly TaintMove[]) =>
    list.map(({ taint, policy, undone, evidence }) => ({
      taint: taintDocument(taint),
      policy,
      ...(undone ? { undone } : {}),
      evidence,
    }));
  return {
    gains: moves(gains),
    loses: moves(loses),
    renews: moves(renews),
    ...(refused === undefined ? {} : { refused }),
    contested: contested.map(({ taint, policies }) => ({ taint: taintDocument(taint), policies })),
  };
}

/**
 * What a look does, in a few phrases: "gains a:NoSchedule (network)"; none if it does nothing.
 *
 * @param about the policy that is spoken of; what others do is said to be of others
 */
export function lookPhrases(look: ClusterLook, about?: string): string[] {
  const { gains, loses, renews, refused } = look;
  const moved = (verb: string, list: readonly TaintMove[]) =>
    list.map(
      ({ taint, policy, undone }) =>
        `${verb} ${taintText(taint)} (${policy}${about === undefined || about === policy ? '' : ', another policy'})${undone ? `, which Karmada undoes at once` : ''}`,
    );
  if (refused !== undefined) return [`nothing: the Cluster API refuses the write: ${refused}`];
  return [...moved('gains', gains), ...moved('loses', loses), ...moved('renews', renews)];
}
