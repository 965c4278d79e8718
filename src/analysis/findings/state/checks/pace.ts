import { hasOneQueue } from '../../../../karmada/configuration/taintEviction.ts';
import { whenFlagDecides } from '../../../../karmada/dialects/componentFlags.ts';
import { binaries, components } from '../../../../karmada/dialects/flags.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { queuePace } from '../../../../karmada/taints/evictionPace.ts';
import { usualMembers } from '../../../../simulator/store/savedSimulation.ts';
import { lazilyFor } from '../../../../kubernetes/lazily.ts';
import { formatDuration, parseDuration } from '../../../../kubernetes/time.ts';
import { clusterObject, finding } from '../about.ts';
import { type Examined, flagOf, runningObject } from '../examined.ts';
import { startWith } from '../remedies.ts';
import type { Severity } from '../../finding.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';

export const evictionRateZero: StateCheck = {
  id: 'eviction-rate-zero',
  severity: 'error',
  theme: 'chain',
  title: 'the rate of evictions is 0',
  help: 'resource-eviction-rate=0 stops all evictions by taints. Set a rate above 0; the default is 0.5 per second.',
  needs: ['Cluster', 'Configuration'],
  flags: ['resource-eviction-rate'],
  versions: whenFlagDecides('controllerManager', 'resource-eviction-rate'),
  symptoms: ['eviction_queue_depth grows, and nothing is evicted'],
  issues: [6746, 7483],
  find: (seen) => {
    const { rules, controllerManager } = seen.configuration;
    if (rules.taints.evictionPace === 'unpaced') return [];
    const paused = hasOneQueue(rules) ? queuePace(seen.world.clusters, controllerManager) : undefined;
    const rate = paused ? paused.rate : controllerManager['resource-eviction-rate'];
    if (rate > 0) return [];
    return finding(
      runningObject('controllerManager', seen),
      `failover is off: the rate of evictions is 0${paused ? ` (${paused.reason})` : ''}`,
      { rule: 'evictions wait for the rate', field: 'resource-eviction-rate', value: rate },
      startWith('controllerManager', '--resource-eviction-rate=0.5', seen),
    );
  },
};

/** The longest acceptable time until the last eviction from a cluster, in seconds. */
const LONG = 1800;

export const evictionRateSlow: StateCheck = {
  id: 'eviction-rate-slow',
  severity: 'warning',
  theme: 'chain',
  title: 'the evictions from one cluster take too long',
  help: 'Karmada evicts the workloads of a cluster one by one, at resource-eviction-rate. Raise the rate, or accept the time.',
  needs: ['Cluster', 'ResourceBinding', 'Configuration'],
  flags: ['resource-eviction-rate'],
  versions: whenFlagDecides('controllerManager', 'resource-eviction-rate'),
  symptoms: ['eviction_queue_depth falls slowly'],
  issues: [7483, 7495, 6746],
  find: (seen) => {
    const { rules, controllerManager } = seen.configuration;
    const rate = controllerManager['resource-eviction-rate'];
    if (rules.taints.evictionPace === 'unpaced' || !(rate > 0)) return [];
    const [name, most] = [...loads(seen)].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
    if (most / rate <= LONG) return [];
    return finding(
      [clusterObject(name)],
      `the ${most} workloads of ${name} would need ${formatDuration(timeToLeave(name, seen))} to leave it, at ${rate} evictions per second`,
      { rule: 'evictions run one by one', field: 'resource-eviction-rate', value: rate },
      startWith('controllerManager', `--resource-eviction-rate=${Math.ceil(most / 600)}`, seen),
    );
  },
};

/** By cluster: how many workloads a failure of it evicts. */
const loads = lazilyFor((seen: Examined) => {
  const found = new Map<string, number>();
  for (const { spec } of seen.world.bindings)
    if (!isAttached(spec))
      for (const { name } of spec.clusters ?? []) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
});

/** Milliseconds until the last workload of a cluster is evicted, at the pace of resource-eviction-rate. */
export function timeToLeave(cluster: string, seen: Examined): number {
  const rate = seen.configuration.controllerManager['resource-eviction-rate'];
  return Math.ceil((loads(seen).get(cluster) ?? 0) / rate) * 1000;
}

/** The longest acceptable time until Karmada notices that a cluster is down, or recovered. */
const LATE = 300_000;

/** Finds flags that delay Ready too long, with their defaults. */
const late =
  (
    usual: Readonly<Record<string, string>>,
    text: (time: string, flag: string) => string,
    severity?: Severity,
  ) =>
  (seen: Examined): Diagnosed[] =>
    (['controllerManager', 'agent'] as const).flatMap((component) =>
      Object.entries(usual).flatMap(([flag, standard]) => {
        const values: Readonly<Record<string, unknown>> = seen.configuration[component];
        const value = values[flag];
        if (typeof value !== 'number' || value <= LATE) return [];
        const time = formatDuration(value);
        const of = component === 'agent' ? `${flag} of ${binaries.agent}` : flag;
        return finding(
          runningObject(component, seen),
          text(time, of),
          { rule: 'Ready changes only then', field: flag, value: time },
          startWith(component, `--${flag}=${standard}`, seen),
          severity,
        );
      }),
    );

const noticedLate = late(
  {
    'cluster-failure-threshold': '30s',
    'cluster-monitor-grace-period': '40s',
    'cluster-monitor-period': '5s',
    'cluster-status-update-frequency': '10s',
  },
  (time, flag) => `the failure of a cluster is detected only after ${time} (${flag})`,
);

const startsLate = late(
  { 'cluster-startup-grace-period': '60s' },
  (time, flag) => `a Pull cluster that never reports gets a Ready condition only after ${time} (${flag})`,
  'note',
);

export const detectionSlow: StateCheck = {
  id: 'detection-slow',
  severity: 'warning',
  theme: 'chain',
  title: 'the failure of a cluster is detected late',
  help: 'A cluster becomes not Ready only after cluster-failure-threshold (Push) or cluster-monitor-grace-period (Pull). A Push cluster is probed every cluster-status-update-frequency; whether the agent of a Pull cluster still reports is checked every cluster-monitor-period. A Pull cluster that has joined and never reports gets Ready=Unknown after cluster-startup-grace-period. Values of several minutes delay every failover by that time.',
  needs: ['Configuration'],
  flags: [
    ...['cluster-failure-threshold', 'cluster-monitor-grace-period', 'cluster-monitor-period'],
    ...['cluster-status-update-frequency', 'cluster-startup-grace-period'],
  ],
  symptoms: ['the API server of a member is gone, and Ready stays True'],
  find: (seen) => [...noticedLate(seen), ...startsLate(seen)],
};

export const recoverySlow: StateCheck = {
  id: 'recovery-slow',
  severity: 'warning',
  theme: 'recovery',
  title: 'a recovered cluster stays NotReady for a long time',
  help: 'A recovered cluster becomes Ready only after cluster-success-threshold: until then its taints stay, and Karmada evicts workloads and schedules none there. The default is 30 seconds.',
  needs: ['Configuration'],
  flags: ['cluster-success-threshold'],
  symptoms: ['the API server of a member answers, and Ready stays False'],
  find: late(
    { 'cluster-success-threshold': '30s' },
    (time, flag) => `a recovered cluster becomes Ready only after ${time} (${flag})`,
  ),
};

export const gracefulTimeoutShort: StateCheck = {
  id: 'graceful-timeout-short',
  severity: 'warning',
  theme: 'chain',
  title: 'an eviction ends before a new copy can be ready',
  help: 'graceful-eviction-timeout is not longer than the startup time: at that deadline the old copy is deleted, whether its replacement is ready or not. The default is 10 minutes.',
  needs: ['Configuration'],
  flags: ['graceful-eviction-timeout'],
  symptoms: ['no copy is ready for some time after an eviction'],
  issues: [3467],
  find: (seen) => {
    const timeout = seen.configuration.controllerManager['graceful-eviction-timeout'];
    const { workloadReadyAfter } = usualMembers(seen.world);
    if (timeout > workloadReadyAfter) return [];
    return finding(
      runningObject('controllerManager', seen),
      `evictions end after ${formatDuration(timeout)} (graceful-eviction-timeout), as long as a start: the old copy is deleted before its replacement is ready`,
      {
        rule: `a start is assumed to need ${formatDuration(workloadReadyAfter)}`,
        field: 'graceful-eviction-timeout',
        value: formatDuration(timeout),
        certainty: 'estimate' as const,
      },
      startWith('controllerManager', '--graceful-eviction-timeout=10m', seen),
    );
  },
};

const HOUR = 3_600_000;

export const gracefulTimeoutLong: StateCheck = {
  id: 'graceful-timeout-long',
  severity: 'warning',
  theme: 'chain',
  title: 'an eviction may last for hours',
  help: 'graceful-eviction-timeout is above an hour. An eviction whose new copy does not become ready lasts that long: the old copy stays, and the scheduler does not choose the evicting cluster. The default is 10 minutes.',
  needs: ['Configuration'],
  flags: ['graceful-eviction-timeout'],
  symptoms: ['gracefulEvictionTasks of a cluster that is back, and nothing is scheduled there'],
  issues: [5782, 5803],
  find: (seen) => {
    const timeout = seen.configuration.controllerManager['graceful-eviction-timeout'];
    if (timeout <= HOUR) return [];
    const time = formatDuration(timeout);
    return finding(
      runningObject('controllerManager', seen),
      `an eviction whose new copy is not ready lasts ${time} (graceful-eviction-timeout): the evicting cluster is not chosen until then`,
      { rule: 'only a ready copy ends it earlier', field: 'graceful-eviction-timeout', value: time },
      startWith('controllerManager', '--graceful-eviction-timeout=10m', seen),
    );
  },
};

/** The default client rate limits. 0 is client-go's default: 5 per second, 10 at once. */
const REQUESTS = [
  { flag: 'kube-api-qps', usual: 40, what: 'requests per second to the API server' },
  { flag: 'kube-api-burst', usual: 60, what: 'requests at once to the API server' },
  { flag: 'cluster-api-qps', usual: 40, what: 'requests per second to the API server of each member' },
  { flag: 'cluster-api-burst', usual: 60, what: 'requests at once to the API server of each member' },
] as const;

/** Lower rates are slow; below one request per second a leader cannot renew its Lease. */
const SLOW = 5;

export const requestsLimited: StateCheck = {
  id: 'api-requests-limited',
  severity: 'warning',
  theme: 'chain',
  title: 'the API request limit of a component is too low',
  help: 'A component sends kube-api-burst requests at once, and kube-api-qps per second after that; to members cluster-api-burst and cluster-api-qps. With few of them each step of a failover is throttled. With less than one, a leader cannot renew its Lease, and the component restarts repeatedly. The defaults are 40 per second and 60 at once.',
  needs: ['Deployment'],
  symptoms: ['client rate limiter Wait returned an error', 'leader election lost'],
  find: (seen) =>
    components.flatMap((component) =>
      REQUESTS.flatMap(({ flag, usual, what }) => {
        const value = flagOf(component, flag, seen);
        if (value === undefined || !(Number(value) > 0 && Number(value) < SLOW)) return [];
        return finding(
          runningObject(component, seen),
          `${binaries[component]} may send ${value} ${what} (${flag}): each of its steps is throttled`,
          { rule: `the default is ${usual}`, field: flag, value },
          startWith(component, `--${flag}=${usual}`, seen),
          flag === 'kube-api-qps' && Number(value) < 1 ? 'error' : undefined,
        );
      }),
    ),
};

/** Milliseconds after which an agent renews its Lease. */
const RENEWED = 10_000;

export const detectionHasty: StateCheck = {
  id: 'detection-hasty',
  severity: 'warning',
  theme: 'chain',
  title: 'a short disturbance counts as the failure of a cluster',
  help: 'With cluster-failure-threshold=0s one failed probe makes a Push cluster not Ready. A cluster-monitor-grace-period no longer than 10 seconds, after which agents renew their Leases, makes Pull clusters Unknown again and again. Policies then add taints, and workloads move. The defaults are 30 and 40 seconds.',
  needs: ['Cluster', 'Configuration'],
  flags: ['cluster-failure-threshold', 'cluster-monitor-grace-period'],
  symptoms: ['Ready of a cluster that works flaps'],
  find: (seen) => {
    const { controllerManager: flags } = seen.configuration;
    const has = (mode: string) => seen.world.clusters.some(({ spec }) => (spec?.syncMode ?? 'Push') === mode);
    const threshold = flags['cluster-failure-threshold'];
    const success = flags['cluster-success-threshold'];
    const grace = flags['cluster-monitor-grace-period'];
    const hasty = (flag: string, value: number, usual: string, text: string, severity?: Severity) =>
      finding(
        runningObject('controllerManager', seen),
        `${text} (${flag}=${formatDuration(value)})`,
        { rule: text, field: flag, value: formatDuration(value) },
        startWith('controllerManager', `--${flag}=${usual}`, seen),
        severity,
      );
    return [
      ...(threshold <= 0 && has('Push')
        ? [
            hasty(
              'cluster-failure-threshold',
              threshold,
              '30s',
              'one failed probe makes a Push cluster not Ready',
            ),
          ]
        : []),
      ...(success <= 0 && has('Push')
        ? [
            hasty(
              'cluster-success-threshold',
              success,
              '30s',
              'one successful probe makes a Push cluster Ready',
              'note',
            ),
          ]
        : []),
      ...(grace <= RENEWED && has('Pull')
        ? [
            hasty(
              'cluster-monitor-grace-period',
              grace,
              '40s',
              'a Pull cluster becomes Unknown before its agent renews its Lease',
              'error',
            ),
          ]
        : []),
    ];
  },
};

/** Flags that delay single steps, with the longest acceptable delay in milliseconds. */
const WAITS = [
  {
    flag: 'rate-limiter-base-delay',
    limit: 10_000,
    usual: '5ms',
    text: 'retries a failed step only after',
  },
  {
    flag: 'scheduler-estimator-timeout',
    limit: 60_000,
    usual: '3s',
    text: 'waits for a scheduler estimator that does not answer, with each workload, for',
  },
] as const;

export const slowSteps: StateCheck = {
  id: 'steps-wait',
  severity: 'warning',
  theme: 'chain',
  title: 'a component waits long between the steps of a failover',
  help: 'rate-limiter-base-delay is the time until the first retry of a failed step; each failure doubles it. scheduler-estimator-timeout is how long karmada-scheduler waits for an estimator, before it uses the capacity that clusters report. The defaults are 5 ms and 3 s.',
  needs: ['Deployment'],
  symptoms: [
    'a failed step is retried minutes later',
    'DeadlineExceeded of an estimator, minutes after the request',
  ],
  find: (seen) =>
    components.flatMap((component) =>
      WAITS.flatMap(({ flag, limit, usual, text }) => {
        const value = parseDuration(flagOf(component, flag, seen) ?? '') ?? 0;
        if (value <= limit) return [];
        const time = formatDuration(value);
        return finding(
          runningObject(component, seen),
          `${binaries[component]} ${text} ${time} (${flag})`,
          { rule: `the default is ${usual}`, field: flag, value: time },
          startWith(component, `--${flag}=${usual}`, seen),
        );
      }),
    ),
};
