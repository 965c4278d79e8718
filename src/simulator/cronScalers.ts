import type { CronFederatedHPA } from '../karmada/api/autoscaling.ts';
import { isOther } from '../karmada/api/otherKinds.ts';
import type { KubernetesObject, ObjectIdentity } from '../karmada/api/meta.ts';
import { identityOf, objectKey } from '../karmada/objects/identities.ts';
import { instant } from '../kubernetes/time.ts';

type Rule = NonNullable<CronFederatedHPA['spec']>['rules'][number];

/** A CronFederatedHPA with rules at work. */
interface CronScaler {
  object: KubernetesObject;
  target: ObjectIdentity;
  rules: { rule: Rule; next?: ScheduledScaling }[];
}

/** What a rule does at its next time. */
interface ScheduledScaling {
  /** epoch milliseconds */
  at: number;
  replicas: number;
}

/** Cron expressions have no finer step: a rule acts again no earlier. In milliseconds. */
export const CRON_STEP = 60_000;

/**
 * The CronFederatedHPAs among objects, with the next scaling of each rule as far as its status has it: Karmada has read
 * the cron expression, in the time zone of its own process. It sets the replicas of the workload (CronFederatedHPA
 * controller, ScaleWorkloads). What scales a FederatedHPA, or a workload that is not among the objects, has none.
 *
 * @param after epoch milliseconds; what was next before has been done
 */
export function cronScalers(objects: readonly KubernetesObject[], after: number): CronScaler[] {
  const scalers = objects.filter((object) => isOther(object, 'CronFederatedHPA'));
  if (scalers.length === 0) return [];
  const templates = new Set(objects.map((object) => objectKey(identityOf(object))));
  return scalers.flatMap((object) => {
    const { spec, status, metadata } = object;
    const rules = spec?.rules.filter(({ suspend }) => !suspend) ?? [];
    if (!spec || rules.length === 0) return [];
    const { kind, name } = spec.scaleTargetRef;
    const target = { kind, ...(metadata.namespace && { namespace: metadata.namespace }), name };
    const isThere = templates.has(objectKey(target));
    return [
      {
        object,
        target,
        rules: rules.map((rule) => ({ rule, ...(isThere && withNext(rule, status, after)) })),
      },
    ];
  });
}

function withNext(
  { name, targetReplicas }: Rule,
  status: CronFederatedHPA['status'],
  after: number,
): { next?: ScheduledScaling } {
  const next = status?.executionHistories?.find(({ ruleName }) => ruleName === name)?.nextExecutionTime;
  if (!next || typeof targetReplicas !== 'number' || instant(next) < after) return {};
  return { next: { at: instant(next), replicas: targetReplicas } };
}
