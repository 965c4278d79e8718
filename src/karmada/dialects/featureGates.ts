import type { Component } from './flags.ts';
import { valueAt, releasesText, type History } from './history.ts';
import type { Release } from './release.ts';

interface GateState {
  default: boolean;
  /** AllAlpha or AllBeta switches it */
  stage: 'Alpha' | 'Beta';
}

/** A feature gate by release; undefined in releases without it. */
interface GateHistory extends History<GateState | undefined> {
  /** the component whose gate decides; each component has its own value */
  decidedBy: Component;
}

const unknown = { value: undefined };
const alpha: GateState = { default: false, stage: 'Alpha' };
const betaOn: GateState = { default: true, stage: 'Beta' };
const betaOff: GateState = { default: false, stage: 'Beta' };

/** The gates that our rules read (pkg/features of every release). */
export const decidingGates = {
  Failover: {
    decidedBy: 'controllerManager',
    values: [{ value: betaOn }, { since: ['v1.10.8', 'v1.11.4', 'v1.12.0'], value: betaOff }],
  },
  GracefulEviction: {
    decidedBy: 'controllerManager',
    values: [{ value: betaOn }],
    designs: { 'optimize-cluster-failover': undefined },
  },
  StatefulFailoverInjection: {
    decidedBy: 'controllerManager',
    values: [unknown, { since: ['v1.12.0'], value: alpha }],
  },
  // the controller manager collects the models, the scheduler estimates by them
  CustomizedClusterResourceModeling: { decidedBy: 'scheduler', values: [{ value: betaOn }] },
  MultiplePodTemplatesScheduling: {
    decidedBy: 'scheduler',
    values: [unknown, { since: ['v1.15.0'], value: alpha }],
  },
  PriorityBasedScheduling: {
    decidedBy: 'scheduler',
    values: [unknown, { since: ['v1.13.0'], value: alpha }, { since: ['v1.19.0'], value: betaOn }],
  },
  WorkloadAffinity: { decidedBy: 'scheduler', values: [unknown, { since: ['v1.17.0'], value: alpha }] },
  SchedulingOvercommitProtection: {
    decidedBy: 'scheduler',
    values: [unknown, { since: ['v1.18.0'], value: alpha }],
  },
  // the webhook refuses a binding that exceeds its quota
  FederatedQuotaEnforcement: {
    decidedBy: 'webhook',
    values: [unknown, { since: ['v1.14.0'], value: alpha }],
  },
  PropagationPolicyPreemption: { decidedBy: 'controllerManager', values: [{ value: alpha }] },
  ResourceQuotaEstimate: { decidedBy: 'controllerManager', values: [{ value: alpha }] },
  PropagateDeps: { decidedBy: 'controllerManager', values: [{ value: betaOn }] },
  // whether an event replaces the pending timer of a key
  ControllerPriorityQueue: {
    decidedBy: 'controllerManager',
    values: [unknown, { since: ['v1.15.0'], value: alpha }, { since: ['v1.17.0'], value: betaOn }],
  },
} satisfies Record<string, GateHistory>;

/** The gates that none of our rules reads. */
export const otherGates: Record<string, History<GateState | undefined>> = {
  MultiClusterService: { values: [{ value: alpha }] },
  LoggingAlphaOptions: { values: [unknown, { since: ['v1.15.0'], value: alpha }] },
  LoggingBetaOptions: { values: [unknown, { since: ['v1.15.0'], value: betaOn }] },
  ContextualLogging: { values: [unknown, { since: ['v1.15.0'], value: betaOn }] },
};

/** Whether each gate that our rules read is on. A gate that the version lacks is off. */
export type FeatureGates = { [Gate in keyof typeof decidingGates]: boolean };

export interface FeatureGate extends GateState {
  /** absent for gates that none of our rules reads */
  decidedBy?: Component;
}

/** All feature gates that a release knows. */
export function featureGatesOf(release: Release): Record<string, FeatureGate> {
  const gates: Record<string, FeatureGate> = {};
  const all: Record<string, History<GateState | undefined> & { decidedBy?: Component }> = {
    ...decidingGates,
    ...otherGates,
  };
  for (const [name, { decidedBy, ...history }] of Object.entries(all)) {
    const state = valueAt(history, release);
    if (state) gates[name] = { ...state, ...(decidedBy ? { decidedBy } : {}) };
  }
  return gates;
}

/** The releases that have a gate, in words: "from v1.17.0 on". */
export function whenGateKnown(name: string): string {
  const gates: Record<string, GateHistory> = decidingGates;
  const history = gates[name];
  if (!history) return '';
  return releasesText(history.values, (state) => state !== undefined) || 'in every release';
}

/** The releases in which a gate is off by default, in words: "from v1.12.0 on". */
export function whenGateIsOff(name: keyof typeof decidingGates): string {
  const { values }: GateHistory = decidingGates[name];
  return releasesText(values, (state) => state?.default === false) || 'in every release';
}
