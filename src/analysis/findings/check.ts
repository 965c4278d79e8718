import type { FindingRule, Severity } from './finding.ts';

/** What checks read: kinds of the API by their names, and what Karmada's components are started with. */
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
  | 'Deployment'
  | 'PrometheusRule'
  | 'FederatedHPA'
  | 'CronFederatedHPA'
  /** objects that policies propagate */
  | 'Template'
  | 'Configuration';

/**
 * An entry of the catalogue: all about one thing that may be wrong, but for the words of a single finding, which views
 * find for its evidence.
 */
export interface Check<Id extends string = string> extends FindingRule {
  id: Id;
  severity: Severity;
  /** what it has to be given to say anything */
  needs: readonly Source[];
  /** what it says more of if it is given that, too */
  uses?: readonly Source[];
}

/** A check whose rule is asked of one thing after the other: what it finds is evidence, as data. */
export interface RuleOf<Thing, Found> extends Check {
  find(thing: Thing): Found[];
}

/** One of the checks that find the members of a union, with its id as their `code`. */
export type CheckOf<Thing, Found extends { code: string }> = Found extends unknown
  ? Check<Found['code']> & RuleOf<Thing, Found>
  : never;

/** What rules find in a thing, one rule after the other. */
export function found<Thing, Found>(rules: readonly RuleOf<Thing, Found>[], thing: Thing): Found[] {
  return rules.flatMap((rule) => rule.find(thing));
}
