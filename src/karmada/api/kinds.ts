import type { StructSchema } from '../../kubernetes/schema/schema.ts';
import type { Rules } from '../dialects/rules.ts';
import { overrideTypes, type OverridePolicy, type OverrideTypes } from './override.ts';
import { policyTypes, type ClusterTaintPolicy, type PolicyTypes, type PropagationPolicy } from './policy.ts';
import { FederatedResourceQuota } from './quota.ts';
import { bindingTypes, type ResourceBinding } from './work.ts';
import { lazilyFor } from '../../kubernetes/lazily.ts';

export interface KindSchema<T = unknown> {
  group: string;
  version: string;
  schema: StructSchema<T>;
}

/** The kinds that decide failover, and override policies, with the fields of every version. */
export interface ApiKinds {
  PropagationPolicy: PropagationPolicy;
  ClusterPropagationPolicy: PropagationPolicy;
  OverridePolicy: OverridePolicy;
  ClusterOverridePolicy: OverridePolicy;
  FederatedResourceQuota: FederatedResourceQuota;
  ResourceBinding: ResourceBinding;
  ClusterResourceBinding: ResourceBinding;
  ClusterTaintPolicy: ClusterTaintPolicy;
}

const policyKind = <T>(schema: StructSchema<T>): KindSchema<T> => ({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  schema,
});
const workKind = <T>(schema: StructSchema<T>): KindSchema<T> => ({
  group: 'work.karmada.io',
  version: 'v1alpha2',
  schema,
});

export interface ApiTypes {
  policy: PolicyTypes;
  override: OverrideTypes;
  /** the kinds that decide failover, in the version's storage form */
  known: { readonly [Kind in keyof ApiKinds]?: KindSchema<ApiKinds[Kind]> };
  /** the same kinds by name */
  kinds: ReadonlyMap<string, KindSchema>;
  /** the source line that an error about an unknown kind names */
  schemeSource: string;
}

/** Karmada kinds that no rule here reads, with the only API version that every release serves. */
export const otherApiVersions: Readonly<Record<string, string>> = {
  WorkloadRebalancer: 'apps.karmada.io/v1alpha1',
  FederatedHPA: 'autoscaling.karmada.io/v1alpha1',
  CronFederatedHPA: 'autoscaling.karmada.io/v1alpha1',
  Cluster: 'cluster.karmada.io/v1alpha1',
  ResourceInterpreterCustomization: 'config.karmada.io/v1alpha1',
  ResourceInterpreterWebhookConfiguration: 'config.karmada.io/v1alpha1',
  MultiClusterIngress: 'networking.karmada.io/v1alpha1',
  MultiClusterService: 'networking.karmada.io/v1alpha1',
  Karmada: 'operator.karmada.io/v1alpha1',
  Remedy: 'remedy.karmada.io/v1alpha1',
  ResourceRegistry: 'search.karmada.io/v1alpha1',
  Work: 'work.karmada.io/v1alpha1',
};

/** Older API versions with other fields that every release still serves. */
const OLDER: Readonly<Record<string, string>> = {
  ResourceBinding: 'work.karmada.io/v1alpha1',
  ClusterResourceBinding: 'work.karmada.io/v1alpha1',
};

/** Whether Karmada's API server accepts objects of a kind in this older API version. */
export function isOlderVersion(apiVersion: string, kind: string): boolean {
  return Object.hasOwn(OLDER, kind) && OLDER[kind] === apiVersion;
}

/** The API types of a version, by its rules: cached, because every admission needs them. */
export const apiTypes = lazilyFor(({ api, admission }: Rules): ApiTypes => {
  const policy = policyTypes(api);
  const override = overrideTypes(api);
  const binding = bindingTypes(api);
  const known = {
    PropagationPolicy: policyKind(policy.PropagationPolicy),
    ClusterPropagationPolicy: policyKind(policy.ClusterPropagationPolicy),
    OverridePolicy: policyKind(override.OverridePolicy),
    ClusterOverridePolicy: policyKind(override.ClusterOverridePolicy),
    FederatedResourceQuota: policyKind(FederatedResourceQuota),
    ResourceBinding: workKind(binding.ResourceBinding),
    ClusterResourceBinding: workKind(binding.ClusterResourceBinding),
    ...(api.clusterTaintPolicy && { ClusterTaintPolicy: policyKind(policy.ClusterTaintPolicy) }),
  };
  const kinds = new Map<string, KindSchema>(Object.entries(known));
  return { policy, override, known, kinds, schemeSource: admission.schemeSource };
});
