import type { StructSchema } from '../../kubernetes/schema/schema.ts';
import type { Rules } from '../dialects/rules.ts';
import { bindingTypes } from './binding.ts';
import { policyTypes, type PolicyTypes } from './policy.ts';
import { FederatedResourceQuota } from './quota.ts';

export interface KindSchema {
  group: string;
  version: string;
  schema: StructSchema;
}

const policyKind = (schema: StructSchema): KindSchema => ({
  group: 'policy.karmada.io',
  version: 'v1alpha1',
  schema,
});
const workKind = (schema: StructSchema): KindSchema => ({
  group: 'work.karmada.io',
  version: 'v1alpha2',
  schema,
});

/** The types of the API of one version. */
export interface ApiTypes {
  policy: PolicyTypes;
  /** the kinds that decide failover, as the version stores them, by name */
  kinds: ReadonlyMap<string, KindSchema>;
  /** the line of source that an error about an unknown kind names */
  schemeSource: string;
}

/** The API types of a version, by its rules. */
export function apiTypes({ api, admission }: Rules): ApiTypes {
  const policy = policyTypes(api);
  const { ResourceBinding, ClusterResourceBinding } = bindingTypes(api);
  const kinds = new Map([
    ['PropagationPolicy', policyKind(policy.PropagationPolicy)],
    ['ClusterPropagationPolicy', policyKind(policy.ClusterPropagationPolicy)],
    ['FederatedResourceQuota', policyKind(FederatedResourceQuota)],
    ['ResourceBinding', workKind(ResourceBinding)],
    ['ClusterResourceBinding', workKind(ClusterResourceBinding)],
  ]);
  if (api.clusterTaintPolicy) kinds.set('ClusterTaintPolicy', policyKind(policy.ClusterTaintPolicy));
  return { policy, kinds, schemeSource: admission.schemeSource };
}
