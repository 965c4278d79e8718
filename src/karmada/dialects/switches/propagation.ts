import { versionSwitch } from '../history.ts';

/** What a binding takes from its template. */
export const propagation = {
  jobReplicas: versionSwitch({
    decides: 'whether the replicas of a Job are its parallelism, or at most its completions',
    values: [{ value: 'parallelism' }, { since: ['v1.10.2', 'v1.11.0'], value: 'atMostCompletions' }],
    tests: ['interpretReplicas.test.ts'],
  }),
};
