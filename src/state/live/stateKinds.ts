import {
  CLUSTER_RESOURCE_BINDINGS,
  CLUSTERS,
  RESOURCE_BINDINGS,
  WORKS,
  type ApiResource,
} from './resources.ts';

/** A kind of the control plane that answers depend on. */
export interface StateKind extends ApiResource {
  /** one of the kinds that policies select */
  isTemplate?: boolean;
  /** only for the past */
  isHistory?: boolean;
  /** read only for checks of the control plane */
  isForChecks?: boolean;
  /** only its objects in this namespace count */
  inNamespace?: string;
  /** the part of answers that is missing if it cannot be read; absent: no answer is possible without it */
  without?: string;
}

const POLICY = { group: 'policy.karmada.io', version: 'v1alpha1' };
const AUTOSCALING = { group: 'autoscaling.karmada.io', version: 'v1alpha1', namespaced: true };
const CONFIG = { group: 'config.karmada.io', version: 'v1alpha1', namespaced: false };

const unknownInterpreters = 'unknown whether Karmada can judge the health of custom kinds';
const unknownScalers = 'unknown whether an autoscaler writes replicas';
const unknownOverrides = 'a policy waiting for override policies appears to wait forever';

/**
 * All kinds that are read from a live control plane besides resource templates, in the order of a state.
 * docs/rbac.yaml grants these kinds and no others; a test compares the two.
 */
export const STATE_KINDS: readonly StateKind[] = [
  CLUSTERS,
  RESOURCE_BINDINGS,
  CLUSTER_RESOURCE_BINDINGS,
  { ...WORKS, without: 'copies and their replicas are inferred from what the bindings report' },
  {
    ...POLICY,
    kind: 'PropagationPolicy',
    resource: 'propagationpolicies',
    namespaced: true,
    without: 'the effect of a policy change is unknown',
  },
  {
    ...POLICY,
    kind: 'ClusterPropagationPolicy',
    resource: 'clusterpropagationpolicies',
    namespaced: false,
    without: 'the effect of a policy change is unknown',
  },
  {
    ...POLICY,
    kind: 'ClusterTaintPolicy',
    resource: 'clustertaintpolicies',
    namespaced: false,
    without: 'the taints of a failed cluster are unknown',
  },
  {
    ...POLICY,
    kind: 'OverridePolicy',
    resource: 'overridepolicies',
    namespaced: true,
    without: unknownOverrides,
  },
  {
    ...POLICY,
    kind: 'ClusterOverridePolicy',
    resource: 'clusteroverridepolicies',
    namespaced: false,
    without: unknownOverrides,
  },
  {
    ...CONFIG,
    kind: 'ResourceInterpreterCustomization',
    resource: 'resourceinterpretercustomizations',
    without: unknownInterpreters,
  },
  {
    ...CONFIG,
    kind: 'ResourceInterpreterWebhookConfiguration',
    resource: 'resourceinterpreterwebhookconfigurations',
    without: unknownInterpreters,
  },
  {
    ...POLICY,
    kind: 'FederatedResourceQuota',
    resource: 'federatedresourcequotas',
    namespaced: true,
    without: 'refusals by quotas are unknown',
  },
  { ...AUTOSCALING, kind: 'FederatedHPA', resource: 'federatedhpas', without: unknownScalers },
  { ...AUTOSCALING, kind: 'CronFederatedHPA', resource: 'cronfederatedhpas', without: unknownScalers },
  {
    kind: 'WorkloadRebalancer',
    group: 'apps.karmada.io',
    version: 'v1alpha1',
    resource: 'workloadrebalancers',
    namespaced: false,
    without: 'applied ones appear to be new',
  },
  {
    // the agents of Pull members renew their Leases here
    kind: 'Lease',
    group: 'coordination.k8s.io',
    version: 'v1',
    resource: 'leases',
    namespaced: true,
    inNamespace: 'karmada-cluster',
    without: 'the time when Karmada detects that an agent stopped is an estimate',
  },
  {
    kind: 'PriorityClass',
    group: 'scheduling.k8s.io',
    version: 'v1',
    resource: 'priorityclasses',
    namespaced: false,
    without: 'policies with a priority class appear to wait for it',
  },
];

/**
 * The namespaces where leaders of Karmada's components renew their Leases every few seconds: read, but never followed.
 */
export const LEADER_LEASES: StateKind = {
  kind: 'Lease',
  group: 'coordination.k8s.io',
  version: 'v1',
  resource: 'leases',
  namespaced: true,
  inNamespace: 'karmada-system',
  without: 'it is unknown whether the leaders of Karmada’s components run',
};

/** The additional kinds for checks of a control plane (`doctor`). docs/rbac.yaml grants them in a separate role. */
export const CHECKED_KINDS: readonly StateKind[] = [
  {
    kind: 'Namespace',
    group: '',
    version: 'v1',
    resource: 'namespaces',
    namespaced: false,
    without: 'execution spaces without a cluster are not found',
  },
  {
    kind: 'MultiClusterService',
    group: 'networking.karmada.io',
    version: 'v1alpha1',
    resource: 'multiclusterservices',
    namespaced: true,
    without: 'Services that point to failed clusters are not found',
  },
  {
    kind: 'APIService',
    group: 'apiregistration.k8s.io',
    version: 'v1',
    resource: 'apiservices',
    namespaced: false,
    without: 'APIs that nothing answers are not found',
  },
  {
    kind: 'PrometheusRule',
    group: 'monitoring.coreos.com',
    version: 'v1',
    resource: 'prometheusrules',
    namespaced: true,
    without: 'alerts that never fire are not found',
  },
].map((kind) => ({ ...kind, isForChecks: true }));
