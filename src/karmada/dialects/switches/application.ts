import { versionSwitch } from '../history.ts';

/** Application failover. */
export const application = {
  start: versionSwitch({
    decides: 'whether application failover runs only with gate Failover, or always',
    values: [{ value: 'failoverGate' }, { since: ['v1.10.8', 'v1.11.4', 'v1.12.0'], value: 'always' }],
    tests: ['test/engine/application/applicationFailover.test.ts'],
  }),
  evictions: versionSwitch({
    decides:
      'how application failover evicts: mode Immediately takes the cluster away without a task, tasks have no purgeMode, and both other modes need gate GracefulEviction; or always with a task that has a purgeMode, and only the graceful mode needs the gate',
    values: [{ value: 'immediatelyWithoutTask' }, { since: ['v1.12.0'], value: 'withTask' }],
    tests: ['application-failover', 'app-failover-task'],
  }),
  gracefulGate: versionSwitch<boolean>({
    decides: 'whether the graceful mode needs gate GracefulEviction',
    values: [{ value: true }],
    designs: { 'optimize-cluster-failover': false },
    tests: ['test/proposal/applicationFailover.test.ts'],
  }),
};
