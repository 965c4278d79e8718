import type { FindingRule, Severity } from './finding.ts';

/** The inputs of checks: kinds of the API by their names, and the settings of Karmada's components. */
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
  /** inputs without which it finds nothing */
  needs: readonly Source[];
  /** further inputs that let it find more */
  uses?: readonly Source[];
}

/** A check whose rule is applied to one thing after the other: it finds evidence, as data. */
export interface RuleOf<Thing, Found> extends Check {
  find(thing: Thing): Found[];
}

/** One of the checks that find the members of a union, with its id as their `code`. */
export type CheckOf<Thing, Found extends { code: string }> = Found extends unknown
  ? Check<Found['code']> & RuleOf<Thing, Found>
  : never;

/** The findings of rules about a thing, one rule after the other. */
export function findingsOf<Thing, Found>(rules: readonly RuleOf<Thing, Found>[], thing: Thing): Found[] {
  return rules.flatMap((rule) => rule.find(thing));
}
