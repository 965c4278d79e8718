import { numberIn } from '../../../../kubernetes/json.ts';
import { binaries, parseBoolean } from '../../../../karmada/dialects/flags.ts';
import { formatDuration, parseDuration } from '../../../../kubernetes/time.ts';
import { ELECTING, isRenewed, leasesOf } from '../../../../simulator/verdicts/stoppedComponents.ts';
import { identityOf } from '../../../../karmada/objects/identities.ts';
import { finding, firstObjectNames } from '../about.ts';
import { type Examined, flagOf, runningObject } from '../examined.ts';
import { startWith } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';

/** The longest acceptable wait for the next leader, in milliseconds. */
const LATE = 300_000;

const lacksElections = ({ world, ...seen }: Examined) =>
  ELECTING.some((one) => runningObject(one, { world, ...seen }).length > 0 || leasesOf(one, world).length > 0)
    ? undefined
    : 'neither Leases nor Deployments of components are in the state';

export const leaderLeaseLong: StateCheck = {
  id: 'leader-lease-long',
  severity: 'warning',
  theme: 'chain',
  title: 'no leader acts for a long time after a restart',
  help: 'A stopped leader does not release its Lease: the next one, also the same component after a restart, waits for leader-elect-lease-duration. Until then nothing is evicted or scheduled. The default is 15 seconds.',
  needs: ['Configuration'],
  uses: ['Lease', 'Deployment'],
  lacks: lacksElections,
  symptoms: ['attempting to acquire leader lease', 'lock is held by … and has not yet expired'],
  find: (seen) =>
    ELECTING.flatMap((component) => {
      if (parseBoolean(flagOf(component, 'leader-elect', seen)) === false) return [];
      const flag = flagOf(component, 'leader-elect-lease-duration', seen);
      const held = leasesOf(component, seen.world)[0]?.spec?.leaseDurationSeconds ?? 0;
      const wait = flag === undefined ? held * 1000 : (parseDuration(flag) ?? 0);
      if (wait <= LATE) return [];
      const time = formatDuration(wait);
      return finding(
        runningObject(component, seen),
        `after a restart of ${binaries[component]} nothing acts for ${time} (leader-elect-lease-duration)`,
        {
          rule: 'the next leader waits until the Lease expires',
          field: 'leader-elect-lease-duration',
          value: time,
        },
        startWith(component, '--leader-elect-lease-duration=15s', seen),
      );
    }),
};

export const leaderFlagsRefused: StateCheck = {
  id: 'leader-flags-refused',
  severity: 'error',
  theme: 'chain',
  title: 'a component does not start with its flags of leader election',
  help: 'leader-elect-lease-duration must exceed leader-elect-renew-deadline, and the deadline 1.2 times leader-elect-retry-period. Otherwise the component exits at start. The defaults are 15, 10 and 2 seconds.',
  needs: ['Deployment'],
  symptoms: ['leaseDuration must be greater than renewDeadline', 'CrashLoopBackOff'],
  find: (seen) =>
    ELECTING.flatMap((component) => {
      if (parseBoolean(flagOf(component, 'leader-elect', seen)) === false) return [];
      const valueOf = (flag: string, usual: number) => {
        const value = flagOf(component, flag, seen);
        return value === undefined ? usual : (parseDuration(value) ?? usual);
      };
      const lease = valueOf('leader-elect-lease-duration', 15_000);
      const deadline = valueOf('leader-elect-renew-deadline', 10_000);
      const period = valueOf('leader-elect-retry-period', 2_000);
      const isShort = lease <= deadline;
      if (!isShort && deadline > 1.2 * period && period > 0) return [];
      const [flag, value, limit, usual] =
        period <= 0
          ? (['leader-elect-retry-period', period, 'a loop', '2s'] as const)
          : isShort
            ? ([
                'leader-elect-lease-duration',
                lease,
                `leader-elect-renew-deadline ${formatDuration(deadline)}`,
                '15s',
              ] as const)
            : ([
                'leader-elect-renew-deadline',
                deadline,
                `leader-elect-retry-period ${formatDuration(period)}`,
                '10s',
              ] as const);
      return finding(
        runningObject(component, seen),
        `${binaries[component]} exits at start: ${flag} ${formatDuration(value)} is too short for ${limit}`,
        { rule: 'each must be longer than the next', field: flag, value: formatDuration(value) },
        startWith(component, `--${flag}=${usual}`, seen),
      );
    }),
};

export const severalLeaders: StateCheck = {
  id: 'several-leaders',
  severity: 'error',
  theme: 'chain',
  title: 'several replicas of a component are active at the same time',
  help: 'Without leader election every replica acts: they undo writes of each other, and each counts tolerations and evictions separately. Start them with --leader-elect=true, and with the same leader-elect-resource-namespace and -name.',
  needs: ['Configuration'],
  uses: ['Lease', 'Deployment'],
  lacks: lacksElections,
  symptoms: [
    'the object has been modified; please apply your changes to the latest version',
    'Events appear twice',
  ],
  find: (seen) =>
    ELECTING.flatMap((component) => {
      const leases = leasesOf(component, seen.world).filter((one) => isRenewed(one, seen.now));
      if (leases.length > 1) {
        const names = leases.map(identityOf);
        return finding(
          [...names, ...runningObject(component, seen)],
          `${leases.length} leaders of ${binaries[component]} act at the same time: they renew ${firstObjectNames(names)}`,
          leases.map(({ spec }, at) => ({
            rule: 'all replicas elect one leader by one Lease',
            object: names[at],
            field: 'spec.holderIdentity',
            value: spec?.holderIdentity,
          })),
          'start all replicas with the same leader-elect-resource-namespace and leader-elect-resource-name, or stop the second installation',
        );
      }
      const [object] = runningObject(component, seen);
      const replicas = numberIn(object && seen.object(object)?.spec, 'replicas') ?? 1;
      if (!object || replicas < 2 || parseBoolean(flagOf(component, 'leader-elect', seen)) !== false)
        return [];
      return finding(
        [object],
        `${replicas} replicas of ${binaries[component]} act at the same time: --leader-elect=false`,
        { rule: 'no leader is elected', field: 'leader-elect', value: 'false' },
        startWith(component, '--leader-elect=true', seen),
      );
    }),
};
