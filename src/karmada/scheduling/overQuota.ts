import type { KubernetesObject } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { admissionOf } from '../validation/admission.ts';
import { refuseOverQuota, usedBy } from '../validation/resourceBinding.ts';
import type { ScheduleOutcome } from './scheduleBinding.ts';

/** What a namespace has that its quotas limit. */
export interface LimitedNamespace {
  /** its FederatedResourceQuotas */
  quotas: readonly KubernetesObject[];
  /** its bindings, this one as it is stored */
  bindings(): Iterable<ResourceBinding>;
}

/**
 * Why the webhook refuses what the scheduler writes of a binding (gate FederatedQuotaEnforcement): result and annotation stay as they were, and
 * the queue tries again. What the namespace uses follows from its bindings, as quota and webhook count it.
 */
export function refusedByQuota(
  binding: ResourceBinding,
  { spec }: Pick<ScheduleOutcome, 'spec'>,
  { quotas, bindings }: LimitedNamespace,
  { rules, featureGates }: Pick<Configuration, 'rules' | 'featureGates'>,
): ScheduleOutcome['failure'] {
  if (!featureGates.FederatedQuotaEnforcement || spec === binding.spec || quotas.length === 0)
    return undefined;
  const overallUsed = usedBy(bindings());
  const present = quotas.map((quota) => ({ ...quota, status: { ...statusOf(quota), overallUsed } }));
  const refusal = refuseOverQuota({ ...binding, spec }, binding, present, admissionOf(rules));
  if (!refusal) return undefined;
  return {
    reason: refusal.reason ?? 'SchedulerError',
    message: `admission webhook "resourcebinding.karmada.io" denied the request: ${refusal.message}`,
  };
}

function statusOf(quota: KubernetesObject & { status?: object }): object | undefined {
  return quota.status;
}
