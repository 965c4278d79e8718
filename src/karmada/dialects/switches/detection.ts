import { versionSwitch } from '../history.ts';

/** When Karmada notices that a member cluster has failed. */
export const detection = {
  clientFailure: versionSwitch({
    decides:
      'whether Ready turns False at once when no client for a Push member can be built, or after cluster-failure-threshold as any other failure',
    values: [
      { value: 'atOnce' },
      { since: ['v1.15.9', 'v1.16.6', 'v1.17.3', 'v1.18.0'], value: 'debounced' },
    ],
  }),
  probedOn: versionSwitch({
    decides:
      'which changes of a Cluster trigger a probe of its member, besides cluster-status-update-frequency: all (its status included), or those of its spec',
    values: [
      { value: 'everyChange' },
      { since: ['v1.11.9', 'v1.12.6', 'v1.13.2', 'v1.14.0'], value: 'specChanges' },
    ],
  }),
};
