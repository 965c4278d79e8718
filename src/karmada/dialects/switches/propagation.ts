import { versionSwitch } from '../history.ts';

/** What a policy or a template makes of bindings. */
export const propagation = {
  dispatchingSuspension: versionSwitch({
    decides: 'whether spec.suspension.dispatching exists and keeps Works from being written to members',
    values: [{ value: false }, { since: ['v1.11.0'], value: true }],
    tests: [],
  }),
};
