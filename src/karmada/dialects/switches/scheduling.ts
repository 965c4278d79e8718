import { versionSwitch } from '../history.ts';

/** Where replicas go. */
export const scheduling = {
  deletingClusters: versionSwitch({
    decides: 'whether a Cluster that is being deleted is a candidate as any other, or is skipped',
    values: [{ value: 'candidates' }, { since: ['v1.14.0'], value: 'skipped' }],
    tests: ['schedule'],
  }),
};
