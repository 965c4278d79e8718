/** How messages name the inputs that would resolve a doubt: the command line inserts its flags. */
export interface InputNames {
  /** the instant to use as now */
  at: string;
  /** a feature gate or flag of Karmada's components, in the form NAME=VALUE */
  assume: string;
  version: string;
  /** the cluster where Karmada's components run */
  host: string;
  /** how long new replicas take to become ready */
  readyAfter: string;
}

/** Plain words for callers without names of their own. */
export const plainNames: InputNames = {
  at: 'the instant',
  assume: 'the assumption',
  version: 'the version of Karmada',
  host: 'the cluster that runs it',
  readyAfter: 'the time until replicas are ready',
};
