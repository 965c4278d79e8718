/** The names, in texts, of the inputs that would settle a doubt: the command line gives its flags. */
export interface InputNames {
  /** the instant to take for now */
  at: string;
  /** a feature gate or flag of Karmada's components, in the form NAME=VALUE */
  assume: string;
  /** the version of Karmada */
  version: string;
  /** the cluster that Karmada's components run in */
  host: string;
  /** how long new replicas take to become ready */
  readyAfter: string;
}

/** Plain words for callers that have no names of their own. */
export const plainNames: InputNames = {
  at: 'the instant',
  assume: 'the assumption',
  version: 'the version of Karmada',
  host: 'the cluster that runs it',
  readyAfter: 'the time until replicas are ready',
};
