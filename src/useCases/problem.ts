import type { ObjectIdentity } from '../karmada/api/meta.ts';

/** What was asked for and cannot be: a code, and the data that a message needs. */
export type ProblemData =
  | { code: 'unknown-cluster'; input: ClusterInput; cluster: string; known: string[] }
  | { code: 'unknown-area'; property: 'region' | 'zone'; value: string; known: string[] }
  | { code: 'unknown-taint-policy'; policy: string; known: string[] }
  /** no file of a state holds an object */
  | { code: 'empty-state'; files: readonly string[] }
  /** a simulation that was saved goes on from its own end (epoch milliseconds) */
  | { code: 'instant-of-simulation'; given: string; end: number }
  | { code: 'no-instant' }
  /** an assumption that is none, or of a name that nobody knows */
  | { code: 'assumption'; where: string; message: string; unknown?: { typed: string; known: string[] } }
  | { code: 'empty-namespace'; namespace: string; known: string[] }
  | { code: 'two-namespaces'; target: string; namespace: string }
  | { code: 'no-target'; target: string; same: string[] }
  | {
      code: 'no-binding';
      target: string;
      namespace: string | undefined;
      /** namespaces that have one */
      elsewhere: string[];
      /** the same name with other kinds */
      same: string[];
      /** the same kind with other names */
      names: string[];
    }
  | { code: 'many-namespaces'; target: string; namespaces: string[] }
  | { code: 'many-bindings'; target: string; names: string[] }
  /** parts of the selection of a drain that mean no workload */
  | { code: 'no-workload'; input: 'skip' | 'only'; name: string; workloads: ObjectIdentity[] }
  | { code: 'no-kind'; kind: string; known: string[] }
  | { code: 'no-policy'; policy: string }
  | { code: 'no-labels' }
  /** it is being evicted from several clusters, and none was named */
  | { code: 'many-evictions'; binding: string; clusters: string[] }
  /** what a scenario brings cannot be; `source` says which input it is from */
  | { code: 'scenario'; source: string | undefined; message: string }
  /** `given` as it was written, or absent if the scenario's file says it */
  | { code: 'until-before-start'; given: string | undefined; source: string; start: number };

/** Where a cluster was named. */
export type ClusterInput =
  'clusters' | 'status' | 'from' | 'fail' | 'recover' | 'taint' | 'ifFails' | 'cluster' | 'drain' | 'cancel';

/**
 * What was asked for cannot be done, and whoever asked can put it right. It says what in data; the command line turns it into a
 * message that names its flags.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly data: ProblemData;

  constructor(data: ProblemData) {
    super(JSON.stringify(data));
    this.data = data;
  }
}
