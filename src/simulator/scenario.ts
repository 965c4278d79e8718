import type { MemberAssumptions } from '../karmada/members/memberAssumptions.ts';
import type { ConditionStatus, KubernetesObject, ObjectIdentity, TaintEffect } from '../karmada/api/meta.ts';
import type { ResourceHealth } from '../karmada/api/work.ts';

/** External events while Karmada's controllers run. */
export interface Scenario {
  /** epoch milliseconds */
  start: number;
  /** epoch milliseconds; absent: until it settles */
  until?: number;
  members: MemberAssumptions;
  events: ScenarioEvent[];
}

export interface ScenarioEvent {
  /** epoch milliseconds */
  at: number;
  action: ScenarioAction;
}

export type ScenarioAction =
  | { type: 'fail'; cluster: string }
  | { type: 'recover'; cluster: string }
  | { type: 'condition'; cluster: string; condition: ConditionChange; turned?: MemberTurn }
  | { type: 'taint'; cluster: string; taint: { key: string; value?: string; effect: TaintEffect } }
  | { type: 'untaint'; cluster: string; key: string; effect?: TaintEffect }
  | { type: 'health'; workload: ObjectIdentity; cluster: string; health: ResourceHealth }
  | { type: 'patch'; target: ObjectIdentity; merge: unknown }
  | { type: 'apply'; objects: KubernetesObject[] }
  | { type: 'delete'; target: ObjectIdentity }
  | { type: 'restart' | 'stop' | 'start'; component: StoppableComponent };

/** Components that a scenario can stop, start and restart. A restart replaces the process. */
export const STOPPABLE = ['karmada-controller-manager', 'karmada-scheduler'] as const;

type StoppableComponent = (typeof STOPPABLE)[number];

/**
 * When a member failed or recovered (epoch milliseconds), for an event that reports its Ready condition: the simulated
 * instant, and the earliest and latest possible ones.
 */
export interface MemberTurn {
  taken: number;
  earliest: number;
  latest: number;
}

export interface ConditionChange {
  type: string;
  status: ConditionStatus;
  reason?: string;
  message?: string;
}
