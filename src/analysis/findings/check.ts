import type { FindingRule, Severity } from './finding.ts';

/** The inputs of checks: API kinds by name, and the settings of Karmada's components. */
export type Source =
  | 'ClusterTaintPolicy'
  | 'Cluster'
  | 'ResourceBinding'
  | 'Work'
  | 'PropagationPolicy'
  | 'OverridePolicy'
  | 'FederatedResourceQuota'
  | 'WorkloadRebalancer'
  | 'MultiClusterService'
  | 'Lease'
  | 'Namespace'
  | 'APIService'
  | 'Deployment'
  | 'PrometheusRule'
  | 'FederatedHPA'
  | 'CronFederatedHPA'
  | 'Event'
  /** objects that policies propagate */
  | 'Template'
  | 'Configuration';

/**
 * An entry of the catalogue: everything about one kind of problem except the words of a single finding, which views
 * derive from its evidence.
 */
export interface Check<Id extends string = string> extends FindingRule {
  id: Id;
  severity: Severity;
  /** required inputs: it finds nothing without them */
  needs: readonly Source[];
  /** optional inputs: it finds more with them */
  uses?: readonly Source[];
}

/** A check whose rule is applied item by item and returns evidence as data. */
export interface RuleOf<Thing, Found> extends Check {
  find(thing: Thing): Found[];
}

/** One of the checks that find the members of a union, with its id as their `code`. */
export type CheckOf<Thing, Found extends { code: string }> = Found extends unknown
  ? Check<Found['code']> & RuleOf<Thing, Found>
  : never;

/** The findings of rules about an item, rule by rule. */
export function findingsOf<Thing, Found>(rules: readonly RuleOf<Thing, Found>[], thing: Thing): Found[] {
  return rules.flatMap((rule) => rule.find(thing));
}
