import { versionSwitch } from '../history.ts';

/** Eviction tasks, and the Works that they keep. */
export const eviction = {
  directPurge: versionSwitch({
    decides:
      'whether the Works of a binding that is purged directly are written at once, or only once the old Work is gone',
    values: [{ value: 'inParallel' }, { since: ['v1.15.0'], value: 'waitsForOldWork' }],
    tests: ['work-eviction'],
  }),
};
