import type { KubernetesObject } from './meta.ts';
import { CronFederatedHPA, FederatedHPA } from './autoscaling.ts';
import { ClusterSpec } from './cluster.ts';
import { Event } from './event.ts';
import { FederatedResourceQuota } from './quota.ts';
import { ResourceList, Toleration } from '../../kubernetes/schema/core.ts';
import { kindOf, ObjectMeta } from '../../kubernetes/schema/meta.ts';
import {
  bool,
  count32,
  int32,
  int64,
  list,
  map,
  optional,
  pointer,
  positiveQuantity,
  raw,
  required,
  string,
  struct,
  text,
  time,
  type Data,
  type Fields,
  type StructSchema,
} from '../../kubernetes/schema/schema.ts';

const Lease = kindOf('v1.Lease', {
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

const ServiceClusters = optional(list(struct('v1alpha1.ClusterSelector', { name: required(string) })));

const MultiClusterService = kindOf('v1alpha1.MultiClusterService', {
  spec: optional(
    struct('v1alpha1.MultiClusterServiceSpec', {
      types: optional(list(string)),
      ports: optional(
        list(struct('v1alpha1.ExposurePort', { name: optional(string), port: optional(int32) })),
      ),
      range: optional(struct('v1alpha1.ExposureRange', { clusterNames: optional(list(string)) })),
      providerClusters: ServiceClusters,
      consumerClusters: ServiceClusters,
      serviceProvisionClusters: optional(list(string)),
      serviceConsumptionClusters: optional(list(string)),
    }),
  ),
});

const PrometheusRule = kindOf('v1.PrometheusRule', {
  spec: optional(
    struct('v1.PrometheusRuleSpec', {
      groups: optional(
        list(
          struct('v1.RuleGroup', {
            rules: optional(
              list(
                struct('v1.Rule', {
                  alert: optional(string),
                  record: optional(string),
                  // a number or a string
                  expr: optional(raw),
                }),
              ),
            ),
          }),
        ),
      ),
    }),
  ),
});

const PriorityClass = kindOf('v1.PriorityClass', { value: optional(int32) });

const Rebalanced = struct('v1alpha1.ObjectReference', {
  apiVersion: optional(string),
  kind: required(string),
  namespace: optional(string),
  name: required(string),
});

const WorkloadRebalancer = kindOf('v1alpha1.WorkloadRebalancer', {
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

const script = optional(pointer(struct('v1alpha1.LuaScript', { luaScript: optional(string) })));

const ResourceInterpreterCustomization = kindOf('v1alpha1.ResourceInterpreterCustomization', {
  spec: optional(
    struct('v1alpha1.ResourceInterpreterCustomizationSpec', {
      target: optional(
        struct('v1alpha1.CustomizationTarget', { apiVersion: optional(string), kind: optional(string) }),
      ),
      customizations: optional(
        struct('v1alpha1.CustomizationRules', {
          retention: script,
          replicaResource: script,
          componentResource: script,
          replicaRevision: script,
          statusReflection: script,
          statusAggregation: script,
          healthInterpretation: script,
          dependencyInterpretation: script,
        }),
      ),
    }),
  ),
});

const texts = optional(list(string));

const ResourceInterpreterWebhookConfiguration = kindOf('v1alpha1.ResourceInterpreterWebhookConfiguration', {
  webhooks: optional(
    list(
      struct('v1alpha1.ResourceInterpreterWebhook', {
        name: optional(string),
        clientConfig: optional(raw),
        timeoutSeconds: optional(pointer(int32)),
        interpreterContextVersions: texts,
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

// the fields that Karmada's default interpreters read, for each kind that they support

const Named = struct('v1.LocalObjectReference', { name: optional(string) });
const SecretVolume = struct('v1.SecretVolumeSource', { secretName: optional(string) });

const Requests = map(positiveQuantity, 'v1.ResourceList');

const Container = struct('v1.Container', {
  resources: optional(
    struct('v1.ResourceRequirements', { limits: optional(Requests), requests: optional(Requests) }),
  ),
  env: optional(
    list(
      struct('v1.EnvVar', {
        valueFrom: optional(
          pointer(
            struct('v1.EnvVarSource', {
              configMapKeyRef: optional(pointer(Named)),
              secretKeyRef: optional(pointer(Named)),
            }),
          ),
        ),
      }),
    ),
  ),
  envFrom: optional(
    list(
      struct('v1.EnvFromSource', {
        configMapRef: optional(pointer(Named)),
        secretRef: optional(pointer(Named)),
      }),
    ),
  ),
});

const Volume = struct('v1.Volume', {
  configMap: optional(pointer(Named)),
  secret: optional(pointer(SecretVolume)),
  persistentVolumeClaim: optional(
    pointer(struct('v1.PersistentVolumeClaimVolumeSource', { claimName: optional(string) })),
  ),
  projected: optional(
    pointer(
      struct('v1.ProjectedVolumeSource', {
        sources: optional(
          list(
            struct('v1.VolumeProjection', {
              configMap: optional(pointer(Named)),
              secret: optional(pointer(Named)),
            }),
          ),
        ),
      }),
    ),
  ),
});

const podFields = {
  containers: optional(list(Container)),
  initContainers: optional(list(Container)),
  ephemeralContainers: optional(list(Container)),
  overhead: optional(ResourceList),
  nodeSelector: optional(map(string)),
  tolerations: optional(list(Toleration)),
  affinity: optional(pointer(struct('v1.Affinity', { nodeAffinity: optional(pointer(raw)) }))),
  priorityClassName: optional(string),
  serviceAccountName: optional(string),
  imagePullSecrets: optional(list(Named)),
  volumes: optional(list(Volume)),
};

const PodTemplate = struct('v1.PodTemplateSpec', {
  metadata: optional(ObjectMeta),
  spec: optional(struct('v1.PodSpec', podFields)),
});

const count = optional(pointer(count32));

const workload = <F extends Fields>(goType: string, spec: F) =>
  kindOf(goType, { spec: optional(struct(`${goType}Spec`, spec)) });

const byReplicas = (goType: string) => workload(goType, { replicas: count, template: optional(PodTemplate) });
const jobFields = { parallelism: count, completions: count, template: optional(PodTemplate) };

/** Kubernetes' workload kinds, and others whose pods Karmada reads, by apiVersion and kind: "apps/v1/Deployment". */
const workloadKinds: ReadonlyMap<string, StructSchema> = new Map<string, StructSchema>([
  ['apps/v1/Deployment', byReplicas('v1.Deployment')],
  ['apps/v1/ReplicaSet', byReplicas('v1.ReplicaSet')],
  [
    'apps/v1/StatefulSet',
    workload('v1.StatefulSet', {
      replicas: count,
      template: optional(PodTemplate),
      volumeClaimTemplates: optional(
        list(struct('v1.PersistentVolumeClaim', { metadata: optional(ObjectMeta) })),
      ),
    }),
  ],
  ['apps/v1/DaemonSet', workload('v1.DaemonSet', { template: optional(PodTemplate) })],
  ['batch/v1/Job', workload('v1.Job', jobFields)],
  [
    'batch/v1/CronJob',
    workload('v1.CronJob', {
      jobTemplate: optional(
        struct('v1.JobTemplateSpec', { spec: optional(struct('v1.JobSpec', jobFields)) }),
      ),
    }),
  ],
  ['v1/Pod', workload('v1.Pod', podFields)],
  ['apps.kruise.io/v1alpha1/CloneSet', byReplicas('v1alpha1.CloneSet')],
  ['apps.kruise.io/v1beta1/StatefulSet', byReplicas('v1beta1.StatefulSet')],
  ['apps.kruise.io/v1alpha1/BroadcastJob', workload('v1alpha1.BroadcastJob', jobFields)],
  ['kubeflow.org/v1/Notebook', byReplicas('v1.Notebook')],
  [
    'networking.k8s.io/v1/Ingress',
    workload('v1.Ingress', {
      tls: optional(list(struct('v1.IngressTLS', { secretName: optional(string) }))),
    }),
  ],
]);

/** The apiVersion and schema of each kind that rules read. */
const read = {
  Event: ['v1', Event],
  Lease: ['coordination.k8s.io/v1', Lease],
  PriorityClass: ['scheduling.k8s.io/v1', PriorityClass],
  MultiClusterService: ['networking.karmada.io/v1alpha1', MultiClusterService],
  PrometheusRule: ['monitoring.coreos.com/v1', PrometheusRule],
  FederatedHPA: ['autoscaling.karmada.io/v1alpha1', FederatedHPA],
  CronFederatedHPA: ['autoscaling.karmada.io/v1alpha1', CronFederatedHPA],
  WorkloadRebalancer: ['apps.karmada.io/v1alpha1', WorkloadRebalancer],
  FederatedResourceQuota: ['policy.karmada.io/v1alpha1', FederatedResourceQuota],
  ResourceInterpreterCustomization: ['config.karmada.io/v1alpha1', ResourceInterpreterCustomization],
  ResourceInterpreterWebhookConfiguration: [
    'config.karmada.io/v1alpha1',
    ResourceInterpreterWebhookConfiguration,
  ],
} as const satisfies Record<string, readonly [apiVersion: string, schema: StructSchema]>;

/** The kinds among the `others` of a World that are read beyond their metadata, by apiVersion and kind: "v1/Pod". */
export const otherKinds: ReadonlyMap<string, StructSchema> = new Map([
  ...workloadKinds,
  ...Object.entries(read).map(([kind, [apiVersion, schema]]) => [`${apiVersion}/${kind}`, schema] as const),
]);

// cluster.karmada.io/v1alpha1: including fields that no rule reads
const RegisteredCluster = kindOf('v1alpha1.Cluster', {
  spec: required(
    struct('v1alpha1.ClusterSpec', {
      ...ClusterSpec.fields,
      secretRef: optional(pointer(raw)),
      impersonatorSecretRef: optional(pointer(raw)),
      insecureSkipTLSVerification: optional(bool),
      proxyURL: optional(string),
      proxyHeader: optional(map(string)),
    }),
  ),
});

const Remedy = kindOf('v1alpha1.Remedy', {
  spec: optional(
    struct('v1alpha1.RemedySpec', {
      clusterAffinity: optional(pointer(struct('v1alpha1.ClusterAffinity', { clusterNames: texts }))),
      decisionMatches: optional(
        list(
          struct('v1alpha1.DecisionMatch', {
            clusterConditionMatch: optional(
              pointer(
                struct('v1alpha1.ClusterConditionRequirement', {
                  conditionType: optional(string),
                  operator: optional(string),
                  conditionStatus: optional(string),
                }),
              ),
            ),
          }),
        ),
      ),
      actions: texts,
    }),
  ),
});

// operator.karmada.io/v1alpha1: with all fields of the components that decide failover
const common = {
  imageRepository: optional(string),
  imageTag: optional(string),
  imagePullPolicy: optional(string),
  replicas: count,
  labels: optional(map(string)),
  annotations: optional(map(string)),
  resources: optional(raw),
  priorityClassName: optional(string),
  podDisruptionBudgetConfig: optional(pointer(raw)),
  tolerations: optional(list(raw)),
  affinity: optional(pointer(raw)),
  extraArgs: optional(map(string)),
};
const gates = { featureGates: optional(map(bool)) };
const component = <F extends Fields>(name: string, fields: F) =>
  optional(pointer(struct(`v1alpha1.${name}`, { ...common, ...fields })));
const unread = optional(pointer(raw));

const Karmada = kindOf('v1alpha1.Karmada', {
  spec: optional(
    struct('v1alpha1.KarmadaSpec', {
      hostCluster: unread,
      privateRegistry: unread,
      components: optional(
        pointer(
          struct('v1alpha1.KarmadaComponents', {
            etcd: unread,
            karmadaAPIServer: unread,
            karmadaAggregatedAPIServer: unread,
            kubeControllerManager: unread,
            karmadaControllerManager: component('KarmadaControllerManager', { controllers: texts, ...gates }),
            karmadaScheduler: component('KarmadaScheduler', gates),
            karmadaWebhook: component('KarmadaWebhook', {}),
            karmadaDescheduler: component('KarmadaDescheduler', {}),
            karmadaSearch: unread,
            karmadaMetricsAdapter: unread,
          }),
        ),
      ),
      ...gates,
      crdTarball: unread,
      customCertificate: unread,
      suspend: optional(pointer(bool)),
    }),
  ),
});

/** More Karmada kinds, with all manifest fields that decide failover. */
const whole: Readonly<Record<string, StructSchema>> = {
  'apps.karmada.io/v1alpha1/WorkloadRebalancer': WorkloadRebalancer,
  'networking.karmada.io/v1alpha1/MultiClusterService': MultiClusterService,
  'autoscaling.karmada.io/v1alpha1/FederatedHPA': FederatedHPA,
  'autoscaling.karmada.io/v1alpha1/CronFederatedHPA': CronFederatedHPA,
  'config.karmada.io/v1alpha1/ResourceInterpreterCustomization': ResourceInterpreterCustomization,
  'config.karmada.io/v1alpha1/ResourceInterpreterWebhookConfiguration':
    ResourceInterpreterWebhookConfiguration,
  'cluster.karmada.io/v1alpha1/Cluster': RegisteredCluster,
  'remedy.karmada.io/v1alpha1/Remedy': Remedy,
  'operator.karmada.io/v1alpha1/Karmada': Karmada,
};

/** The schema of a kind if it has all user-written fields; undefined if it has only those that rules read. */
export function wholeSchema(apiVersion: string, kind: string): StructSchema | undefined {
  return whole[`${apiVersion}/${kind}`];
}

/** The kinds among the `others` of a World whose fields rules read. */
export type OtherKind = keyof typeof read;

export type OtherObject<Kind extends OtherKind> = KubernetesObject & Data<(typeof read)[Kind][1]>;

/** Whether an object has this kind, in the version that rules read. Its fields were checked with the state. */
export function isOtherKind<Kind extends OtherKind>(
  object: KubernetesObject | undefined,
  kind: Kind,
): object is OtherObject<Kind> {
  return object?.kind === kind && object.apiVersion === read[kind][0];
}
