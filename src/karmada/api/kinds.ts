import type { StructSchema } from '../../kubernetes/schema/schema.ts';
import type { Rules } from '../dialects/rules.ts';
import { policyTypes, type ClusterTaintPolicy, type PolicyTypes, type PropagationPolicy } from './policy.ts';
import { FederatedResourceQuota } from './quota.ts';
import { bindingTypes, type ResourceBinding } from './work.ts';

export interface KindSchema<T = unknown> {
  group: string;
  version: string;
  schema: StructSchema<T>;
}

/** The kinds that decide failover, with the fields of any version. */
export interface ApiKinds {
  PropagationPolicy: PropagationPolicy;
  ClusterPropagationPolicy: PropagationPolicy;
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

/** The types of the API of one version. */
export interface ApiTypes {
  policy: PolicyTypes;
  /** the kinds that decide failover, as the version stores them */
  known: { readonly [Kind in keyof ApiKinds]?: KindSchema<ApiKinds[Kind]> };
  /** the same by name */
  kinds: ReadonlyMap<string, KindSchema>;
  /** the line of source that an error about an unknown kind names */
  schemeSource: string;
}

const typesOf = new WeakMap<Rules, ApiTypes>();

/** The API types of a version, by its rules: made once, as every admission asks for them. */
export function apiTypes(rules: Rules): ApiTypes {
  let types = typesOf.get(rules);
  if (!types) typesOf.set(rules, (types = typesBy(rules)));
  return types;
}

function typesBy({ api, admission }: Rules): ApiTypes {
  const policy = policyTypes(api);
  const binding = bindingTypes(api);
  const known = {
    PropagationPolicy: policyKind(policy.PropagationPolicy),
    ClusterPropagationPolicy: policyKind(policy.ClusterPropagationPolicy),
    FederatedResourceQuota: policyKind(FederatedResourceQuota),
    ResourceBinding: workKind(binding.ResourceBinding),
    ClusterResourceBinding: workKind(binding.ClusterResourceBinding),
    ...(api.clusterTaintPolicy && { ClusterTaintPolicy: policyKind(policy.ClusterTaintPolicy) }),
  };
  const kinds = new Map<string, KindSchema>(Object.entries(known));
  return { policy, known, kinds, schemeSource: admission.schemeSource };
}
