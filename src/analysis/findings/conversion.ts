import type { ConversionCode } from '../taintPolicy/conversion/findings.ts';
import type { Check } from './check.ts';
import type { Severity } from './finding.ts';

const check = <Id extends ConversionCode>(
  id: Id,
  severity: Severity,
  title: string,
  help: string,
): Check<Id> => ({ id, severity, title, help, needs: ['ClusterTaintPolicy'] });

/**
 * The findings of converting a policy into the other form. Each code has its own entry as id; a missing entry is a type
 * error.
 */
export const conversionChecks: { [Id in ConversionCode]: Check<Id> } = {
  durations: check(
    'durations',
    'warning',
    'windows that the shipped form does not have',
    'The shipped form adds and removes taints at once. Accept it, or keep the policy for a control plane of the design.',
  ),
  'one-second': check(
    'one-second',
    'note',
    'windows of one second',
    'The proposed form waits at least a second before it adds or removes a taint.',
  ),
  effect: check(
    'effect',
    'warning',
    'PreferNoExecute, which Clusters of the shipped form refuse',
    'NoSchedule replaces it and moves nothing. Accept it, or set another effect.',
  ),
  'empty-conditions': check(
    'empty-conditions',
    'warning',
    'an empty list of conditions',
    'An empty list is for every cluster in the proposed form, and for none in the shipped one. List the intended conditions.',
  ),
  removal: check(
    'removal',
    'warning',
    'statuses at which one form removes a taint and the other does not',
    'The proposed form removes a taint once its conditions no longer match, the shipped one if its own conditions for that hold.',
  ),
  'absent-condition': check(
    'absent-condition',
    'warning',
    'a condition that a cluster may not report',
    'Then the proposed form removes the taint, and the shipped one leaves it.',
  ),
  'shared-taint': check(
    'shared-taint',
    'warning',
    'a taint that another policy lists, too',
    'In the shipped form the newest policy decides; in the proposed form the taint stays while any policy matches.',
  ),
  'no-taints': check(
    'no-taints',
    'error',
    'a policy without a taint, which the shipped form demands',
    'List a taint in taintsToAdd.',
  ),
  restored: check(
    'restored',
    'note',
    'an earlier conversion is undone',
    'The annotation of the earlier conversion holds it.',
  ),
  'bad-annotation': check(
    'bad-annotation',
    'error',
    'an annotation that no conversion writes',
    'Remove the annotation karmada-failover/converted.',
  ),
  'refused-there': check(
    'refused-there',
    'error',
    'a policy that is invalid in the other form',
    'Correct the field that the message names.',
  ),
  outdated: check(
    'outdated',
    'note',
    'settings kept by an earlier conversion no longer fit',
    'The policy has changed since: they are not restored.',
  ),
};
