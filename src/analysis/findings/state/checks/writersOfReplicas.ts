import { objectKey, workloadOf, identityOf, objectText } from '../../../../karmada/objects/identities.ts';
import type { CronFederatedHPA, FederatedHPA } from '../../../../karmada/api/autoscaling.ts';
import type { KubernetesObject } from '../../../../karmada/api/meta.ts';
import { isOtherKind } from '../../../../karmada/api/otherKinds.ts';
import { numberIn } from '../../../../kubernetes/json.ts';
import { whyNeverDue } from '../../../../kubernetes/cronSchedule.ts';
import { autoscalers, runsDescheduler } from '../../../../simulator/verdicts/autoscalers.ts';
import {
  isRetainedByLabel,
  RETAIN_REPLICAS_LABEL,
  retainsReplicas,
} from '../../../../karmada/status/healthInterpreter.ts';
import { edit, finding, findingIn, firstObjectNames } from '../about.ts';
import type { Examined } from '../examined.ts';
import type { StateCheck } from '../stateCheck.ts';

const scaledBy = (kind: string, what: RegExp) => (seen: Examined) => {
  const scaled = [...autoscalers(seen.world.others, seen.now)].filter(([, found]) =>
    found.some((one) => what.test(one.what)),
  );
  const objects = scaled.flatMap(([key]) => {
    const binding = seen.byWorkload().get(key);
    return binding ? [workloadOf(binding)] : [];
  });
  if (objects.length === 0) return [];
  return [
    finding(
      objects,
      `${firstObjectNames(objects)}: ${kind} writes the replicas; predictions hold for the present number only`,
      { rule: `${kind} scales it`, field: 'spec.scaleTargetRef' },
      'run this again after it has scaled',
    ),
  ];
};

export const federatedHpa: StateCheck = {
  id: 'federated-hpa-scales',
  severity: 'note',
  theme: 'writers',
  title: 'a FederatedHPA writes the replicas of a workload',
  help: 'It follows metrics, and lowers replicas when a cluster with Pods is lost: only metrics of the remaining Pods count. Set minReplicas high enough for a loss.',
  needs: ['ResourceBinding', 'FederatedHPA'],
  symptoms: ['replicas fall during a failover'],
  issues: [7065],
  find: scaledBy('a FederatedHPA', / FederatedHPA /),
};

export const cronFederatedHpa: StateCheck = {
  id: 'cron-federated-hpa-scales',
  severity: 'note',
  theme: 'writers',
  title: 'a CronFederatedHPA writes the replicas of a workload',
  help: 'It sets replicas on schedule, also while a failover is in progress.',
  needs: ['ResourceBinding', 'CronFederatedHPA'],
  symptoms: ['replicas change at fixed times'],
  issues: [7213],
  find: scaledBy('a CronFederatedHPA', / CronFederatedHPA /),
};

export const twoScalers: StateCheck = {
  id: 'two-writers-of-replicas',
  severity: 'warning',
  theme: 'writers',
  title: 'two autoscalers write the replicas of one workload',
  help: 'FederatedHPA and CronFederatedHPA overwrite each other. Let the CronFederatedHPA scale the FederatedHPA.',
  needs: ['ResourceBinding', 'FederatedHPA', 'CronFederatedHPA'],
  symptoms: ['replicas change every few seconds'],
  issues: [7065],
  find: (seen) => {
    const twice = [...autoscalers(seen.world.others, seen.now)].filter(([, found]) => found.length > 1);
    return twice.map(([key, found]) => {
      const [kind = '', namespace, name = ''] = key.split('/');
      const object = { kind, ...(namespace && { namespace }), name };
      return finding(
        [object],
        `${objectText(object)}: ${found.length} autoscalers write its replicas`,
        found.map(({ what }) => ({ rule: what, field: 'spec.scaleTargetRef' })),
        'let the CronFederatedHPA scale the FederatedHPA',
      );
    });
  },
};

/** An impossible request of an autoscaler, at a field. */
interface Impossible {
  text: string;
  field: string;
  value: unknown;
}

type CronRule = NonNullable<CronFederatedHPA['spec']>['rules'][number];

function impossibleRule(rule: CronRule, field: string, scalesHpa: boolean): Impossible[] {
  const { name, schedule, suspend, targetReplicas, targetMinReplicas: min, targetMaxReplicas: max } = rule;
  const why = suspend ? undefined : whyNeverDue(schedule);
  const found: Impossible[] = why
    ? [
        {
          text: `rule ${name} never runs at "${schedule}": ${why}`,
          field: `${field}.schedule`,
          value: schedule,
        },
      ]
    : [];
  const refused = (text: string, at: string, value: unknown) =>
    found.push({
      text: `rule ${name} ${text}, which karmada-webhook refuses`,
      field: `${field}.${at}`,
      value,
    });
  if (!scalesHpa) {
    const wanted = targetReplicas ?? undefined;
    if (wanted === undefined) refused('sets no targetReplicas', 'targetReplicas', null);
    else if (wanted < 0) refused(`sets ${wanted} replicas`, 'targetReplicas', wanted);
    return found;
  }
  if (min == null && max == null)
    refused('sets neither targetMinReplicas nor targetMaxReplicas', 'targetMaxReplicas', null);
  for (const [at, value] of Object.entries({ targetMinReplicas: min, targetMaxReplicas: max }))
    if ((value ?? 1) <= 0) refused(`sets ${at} ${value}`, at, value);
  if ((min ?? 1) > (max ?? Infinity))
    refused(`sets targetMinReplicas ${min} above ${max}`, 'targetMinReplicas', min);
  return found;
}

function impossibleRange({ minReplicas, maxReplicas }: NonNullable<FederatedHPA['spec']>): Impossible[] {
  const [min, max] = [minReplicas ?? 1, maxReplicas ?? Infinity];
  const text = `minReplicas ${min} is above maxReplicas ${max}, which karmada-webhook refuses`;
  return min > max ? [{ text, field: 'spec.minReplicas', value: min }] : [];
}

function impossibleIn(object: KubernetesObject): Impossible[] {
  if (isOtherKind(object, 'FederatedHPA')) return object.spec ? impossibleRange(object.spec) : [];
  if (!isOtherKind(object, 'CronFederatedHPA') || !object.spec) return [];
  const { rules, scaleTargetRef } = object.spec;
  const scalesHpa = scaleTargetRef.apiVersion === object.apiVersion;
  return rules.flatMap((rule, at) => impossibleRule(rule, `spec.rules[${at}]`, scalesHpa));
}

/** Rules that set minReplicas of a FederatedHPA that has none: every release so far dereferences it without a check. */
function withoutMinimum(object: KubernetesObject, seen: Examined): Impossible[] {
  if (!isOtherKind(object, 'CronFederatedHPA') || !object.spec) return [];
  const { rules, scaleTargetRef } = object.spec;
  const { namespace } = object.metadata;
  const target =
    scaleTargetRef.apiVersion === object.apiVersion
      ? seen
          .othersOf('FederatedHPA')
          .find(({ metadata }) => metadata.name === scaleTargetRef.name && metadata.namespace === namespace)
      : undefined;
  if (!target?.spec || target.spec.minReplicas != null) return [];
  return rules.flatMap(({ name, suspend, targetMinReplicas }, at) =>
    suspend || targetMinReplicas == null
      ? []
      : {
          text: `rule ${name} sets minReplicas of ${objectText(identityOf(target))}, which has none: karmada-controller-manager crashes at each run; set spec.minReplicas there`,
          field: `spec.rules[${at}].targetMinReplicas`,
          value: targetMinReplicas,
        },
  );
}

export const impossibleScaling: StateCheck = {
  id: 'impossible-scaling',
  lints: 'manifests',
  severity: 'error',
  theme: 'writers',
  title: 'an autoscaler has an invalid rule or limit',
  help: 'A rule of a CronFederatedHPA has a schedule that is never due, or that its controller cannot read: five fields, days that the month has. Or replicas are negative, missing, or have a minimum above the maximum, or the rule sets minReplicas of a FederatedHPA that has none. Correct the rule.',
  needs: ['FederatedHPA', 'CronFederatedHPA'],
  symptoms: [
    'Create cron job for CronFederatedHPA rule error',
    'invalid cron format',
    'nil pointer dereference in ScaleFHPA',
  ],
  issues: [7724],
  find: (seen) =>
    seen.world.others.flatMap((object) => {
      const found = [...impossibleIn(object), ...withoutMinimum(object, seen)];
      const identity = identityOf(object);
      return found.map(({ text, field, value }) =>
        findingIn(
          identity,
          (name) => `${name}: ${text}`,
          { rule: text, field, value },
          edit('correct it', identity),
        ),
      );
    }),
};

export const descheduler: StateCheck = {
  id: 'descheduler-runs',
  severity: 'note',
  theme: 'writers',
  title: 'karmada-descheduler removes replicas that stay pending',
  help: 'It lowers the replicas of a cluster where Pods are not scheduled, and the scheduler moves them: dynamic weights then differ from a simulation.',
  needs: ['Deployment'],
  symptoms: ['replicas leave a Ready cluster without an eviction'],
  find: (seen) =>
    runsDescheduler(seen.world.others)
      ? finding(
          [{ kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-descheduler' }],
          'karmada-descheduler runs: it removes replicas that stay pending from their cluster',
          { rule: 'its Deployment is there', field: 'Deployment' },
        )
      : [],
};

export const scalingOff: StateCheck = {
  id: 'scaling-off-at-zero',
  severity: 'warning',
  theme: 'writers',
  title: 'an autoscaler does not scale a workload that asks for 0 replicas',
  help: 'A HorizontalPodAutoscaler and a FederatedHPA do not scale a workload with 0 replicas, also with minReplicas above 0: it stays at 0 until an operator sets replicas. Replicas that a controller copies back from the members may have set it.',
  needs: ['Template'],
  uses: ['FederatedHPA'],
  symptoms: ['ScalingDisabled', 'replicas stay at 0'],
  issues: [4109, 4110],
  find: (seen) =>
    scaledTemplates(seen).flatMap(({ object, template }) => {
      if (numberIn('spec' in template ? template.spec : undefined, 'replicas') !== 0) return [];
      if (numberIn('spec' in object ? object.spec : undefined, 'minReplicas') === 0) return [];
      const workload = identityOf(template);
      return finding(
        [workload, identityOf(object)],
        `${objectText(workload)} asks for 0 replicas: ${objectText(identityOf(object))} does not scale it`,
        { rule: '0 replicas disable an autoscaler', object: workload, field: 'spec.replicas', value: 0 },
        'set replicas above 0, and the autoscaler takes over',
      );
    }),
};

/** The autoscalers whose target is in the state. */
function scaledTemplates(seen: Examined): { object: KubernetesObject; template: KubernetesObject }[] {
  const scalers = ['HorizontalPodAutoscaler', 'FederatedHPA'].flatMap((kind) => seen.ofKind(kind));
  if (scalers.length === 0) return [];
  const templates = new Map(seen.world.others.map((one) => [objectKey(identityOf(one)), one]));
  return scalers.flatMap((object) => {
    const { namespace } = object.metadata;
    const { scaleTargetRef: target } =
      (object as { spec?: { scaleTargetRef?: { kind: string; name: string } } }).spec ?? {};
    const key = target && { kind: target.kind, ...(namespace && { namespace }), name: target.name };
    const template = key && templates.get(objectKey(key));
    return template ? [{ object, template }] : [];
  });
}

export const hpaWithoutRetain: StateCheck = {
  id: 'hpa-without-retained-replicas',
  severity: 'warning',
  theme: 'writers',
  title: 'an HPA in the members and Karmada write the same replicas',
  help: 'A HorizontalPodAutoscaler is propagated, and Karmada sets the replicas of its target back at every change. The label resourcetemplate.karmada.io/retain-replicas: "true" prevents this for Deployments; another kind needs a ResourceInterpreterCustomization with a retention script.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['Pods are created and deleted alternately', 'replicas go back to the template'],
  issues: [7065],
  find: (seen) => {
    return scaledTemplates(seen).flatMap(({ object, template }) => {
      if (object.kind !== 'HorizontalPodAutoscaler') return [];
      if (retainsReplicas(template, seen.hooks())) return [];
      const workload = identityOf(template);
      const isByLabel = isRetainedByLabel(template);
      return finding(
        [workload],
        `${objectText(identityOf(object))} and Karmada both write the replicas of ${objectText(workload)}`,
        isByLabel
          ? {
              rule: `the label ${RETAIN_REPLICAS_LABEL} is not "true"`,
              object: workload,
              field: 'metadata.labels',
            }
          : {
              rule: `the label ${RETAIN_REPLICAS_LABEL} has no effect on this kind`,
              object: workload,
              field: 'kind',
            },
        isByLabel
          ? {
              text: 'let Karmada retain the replicas of the members',
              patches: [
                {
                  target: { apiVersion: template.apiVersion, ...workload },
                  merge: { metadata: { labels: { [RETAIN_REPLICAS_LABEL]: 'true' } } },
                },
              ],
            }
          : `write a ResourceInterpreterCustomization for ${template.kind} whose retention script keeps spec.replicas`,
      );
    });
  },
};
