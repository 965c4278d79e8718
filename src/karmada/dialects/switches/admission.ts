import { versionSwitch } from '../history.ts';

/** What the API server and the webhooks make of an object that is written. */
export const admission = {
  purgeModeNames: versionSwitch({
    decides:
      'the names of purge modes: Immediately and Graciously, Directly and Gracefully, or both as synonyms of each other',
    values: [{ value: 'old' }, { since: ['v1.15.0'], value: 'both' }, { since: ['v1.19.0'], value: 'new' }],
    tests: ['webhook-validate', 'webhook-mutate'],
  }),
};
