import { DEFAULT_SCHEDULER_NAME } from '../../../karmada/api/names.ts';
import { handledByScheduler } from '../../../karmada/scheduling/wakeUp.ts';
import { holds, type FailoverLink, type LinkQuestion } from './link.ts';

/** A scheduler must place the binding anew after it has lost a cluster. */
export function schedulerLinks({ binding, configuration, unconfirmed, names }: LinkQuestion): FailoverLink[] {
  const { metadata, spec, status } = binding;
  const name = spec.schedulerName || DEFAULT_SCHEDULER_NAME;
  const ours = configuration.scheduler['scheduler-name'];
  if (spec.suspension?.scheduling && configuration.rules.scheduling.suspension !== 'unknown')
    return [
      {
        id: 'scheduling-suspended',
        state: 'broken',
        text: 'scheduling is suspended: an evicted workload is placed nowhere',
        fix: 'resume it: spec.suspension.scheduling of the binding',
        evidence: [{ rule: 'no scheduler looks at it', field: 'spec.suspension.scheduling', value: true }],
      },
    ];
  if (name !== ours)
    return [
      {
        id: 'scheduler-name',
        state: 'unknown',
        text: `the scheduler ${name} decides, by rules of its own`,
        fix: unconfirmed.has('scheduler-name')
          ? `give ${names.assume} scheduler-name=${name} if that is a karmada-scheduler`
          : 'ask that scheduler; what follows is what karmada-scheduler would do',
        evidence: [
          {
            rule: `karmada-scheduler looks after ${ours}`,
            field: 'spec.schedulerName',
            value: name,
            certainty: 'unknown',
            missing: `the rules of the scheduler ${name}`,
          },
        ],
      },
    ];
  if (!handledByScheduler(binding, configuration))
    return [
      {
        id: 'managed',
        state: 'limits',
        text: 'no policy or controller has claimed this binding: the scheduler ignores its changes, and looks at it only if a cluster changes that it may be on',
        fix: 'let a policy claim it',
        evidence: [
          {
            rule: 'karmada-scheduler hears of bindings with the permanent id of a policy, or managed-by',
            field: 'metadata.labels',
            value: metadata.labels ?? {},
          },
        ],
      },
    ];
  const index = status?.conditions?.findIndex(({ type }) => type === 'Scheduled') ?? -1;
  const condition = status?.conditions?.[index];
  if (condition?.status === 'False')
    return [
      {
        id: 'scheduled',
        state: 'broken',
        text: `the scheduler has found no place so far: ${condition.reason}`,
        evidence: [
          {
            rule: condition.message ?? '',
            field: `status.conditions[${index}].reason`,
            value: condition.reason,
          },
        ],
      },
    ];
  return [holds('scheduler', `karmada-scheduler (${name}) schedules it`)];
}
