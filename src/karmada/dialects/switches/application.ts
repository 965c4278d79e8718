import { versionSwitch } from '../history.ts';

/** Application failover. */
export const application = {
  purgeModeOfTask: versionSwitch({
    decides: 'whether the task that application failover creates tells its purge mode',
    values: [{ value: 'absent' }, { since: ['v1.12.0'], value: 'stored' }],
    tests: ['application-failover', 'app-failover-task'],
  }),
};
