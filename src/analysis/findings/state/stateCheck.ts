import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { Component } from '../../../karmada/dialects/flags.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import type { ObjectPatch } from '../../explanation/changes/change.ts';
import type { Check, RuleOf } from '../check.ts';
import type { Severity } from '../finding.ts';
import type { Examined } from './examined.ts';

/** What checks of a control plane are about, in the order of the chain from a failure to a running copy. */
export const themes = {
  chain: 'The chain from a failing cluster to an eviction',
  releases: 'Known bugs of patch releases',
  stuck: 'What is stuck',
  application: 'Application failover',
  placement: 'Placement',
  taints: 'Taints',
  observability: 'Observability',
  recovery: 'Recovery',
  writers: 'Others that write replicas',
} as const;

export type Theme = keyof typeof themes;

/** A command of this program that helps on: the command line words it. */
export type NextStep =
  | { action: 'plan-drain' | 'uncordon'; cluster: string }
  /** failing: clusters that fail in the explanation */
  | { action: 'explain'; workload: ObjectIdentity; failing: readonly string[] }
  | { action: 'inspect-eviction'; workload: ObjectIdentity }
  | { action: 'hold-eviction' | 'cancel-eviction'; workload: ObjectIdentity; cluster: string };

/** What to do about a finding. */
export interface Remedy {
  /** as an imperative, in a few words */
  text: string;
  /** commands to type, each as its words */
  commands?: readonly (readonly string[])[];
  /** changes of objects of the control plane */
  patches?: readonly ObjectPatch[];
  /** no other change than the patches could be meant: they are written into manifests */
  certain?: true;
  /** objects to create */
  creates?: readonly object[];
  next?: NextStep;
  /** a workload, and the clusters whose loss it does not survive: changes for it can be simulated */
  simulate?: { workload: ObjectIdentity; failing: readonly string[] };
}

/** What a check has found in a control plane. */
export interface Diagnosed {
  /** one sentence: what is wrong, with the object, field or flag */
  message: string;
  /** the check's own if absent */
  severity?: Severity;
  /** what it is about, the worst first */
  objects: readonly ObjectIdentity[];
  evidence: readonly Evidence[];
  remedy?: Remedy;
  /** gates and flags that it rests on, with unverified values */
  assumed?: readonly string[];
}

/** How a healthy control plane has to be changed so that a check finds something: for its tests and its documentation. */
export interface Example {
  /** of Karmada; absent: the newest release */
  version?: string;
  /** arguments that a component is started with in addition */
  flags?: Partial<Record<Component, readonly string[]>>;
  /** JSON merge patches; null removes the object */
  patches?: readonly { target: ObjectIdentity; merge: unknown }[];
  adds?: readonly object[];
}

/** A check of a control plane as a whole. */
export interface StateCheck extends Check, RuleOf<Examined, Diagnosed> {
  theme: Theme;
  /** why it cannot say anything about this control plane, beside what it needs; absent: it always can */
  lacks?(seen: Examined): string | undefined;
  /** what lint makes it of: manifests alone, or with the clusters that they are for; absent: it is made of control planes alone */
  lints?: 'manifests' | 'clusters';
  /** gates and flags without whose values it cannot say that all is well */
  flags?: readonly string[];
  /** the versions that it is about, in words; absent: all */
  versions?: string;
  /** what logs, Events and conditions say then */
  symptoms: readonly string[];
  /** issues and pull requests of karmada-io/karmada */
  issues: readonly number[];
  example: Example;
}
