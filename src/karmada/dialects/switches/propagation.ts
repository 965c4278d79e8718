import { versionSwitch } from '../history.ts';

/** The fields that a binding copies from its template, and the path of a Work to its member. */
export const propagation = {
  jobReplicas: versionSwitch({
    decides: 'whether the replicas of a Job are its parallelism, or at most its completions',
    values: [{ value: 'parallelism' }, { since: ['v1.10.2', 'v1.11.0'], value: 'atMostCompletions' }],
  }),
  attachedChanges: versionSwitch({
    decides: 'whether changes of dependents reach the clusters, or may get lost',
    values: [
      { value: 'mayBeLost' },
      { since: ['v1.13.10', 'v1.14.7', 'v1.15.3', 'v1.16.0'], value: 'reach' },
    ],
  }),
  recreates: versionSwitch<'work-status' | 'execution-controller'>({
    decides: 'which controller recreates an object that informers find gone from a member',
    values: [{ value: 'work-status' }, { since: ['v1.19.0'], value: 'execution-controller' }],
  }),
};
