import { versionSwitch } from '../history.ts';

export const application = {
  start: versionSwitch({
    decides: 'whether application failover runs only with gate Failover, or always',
    values: [{ value: 'failoverGate' }, { since: ['v1.10.8', 'v1.11.4', 'v1.12.0'], value: 'always' }],
  }),
  evictions: versionSwitch({
    decides:
      'how application failover evicts: mode Immediately removes the cluster without a task, tasks have no purgeMode, and both other modes need gate GracefulEviction; or each mode writes a task with a purgeMode, and only the graceful mode needs the gate',
    values: [{ value: 'immediatelyWithoutTask' }, { since: ['v1.12.0'], value: 'withTask' }],
  }),
  zeroToleration: versionSwitch({
    decides:
      'when an unhealthy application with tolerationSeconds 0 is evicted: at the next change of its binding (a wait of 0 starts no timer), or at once',
    values: [{ value: 'nextChange' }],
    designs: { 'application-failover': 'atOnce' },
  }),
  graceSeconds: versionSwitch<number | undefined>({
    decides: 'the gracePeriodSeconds of a graceful eviction whose binding has none',
    values: [{ value: undefined }],
    designs: { 'application-failover': 600 },
  }),
  evictionHistory: versionSwitch<boolean>({
    decides:
      'whether application failover records the clusters that it evicts from in spec.activeEvictionHistory',
    values: [{ value: false }],
    designs: { 'application-failover': true },
  }),
  preConditions: versionSwitch<boolean>({
    decides: 'whether preConditions delay application failover',
    values: [{ value: false }],
    designs: { 'application-failover': true },
  }),
  gracefulGate: versionSwitch<boolean>({
    decides: 'whether the graceful mode needs gate GracefulEviction',
    values: [{ value: true }],
    designs: { 'optimize-cluster-failover': false },
  }),
};
