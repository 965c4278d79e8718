import { versionSwitch } from '../history.ts';

/** Health and the aggregated status. */
export const status = {
  healthWithoutHook: versionSwitch({
    decides: 'the health of a kind that no interpreter knows',
    values: [{ value: 'Unknown' }, { since: ['v1.12.0'], value: 'Healthy' }],
    tests: [],
  }),
};
