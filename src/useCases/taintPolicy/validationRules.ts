import type { FindingRule } from '../../analysis/findings/finding.ts';

/** The rules about what the API server and Karmada's webhook refuse. */
export const admissionRules = {
  unknownApi: {
    id: 'unknown-api',
    title: 'the control plane does not serve this version of ClusterTaintPolicy',
    help: 'ClusterTaintPolicies are of policy.karmada.io/v1alpha1, and Karmada has had them since v1.14. Correct apiVersion, or say which version of Karmada the policy is for.',
  },
  unknownField: {
    id: 'unknown-field',
    title: 'the kind does not have this field',
    help: "The API server refuses fields that a kind does not have (strict field validation, kubectl's default); without it they are dropped in silence. Correct the name: kubectl explain clustertaintpolicies.spec --recursive prints all.",
  },
  objectName: {
    id: 'object-name',
    title: 'the object needs a name that the API server takes',
    help: 'metadata.name must be a DNS subdomain: lower case letters, digits, - and ., at most 253 characters.',
  },
  schema: {
    id: 'crd-schema',
    title: 'a field has another type or value than the schema allows',
    help: 'The API server checks every policy by the schema in the CustomResourceDefinition of its Karmada version, and refuses what breaks it.',
  },
  webhook: {
    id: 'webhook',
    title: "Karmada's webhook refuses the policy",
    help: 'karmada-webhook refuses a key and effect that are listed twice, and NoExecute unless it runs with --allow-no-execute-taint-policy=true (then assume allow-no-execute-taint-policy=true).',
  },
  uselessIgnore: {
    id: 'useless-ignore',
    title: 'an annotation ignores a rule that finds nothing here',
    help: 'The annotation karmada-failover/ignore.RULE keeps a rule from counting in one object. If the rule finds nothing, or cannot be ignored, remove the annotation.',
  },
  otherForm: {
    id: 'other-form',
    title: 'the policy is in the form of another control plane',
    help: 'What Karmada ships has targetClusters, addOnConditions, removeOnConditions and taints; the design Optimize Cluster Failover has targetCluster, matchConditions and taintsToAdd. The API server of one drops or refuses the fields of the other. taint-policy convert turns a policy into the other form and names what that changes.',
  },
} as const satisfies Record<string, FindingRule>;

/** All our own rules for policies in files. */
export const ownRules: readonly FindingRule[] = Object.values(admissionRules);
