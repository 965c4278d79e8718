import type { Cluster } from '../../../../src/karmada/api/cluster.ts';
import type { Condition, Taint } from '../../../../src/karmada/api/meta.ts';
import type {
  ClusterTaintPolicy,
  ClusterTaintPolicySpec,
  MatchCondition,
  TaintToAdd,
} from '../../../../src/karmada/api/policy.ts';
import type { TaintEffect } from '../../../../src/kubernetes/schema/core.ts';
import { rfc3339 } from '../../../../src/kubernetes/time.ts';

/** The second 0 of these tests, epoch milliseconds. */
export const BEGIN = Date.parse('2025-01-17T02:00:00Z');
export const at = (seconds: number) => BEGIN + seconds * 1000;

/** "Ready In False Unknown" */
export function match(text: string): MatchCondition {
  const [conditionType = '', operator = '', ...statusValues] = text.split(' ');
  return { conditionType, operator, statusValues };
}

/** "Ready=False@12": a condition with its status, and the second of its last transition; undated without one. */
export function condition(text: string): Condition {
  const [what = '', second] = text.split('@');
  const [type = '', status = ''] = what.split('=');
  return {
    type,
    status: status as Condition['status'],
    ...(second !== undefined && { lastTransitionTime: rfc3339(at(Number(second))) }),
  };
}

/** "key=value:NoExecute +300 -180" */
export function window(text: string): TaintToAdd {
  const [taint = '', ...seconds] = text.split(' ');
  const [pair = '', effect = ''] = taint.split(':');
  const [key = '', value] = pair.split('=');
  const of = (sign: string) => seconds.find((one) => one.startsWith(sign))?.slice(1);
  const [add, remove] = [of('+'), of('-')];
  return {
    key,
    ...(value && { value }),
    effect: effect as TaintEffect,
    ...(add !== undefined && { addOnMatchSeconds: Number(add) }),
    ...(remove !== undefined && { removeOnMismatchSeconds: Number(remove) }),
  };
}

/** A policy created at second 0, unless set otherwise. */
export function windowPolicy(
  matchConditions: string[],
  taints: string[],
  { name = 'p', created = 0, ...spec }: { name?: string; created?: number } & ClusterTaintPolicySpec = {},
): ClusterTaintPolicy {
  return {
    metadata: { name, creationTimestamp: rfc3339(at(created)) },
    spec: { ...spec, matchConditions: matchConditions.map(match), taintsToAdd: taints.map(window) },
  };
}

/** A cluster created at second 0. */
export function clusterWith(conditions: string[], taints: Taint[] = []): Cluster {
  return {
    metadata: { name: 'm1', creationTimestamp: rfc3339(BEGIN) },
    spec: { taints },
    status: { conditions: conditions.map(condition) },
  };
}
