import { identityOf } from '../../../../karmada/objects/identities.ts';
import { whyDown } from '../../../../simulator/verdicts/stoppedComponents.ts';
import { parseDuration } from '../../../../kubernetes/time.ts';
import { clusterObject, finding, firstNames } from '../about.ts';
import { flagOf, runningObject } from '../examined.ts';
import { startWith } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';

/** Kinds that show that a cluster has an estimator, whose names differ between installers. */
const SHOWING = ['Deployment', 'StatefulSet', 'Service'];

const isEstimator = (name: string, cluster: string) =>
  name.includes('estimator') && name.endsWith(`-${cluster}`);

const IGNORED =
  'for a workload that may be placed there, karmada-scheduler ignores the estimators of all clusters, and uses the capacity that clusters report';

export const estimatorDown: StateCheck = {
  id: 'estimator-down',
  severity: 'warning',
  theme: 'chain',
  title: 'karmada-scheduler gets no answer from a scheduler estimator',
  help: 'With --enable-scheduler-estimator=true karmada-scheduler asks the estimator of each candidate cluster of a workload. If one of them is missing, down, or too slow (scheduler-estimator-timeout), the answers of all are ignored for that workload: what clusters report in status.resourceSummary counts. Pods may be placed where no node has capacity.',
  needs: ['Deployment', 'Configuration'],
  uses: ['Cluster'],
  flags: ['enable-scheduler-estimator'],
  symptoms: [
    'Max cluster available replicas error',
    'does not exist in estimator cache',
    'Pods stay Pending after a failover',
  ],
  issues: [6815, 7664],
  find: (seen) => {
    const { world, configuration } = seen;
    if (!configuration.scheduler['enable-scheduler-estimator']) return [];
    const timeout = flagOf('scheduler', 'scheduler-estimator-timeout', seen);
    if (timeout !== undefined && parseDuration(timeout) === 0)
      return finding(
        runningObject('scheduler', seen),
        'karmada-scheduler waits for no estimator (scheduler-estimator-timeout=0): it uses the capacity that clusters report',
        {
          rule: 'each call ends before it is answered',
          field: 'scheduler-estimator-timeout',
          value: timeout,
        },
        startWith('scheduler', '--scheduler-estimator-timeout=3s', seen),
      );
    const names = world.clusters
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map(({ metadata }) => metadata.name);
    const shown = SHOWING.flatMap((kind) => seen.ofKind(kind)).map(({ metadata }) => metadata.name);
    const [scheduler] = runningObject('scheduler', seen);
    // A snapshot keeps flags, but not the objects that set them.
    const missing =
      scheduler && seen.object(scheduler)
        ? names.filter((cluster) => !shown.some((name) => isEstimator(name, cluster)))
        : [];
    const down = seen.ofKind('Deployment').flatMap((object) => {
      const cluster = names.find((one) => isEstimator(object.metadata.name, one));
      const why = cluster === undefined ? undefined : whyDown(object);
      if (why === undefined) return [];
      const identity = identityOf(object);
      const { namespace = '', name } = identity;
      return finding(
        [identity],
        `${name} ${why}: ${IGNORED}`,
        { rule: 'no replica is ready', object: identity, field: 'status.readyReplicas', value: 0 },
        {
          text: 'find out why it does not run',
          commands: [['kubectl', '-n', namespace, 'describe', 'deployment', name]],
        },
      );
    });
    if (missing.length === 0) return down;
    return [
      finding(
        missing.map(clusterObject),
        `${firstNames(missing)} ${missing.length === 1 ? 'has' : 'have'} no scheduler estimator: ${IGNORED}`,
        {
          rule: 'no Deployment or Service of one is in the state',
          field: 'enable-scheduler-estimator',
          value: true,
        },
        {
          text: 'give each cluster an estimator, or start karmada-scheduler without them',
          commands: missing.map((name) => [
            ...['karmadactl', 'addons', 'enable', 'karmada-scheduler-estimator', '-C', name],
          ]),
        },
      ),
      ...down,
    ];
  },
};
