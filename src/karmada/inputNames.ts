/** What whoever asks calls what may be given, for texts that say what would settle a doubt: the command line names its flags. */
export interface InputNames {
  /** the instant to take for now */
  at: string;
  /** a gate or flag of Karmada's components, in the form NAME=VALUE */
  assume: string;
  /** the version of Karmada */
  version: string;
  /** the cluster that Karmada's components run in */
  host: string;
  /** how long new replicas take until they are ready */
  readyAfter: string;
}

/** In plain words, for who has no names of his own. */
export const plainNames: InputNames = {
  at: 'the instant',
  assume: 'the assumption',
  version: 'the version of Karmada',
  host: 'the cluster that runs it',
  readyAfter: 'the time until replicas are ready',
};
