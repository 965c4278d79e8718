import { versionSwitch } from '../history.ts';

export const status = {
  healthWithoutHook: versionSwitch({
    decides: 'the health of a kind that no interpreter knows',
    values: [{ value: 'Unknown' }, { since: ['v1.12.0'], value: 'Healthy' }],
  }),
  itemHistory: versionSwitch<boolean>({
    decides:
      'whether an item of aggregatedStatus records the first report of the cluster (creationTimestamp), and whether it was ever Healthy there (settled)',
    values: [{ value: false }],
    designs: { 'application-failover': true },
  }),
  bundledInterpreters: versionSwitch({
    decides:
      'the kinds whose health Karmada interprets, and whose replicas it sets, without an interpreter: each set is the one before and more',
    values: [
      { value: 'first' },
      { since: ['v1.11.0'], value: 'withFlinkDeployment' },
      { since: ['v1.15.0'], value: 'withUnitedDeployment' },
      { since: ['v1.16.0'], value: 'withTrainingJobs' },
      { since: ['v1.17.0'], value: 'withRayService' },
    ],
  }),
};
