import { admissionChecks } from './admission.ts';
import type { Check } from './check.ts';
import { conversionChecks } from './conversion.ts';
import * as change from './policies/changeChecks.ts';
import * as list from './policies/conditionChecks.ts';
import * as policy from './policies/policyChecks.ts';
import * as taint from './policies/taintChecks.ts';

/** The risks of ClusterTaintPolicies and of changing them, in the order in which lists of rules show them. */
export const riskChecks: readonly Check[] = [
  taint.taintRefused,
  taint.neverRemoved,
  policy.neverAdded,
  list.removalNeverMatches,
  list.additionNeverMatches,
  list.removalAlwaysMatches,
  list.additionAlwaysMatches,
  policy.removesWhatItAddsCheck,
  list.conditionNotReported,
  taint.taintOwned,
  taint.noExecuteRefused,
  taint.noExecuteDead,
  policy.targetsNoCluster,
  list.noMatchConditions,
  list.matchAlways,
  list.matchNever,
  policy.listsNoTaints,
  taint.windowShorterThanProbe,
  change.noActiveMigration,
  change.everyClusterTainted,
  change.removesForeignTaint,
  change.repeatedlyRenewed,
  change.orderUndefined,
  change.policiesDead,
  change.workloadsLost,
  change.workloadsBlocked,
];

/**
 * The catalogue of all findings. Ids never change: users ignore and accept findings by them. A new check is an object
 * of this shape next to those with the same subject, an entry here, and its text in the view of its findings.
 */
export const catalogue: readonly Check[] = [
  ...admissionChecks,
  ...riskChecks,
  ...Object.values(conversionChecks),
];

/** The checks of ClusterTaintPolicies in files: refusals, and risks that do not depend on the clusters. */
export const fileChecks: readonly Check[] = catalogue.filter(
  (check) =>
    admissionChecks.includes(check) ||
    (policy.policyChecks.includes(check) && !check.needs.includes('Cluster')),
);
