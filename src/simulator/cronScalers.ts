import type { CronFederatedHPA } from '../karmada/api/autoscaling.ts';
import { isOtherKind } from '../karmada/api/otherKinds.ts';
import type { KubernetesObject, ObjectIdentity } from '../karmada/api/meta.ts';
import { identityOf, objectKey } from '../karmada/objects/identities.ts';
import { instant } from '../kubernetes/time.ts';

type Rule = NonNullable<CronFederatedHPA['spec']>['rules'][number];

/** A CronFederatedHPA with active rules. */
interface CronScaler {
  object: KubernetesObject;
  target: ObjectIdentity;
  rules: { rule: Rule; next?: ScheduledScaling }[];
}

/** The next run of a rule. */
interface ScheduledScaling {
  /** epoch milliseconds */
  at: number;
  replicas: number;
}

/** The resolution of cron expressions, and so the shortest interval between two runs of a rule. In milliseconds. */
export const CRON_STEP = 60_000;

/**
 * The CronFederatedHPAs among objects, with the next run of each rule if its status has one: Karmada has parsed the
 * cron expression, in its process's time zone. It sets the workload's replicas (CronFederatedHPA controller,
 * ScaleWorkloads). A rule for a FederatedHPA, or for a workload not among the objects, has no runs.
 *
 * @param after epoch milliseconds; earlier runs are over
 */
export function cronScalers(objects: readonly KubernetesObject[], after: number): CronScaler[] {
  const scalers = objects.filter((object) => isOtherKind(object, 'CronFederatedHPA'));
  if (scalers.length === 0) return [];
  const templates = new Set(objects.map((object) => objectKey(identityOf(object))));
  return scalers.flatMap((object) => {
    const { spec, status, metadata } = object;
    const rules = spec?.rules.filter(({ suspend }) => !suspend) ?? [];
    if (!spec || rules.length === 0) return [];
    const { kind, name } = spec.scaleTargetRef;
    const target = { kind, ...(metadata.namespace && { namespace: metadata.namespace }), name };
    const isThere = templates.has(objectKey(target));
    return {
      object,
      target,
      rules: rules.map((rule) => ({ rule, ...(isThere && withNext(rule, status, after)) })),
    };
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
