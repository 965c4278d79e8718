import { ObjectMeta, TypeMeta } from '../../kubernetes/schema/meta.ts';
import {
  embedded,
  int32,
  int64,
  list,
  optional,
  pointer,
  required,
  string,
  struct,
  text,
  time,
} from '../../kubernetes/schema/schema.ts';
import type { Field, StructSchema } from '../../kubernetes/schema/schema.ts';
import { workloadKinds } from './workloads.ts';

const kind = (goType: string, fields: Record<string, Field>): StructSchema =>
  struct(goType, { ...embedded('TypeMeta', TypeMeta), metadata: optional(ObjectMeta), ...fields });

const Lease = kind('v1.Lease', {
  spec: optional(
    struct('v1.LeaseSpec', {
      holderIdentity: optional(pointer(string)),
      leaseDurationSeconds: optional(pointer(int32)),
      acquireTime: optional(pointer(time)),
      renewTime: optional(pointer(time)),
      leaseTransitions: optional(pointer(int32)),
    }),
  ),
});

const PriorityClass = kind('v1.PriorityClass', { value: optional(int32) });

const Rebalanced = struct('v1alpha1.ObjectReference', {
  apiVersion: optional(string),
  kind: required(string),
  namespace: optional(string),
  name: required(string),
});

const WorkloadRebalancer = kind('v1alpha1.WorkloadRebalancer', {
  spec: optional(
    struct('v1alpha1.WorkloadRebalancerSpec', {
      workloads: optional(list(Rebalanced)),
      ttlSecondsAfterFinished: optional(pointer(int32)),
    }),
  ),
  status: optional(
    struct('v1alpha1.WorkloadRebalancerStatus', {
      observedWorkloads: optional(
        list(
          struct('v1alpha1.ObservedWorkload', {
            workload: required(Rebalanced),
            result: optional(text('v1alpha1.RebalanceResult')),
            reason: optional(text('v1alpha1.RebalanceFailedReason')),
          }),
        ),
      ),
      observedGeneration: optional(int64),
      finishTime: optional(pointer(time)),
    }),
  ),
});

// no decision rests on Events: one without an object or a time is not worth refusing a state
const Event = kind('v1.Event', {
  involvedObject: optional(
    struct('v1.ObjectReference', {
      kind: optional(string),
      namespace: optional(string),
      name: optional(string),
    }),
  ),
  reason: optional(string),
  message: optional(string),
  source: optional(struct('v1.EventSource', { component: optional(string) })),
  firstTimestamp: optional(pointer(string)),
  lastTimestamp: optional(pointer(string)),
  count: optional(int32),
});

const script = optional(pointer(struct('v1alpha1.LuaScript', { luaScript: optional(string) })));

const ResourceInterpreterCustomization = kind('v1alpha1.ResourceInterpreterCustomization', {
  spec: optional(
    struct('v1alpha1.ResourceInterpreterCustomizationSpec', {
      target: optional(
        struct('v1alpha1.CustomizationTarget', { apiVersion: optional(string), kind: optional(string) }),
      ),
      customizations: optional(
        struct('v1alpha1.CustomizationRules', {
          healthInterpretation: script,
          replicaRevision: script,
          replicaResource: script,
          componentResource: script,
        }),
      ),
    }),
  ),
});

const texts = optional(list(string));

const ResourceInterpreterWebhookConfiguration = kind('v1alpha1.ResourceInterpreterWebhookConfiguration', {
  webhooks: optional(
    list(
      struct('v1alpha1.ResourceInterpreterWebhook', {
        rules: optional(
          list(
            struct('v1alpha1.RuleWithOperations', {
              operations: texts,
              apiGroups: texts,
              apiVersions: texts,
              kinds: texts,
            }),
          ),
        ),
      }),
    ),
  ),
});

/** The kinds among the `others` of a World of which more than the metadata is read, by apiVersion and kind: "v1/Pod". */
export const otherKinds: ReadonlyMap<string, StructSchema> = new Map([
  ...workloadKinds,
  ['v1/Event', Event],
  ['coordination.k8s.io/v1/Lease', Lease],
  ['scheduling.k8s.io/v1/PriorityClass', PriorityClass],
  ['apps.karmada.io/v1alpha1/WorkloadRebalancer', WorkloadRebalancer],
  ['config.karmada.io/v1alpha1/ResourceInterpreterCustomization', ResourceInterpreterCustomization],
  [
    'config.karmada.io/v1alpha1/ResourceInterpreterWebhookConfiguration',
    ResourceInterpreterWebhookConfiguration,
  ],
]);
