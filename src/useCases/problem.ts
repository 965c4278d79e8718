import type { ObjectIdentity } from '../karmada/api/meta.ts';

/** Why a request cannot be answered: a code, and the data that a message needs. */
export type ProblemData =
  | { code: 'unknown-cluster'; input: ClusterInput; cluster: string; known: string[] }
  | { code: 'unknown-area'; property: 'region' | 'zone'; value: string; known: string[] }
  | { code: 'unknown-check'; name: string; known: string[] }
  | { code: 'unknown-taint-policy'; policy: string; known: string[] }
  /** no file of the state holds an object */
  | { code: 'empty-state'; files: readonly string[] }
  /** a saved simulation can only continue from its own end (epoch milliseconds) */
  | { code: 'instant-of-simulation'; given: string; end: number }
  /** of two states the one that is to be the earlier is not; epoch milliseconds */
  | { code: 'states-not-in-order'; from: number; until: number }
  | { code: 'no-instant'; clusters: number }
  /** a recording that is on stdin or in an archive, where one is read twice */
  | { code: 'recording-no-file'; name: string }
  /** a moment was named, and the state is no recording, which alone has several */
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
      /** namespaces that have such a binding */
      elsewhere: string[];
      /** bindings of the same name and another kind */
      same: string[];
      /** names of bindings of the same kind */
      names: string[];
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
  /** a scenario applies an invalid object; `source` says which input it is from */
  | { code: 'scenario'; source: string | undefined; message: string }
  /** `given` is the time as it was written, absent if the scenario's file has it */
  | { code: 'until-before-start'; given: string | undefined; source: string; start: number }
  /** settings of the controllers, all that are wrong */
  | { code: 'settings'; problems: readonly SettingProblem[] };

/** What is wrong with one setting; `unknown`: a name that is not among the known ones. */
export interface SettingProblem {
  /** what messages call it: a flag, or a place in a file with the name of the field */
  place: string;
  message: string;
  unknown?: { typed: string; known: string[] };
}

/** Which input named a cluster. */
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
 * A request that cannot be answered until its author corrects it. It holds the reason as data; the command line turns
 * it into a message that names its flags.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly data: ProblemData;

  constructor(data: ProblemData) {
    super(JSON.stringify(data));
    this.data = data;
  }
}
