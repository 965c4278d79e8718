import type { ObjectIdentity } from '../karmada/api/meta.ts';

/** Why a request cannot be answered: a code, and the data for its message. */
export type ProblemData =
  | { code: 'unknown-cluster'; input: ClusterInput; cluster: string; known: string[] }
  | { code: 'unknown-area'; property: 'provider' | 'region' | 'zone'; value: string; known: string[] }
  | { code: 'unknown-check'; input: 'only' | 'skip'; name: string; known: string[]; themes: string[] }
  | { code: 'unknown-taint-policy'; policy: string; known: string[] }
  /** the files of the state hold no object */
  | { code: 'empty-state'; files: readonly string[] }
  /** a saved simulation can only continue from its own end (epoch milliseconds) */
  | { code: 'instant-of-simulation'; given: string; end: number }
  /** the first of two states is not the earlier one; epoch milliseconds */
  | { code: 'states-not-in-order'; from: number; until: number }
  | { code: 'no-instant'; clusters: number }
  /** a recording on stdin or in an archive, although it must be read twice */
  | { code: 'recording-no-file'; name: string }
  /** a moment was given, but the state is not a recording, and only recordings have several */
  | { code: 'moment-of-no-recording'; given: string }
  /** an invalid assumption, or one with an unknown name */
  | { code: 'assumption'; where: string; message: string; unknown?: { typed: string; known: string[] } }
  | { code: 'empty-namespace'; namespace: string; known: string[] }
  | { code: 'two-namespaces'; target: string; namespace: string }
  | { code: 'no-target'; target: string; same: string[] }
  | {
      code: 'no-binding';
      target: string;
      namespace: string | undefined;
      /** namespaces that have a binding of this name and kind */
      elsewhere: string[];
      /** bindings of the same name but another kind */
      same: string[];
      /** names of bindings of the same kind */
      names: string[];
      /** why the intended object has none, if it exists: the message of a finding, and its check */
      broken?: { message: string; check: string };
    }
  | { code: 'many-namespaces'; target: string; namespaces: string[] }
  | { code: 'many-bindings'; target: string; names: string[] }
  /** a part of a drain's selection that matches no workload */
  | { code: 'no-workload'; input: 'skip' | 'only'; name: string; workloads: ObjectIdentity[] }
  | { code: 'no-kind'; kind: string; known: string[] }
  | { code: 'no-policy'; policy: string }
  | { code: 'no-labels' }
  | { code: 'no-targets'; annotation: string }
  /** the binding is being evicted from several clusters, and the request names none */
  | { code: 'many-evictions'; binding: string; clusters: string[] }
  /** a scenario applies an invalid object; `source` names its input */
  | { code: 'scenario'; source: string | undefined; message: string }
  /** `given` is the time as written, absent if it is in the scenario's file */
  | { code: 'until-before-start'; given: string | undefined; source: string; start: number }
  /** all wrong settings of the controllers */
  | { code: 'settings'; problems: readonly SettingProblem[] };

/** The problem of one setting; `unknown`: its name is unknown. */
export interface SettingProblem {
  /** its name in messages: a flag, or a place in a file with the name of the field */
  place: string;
  message: string;
  unknown?: { typed: string; known: string[] };
}

/** The input that named a cluster. */
export type ClusterInput =
  | 'clusters'
  | 'status'
  | 'timeline'
  | 'from'
  | 'fail'
  | 'recover'
  | 'taint'
  | 'ifFails'
  | 'cluster'
  | 'drain'
  | 'cancel';

/**
 * A request that the user must correct. It holds the reason as data; the command line turns it into a message that
 * names its flags.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly data: ProblemData;

  constructor(data: ProblemData) {
    super(JSON.stringify(data));
    this.data = data;
  }
}
