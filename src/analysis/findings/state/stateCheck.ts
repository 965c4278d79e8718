import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import type { ObjectPatch } from '../../explanation/changes/change.ts';
import type { Check } from '../check.ts';
import type { Severity } from '../finding.ts';
import type { Examined } from './examined.ts';

/** The subjects of checks of a control plane, in the order of the chain from a failure to a running copy. */
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

/** A helpful karmada-failover command; the command line formats it. */
export type NextStep =
  | { action: 'plan-drain' | 'uncordon'; cluster: string }
  /** failing: clusters that fail in the explanation */
  | { action: 'explain'; workload: ObjectIdentity; failing: readonly string[] }
  | { action: 'inspect-eviction'; workload: ObjectIdentity }
  /** only this check, with its remedies simulated */
  | { action: 'diagnose'; check: string }
  | EvictionStep;

/** A command that changes an eviction. */
export interface EvictionStep {
  action: 'hold-eviction' | 'cancel-eviction';
  workload: ObjectIdentity;
  /** the cluster that it leaves */
  cluster: string;
}

/** The remedy for a finding. */
export interface Remedy {
  /** as an imperative, in a few words */
  text: string;
  /** commands to type, each as its words */
  commands?: readonly (readonly string[])[];
  /** changes of objects of the control plane */
  patches?: readonly ObjectPatch[];
  /** the simulation's result against it, in a sentence; then it is no advice */
  refuted?: string;
  /** the patches are the only possible fix, so lint writes them into manifests */
  certain?: true;
  creates?: readonly object[];
  next?: NextStep;
  /** the text if `next` turns out not to help */
  withoutNext?: string;
  /** a workload, and the clusters whose loss it does not survive: changes for it can be simulated */
  simulate?: { workload: ObjectIdentity; failing: readonly string[] };
}

/** The command of a remedy that changes an eviction; undefined: it has none. */
export function evictionStep({ next }: Remedy): EvictionStep | undefined {
  return next?.action === 'hold-eviction' || next?.action === 'cancel-eviction' ? next : undefined;
}

/** A finding about a control plane. */
export interface Diagnosed {
  /** the problem in one sentence, with the object, field or flag */
  message: string;
  /** the cause alone, for an answer that states the workload and its outcome; absent: the message has no such part */
  reason?: string;
  /** the check's own if absent */
  severity?: Severity;
  /** its objects, the worst first */
  objects: readonly ObjectIdentity[];
  evidence: readonly Evidence[];
  remedy?: Remedy;
  /** gates and flags with unverified values that it depends on */
  assumed?: readonly string[];
}

/** A finding with its check. */
export interface StateFinding extends Diagnosed {
  /** the id of the check */
  check: string;
  severity: Severity;
  theme: Theme;
}

/** A check of a control plane as a whole. */
export interface StateCheck extends Check {
  find(seen: Examined): Diagnosed | Diagnosed[];
  theme: Theme;
  /** why it cannot decide anything about this control plane, other than missing inputs; absent: it always can */
  lacks?(seen: Examined): string | undefined;
  /** how lint runs it: on manifests alone, or with their clusters; absent: only on control planes */
  lints?: 'manifests' | 'clusters';
  /** gates and flags that must be known for it to pass */
  flags?: readonly string[];
  /** the versions that it concerns, in words; absent: all */
  versions?: string;
  /** messages in logs, Events and conditions that show the problem */
  symptoms: readonly string[];
  /** issues and pull requests of karmada-io/karmada */
  issues?: readonly number[];
}
