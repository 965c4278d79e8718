import type { Risk } from '../analysis/drain/plan/drainPlan.ts';
import type { InputNames } from '../karmada/configuration/inputNames.ts';
import type { Presentation } from '../presentation/model.ts';

/** How much of an answer to show. */
export interface Shown {
  /** everything: more columns, all evidence, each assumption */
  wide: boolean;
  /** only its tables */
  noHeaders: boolean;
  names: ViewNames;
  /** a command on the same control plane, to paste; absent: the answer names no next step */
  command?: ((words: readonly string[]) => string) | undefined;
  /** the same of kubectl or karmadactl, the name of the program first; absent: without a connection */
  kubectl?: ((words: readonly string[]) => string) | undefined;
}

/** The kinds of documents that commands print. Each has a schema in docs/schema, and is named in docs/output.md. */
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

/** What a document begins with. A Diff is printed as text alone. */
export interface PrintedDocument {
  kind: (typeof documentKinds)[number] | 'Diff';
  schemaVersion: string;
}

/** An answer in each form that a command prints. */
export interface Answer {
  /** for json and yaml; docs/output.md and docs/schema/ describe each kind */
  document: PrintedDocument & { [field: string]: unknown };
  /** for people, on any medium */
  presentation(shown: Shown): Presentation;
  /** what -o name prints: each item by `resourceName` */
  names(): string[];
  /** forms that only this answer has, by their names in -o, each as one whole text */
  forms?: Record<string, () => string>;
  /** such forms that are no text, in pieces */
  binaryForms?: Record<string, () => Promise<Iterable<Uint8Array>>>;
  /** absent if the document is about one thing */
  list?: AnsweredList;
}

/** The items that an answer lists: custom-columns prints a line for each, sorting puts them in order. */
interface AnsweredList {
  /** the field of the document that holds them */
  field: string;
  /** The same answer in another order, given by positions in this one, each once. */
  inOrder(positions: number[]): Answer;
}

/** The items at the positions. */
export function inOrder<T>(items: readonly T[], positions: number[]): T[] {
  return positions.map((position) => items[position]!);
}

/** The names that an answer uses for inputs that may follow; the command line gives its flags. */
export interface ViewNames extends InputNames {
  /** events for a simulation */
  happenings: string;
  /** removes the taints of a deleted policy too */
  withTaints: string;
  /** what accepts a risk of a drain */
  accept: Record<Risk, string>;
  /** says how to use the name that accepts a risk */
  override: (accept: string) => string;
  /** explains a workload for the case that a cluster fails */
  ifFails(cluster: string): string;
  /** asks about a state or a recording in a file */
  ofState(file: string): string;
  /** asks about another version of Karmada */
  ofVersion(version: string): string;
  /** lets a cluster fail in a simulation */
  fails(cluster: string): string;
  /** takes the copies that leave a cluster */
  leaving(cluster: string): string;
  /** asks about the taints of one cluster */
  onCluster(cluster: string): string;
  /** taints a cluster in a simulation */
  taints(cluster: string, taint: string): string;
  /** applies the changes of a file */
  applies(file: string): string;
  /** shows the plan of a change, and writes nothing */
  planOnly: string;
  resumeDrain(cluster: string): string;
  takeDrainBack(cluster: string): string;
}
