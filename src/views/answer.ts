import type { Risk } from '../analysis/drain/plan/drainPlan.ts';
import type { InputNames } from '../karmada/configuration/inputNames.ts';
import type { Presentation } from '../presentation/model.ts';

/** The extent of an answer. */
export interface Shown {
  /** everything: more columns, all evidence, each assumption */
  wide: boolean;
  /** only its tables */
  noHeaders: boolean;
  names: ViewNames;
  /** builds a command to paste for the same control plane; absent: the answer names no next step */
  command?: ((words: readonly string[]) => string) | undefined;
  /** the same for kubectl or karmadactl, program name first; absent: without a connection */
  kubectl?: ((words: readonly string[]) => string) | undefined;
}

/** The kinds of documents that commands print. Each has a schema in docs/schema, and is described in docs/output.md. */
export const documentKinds = [
  'ControllerEvent',
  'ControllerReport',
  'CordonList',
  'Diagnosis',
  'DrainCancelPlan',
  'DrainCancelResult',
  'DrainEvent',
  'DrainPlan',
  'DrainResult',
  'EvictionActionList',
  'EvictionQueueChange',
  'EvictionTaskChange',
  'EvictionTaskList',
  'Explanation',
  'FailoverAudit',
  'FailoverAuditShard',
  'FailoverDiff',
  'FailoverStatus',
  'FailoverStatusChange',
  'FindingList',
  'ReplayCheck',
  'Simulation',
  'TaintPolicyChange',
  'TaintPolicyConversion',
  'TaintPolicyExplanation',
  'TaintPolicyList',
  'Timeline',
  'Version',
] as const;

/** The start of every document. A Diff is only printed as text. */
export interface PrintedDocument {
  kind: (typeof documentKinds)[number] | 'Diff';
  schemaVersion: string;
}

/** An answer in each form that a command prints. */
export interface Answer {
  /** for json and yaml; docs/output.md and docs/schema/ describe each kind */
  document: PrintedDocument & { [field: string]: unknown };
  /** the same without costly parts, if these JSONPaths do not read them; absent: nothing is costly */
  documentFor?(paths: string): Answer['document'];
  /** for people, on any medium */
  presentation(shown: Shown): Presentation;
  /** the output of -o name: each item by `resourceName` */
  names(): string[];
  /** forms of this answer only, by their names in -o, each as one complete text */
  forms?: Record<string, () => string>;
  /** such binary forms, in pieces */
  binaryForms?: Record<string, () => Promise<Iterable<Uint8Array>>>;
  /** absent if the document is about a single thing */
  list?: AnsweredList;
}

/** The items of an answer: custom-columns prints a line for each, sorting reorders them. */
interface AnsweredList {
  /** the field of the document that holds them */
  field: string;
  /** The same answer reordered, given by positions in this one, each once. */
  inOrder(positions: number[]): Answer;
}

/** The items at the positions. */
export function inOrder<T>(items: readonly T[], positions: number[]): T[] {
  return positions.map((position) => items[position]!);
}

/** The names that an answer uses for inputs to give next; the command line uses its flags. */
export interface ViewNames extends InputNames {
  /** adds events to a simulation */
  scenarioInputs: string;
  /** also removes the taints of a deleted policy */
  withTaints: string;
  /** accepts a risk of a drain */
  accept: Record<Risk, string>;
  /** describes how to use the name that accepts a risk */
  override: (accept: string) => string;
  /** explains a workload's failover if a cluster fails */
  ifFails(cluster: string): string;
  /** all clusters of a provider, region or zone fail */
  areaFails(property: string, value: string): string;
  /** selects a state or a recording in a file */
  ofState(file: string): string;
  /** selects another version of Karmada */
  ofVersion(version: string): string;
  /** makes a cluster fail in a simulation */
  fails(cluster: string): string;
  /** selects the copies that leave a cluster */
  leaving(cluster: string): string;
  /** selects the taints of one cluster */
  onCluster(cluster: string): string;
  /** taints a cluster in a simulation */
  taints(cluster: string, taint: string): string;
  /** applies the changes of a file */
  applies(file: string): string;
  /** shows the plan of a change without writing */
  planOnly: string;
  resumeDrain(cluster: string): string;
  takeDrainBack(cluster: string): string;
}
