import { KARMADA_CONTROLLERS } from './controllerList.ts';
import { SCHEDULER_PLUGINS } from './schedulerPlugins.ts';
import type { Component, FlagType, FlagValue } from './flags.ts';
import type { Design } from './design.ts';
import { designsText, valueAt, releasesText, type History } from './history.ts';
import type { Release } from './release.ts';
import { MINUTE, SECOND } from '../../kubernetes/time.ts';
import { EVICT_PLUGINS } from './switches/eviction.ts';

/**
 * Evictions per second: at rates between 0 and this value an eviction worker's delay, 1/rate in nanoseconds, overflows
 * Go's time.Duration. The result depends on the processor: no further eviction on arm64, no delay at all on amd64.
 */
const LOWEST_RATE = 1.1e-10;

/** How a release treats a flag; withoutEffect: it still accepts the flag but ignores it. */
type FlagState<T> = { default: T } | 'withoutEffect' | 'unknown';

interface FlagHistory<T> extends History<FlagState<T>> {
  type: FlagType;
  /** in designs, if it accepts other values there */
  typeInDesigns?: FlagType;
}

const boolean: FlagType = { type: 'boolean' };
const text: FlagType = { type: 'text' };
const duration: FlagType = { type: 'duration' };
const positiveDuration: FlagType = { type: 'duration', above: 0 };
/** a float32 */
const rate = { type: 'number', atLeast: 0, atMost: 3.4e38 } as const;
const durationFromZero: FlagType = { type: 'duration', atLeast: 0 };

/** A flag that every release has. */
function always<T>(type: FlagType, value: T): FlagHistory<T> {
  return { type, values: [{ value: { default: value } }] };
}

/** A flag that a release introduced. */
function from<T>(release: string, type: FlagType, value: T): FlagHistory<T> {
  return { type, values: [{ value: 'unknown' }, { since: [release], value: { default: value } }] };
}

/** A flag that only a design has. */
function designed<T>(design: Design, type: FlagType, value: T): FlagHistory<T> {
  return { type, values: [{ value: 'unknown' }], designs: { [design]: { default: value } } };
}

/** A flag that the design optimize-cluster-failover drops. */
function givenUp<T>(history: FlagHistory<T>): FlagHistory<T> {
  return { ...history, designs: { 'optimize-cluster-failover': 'unknown' } };
}

/** A flag that lost its effect in one release and was removed in a later one. */
function until<T>(noEffect: string, gone: string, type: FlagType, value: T): FlagHistory<T> {
  return {
    type,
    values: [
      { value: { default: value } },
      { since: [noEffect], value: 'withoutEffect' },
      { since: [gone], value: 'unknown' },
    ],
  };
}

/**
 * The flags of each component that our rules read, as app/options declares, validates and defaults them in each
 * release. Durations are milliseconds.
 */
export const decidingFlags = {
  controllerManager: {
    'enable-taint-manager': givenUp(always<boolean>(boolean, true)),
    'enable-no-execute-taint-eviction': givenUp(from<boolean>('v1.14.0', boolean, false)),
    'no-execute-taint-eviction-purge-mode': givenUp(
      from<'Gracefully' | 'Directly'>(
        'v1.14.0',
        { type: 'text', oneOf: ['Gracefully', 'Directly'] },
        'Gracefully',
      ),
    ),
    /** evictions per second: for each worker; in the design optimize-cluster-failover, for all workers together */
    'resource-eviction-rate': {
      ...from<number>('v1.16.0', { ...rate, atLeast: LOWEST_RATE, orZero: true }, 0.5),
      typeInDesigns: rate,
    } as FlagHistory<number>,
    'secondary-resource-eviction-rate': designed<number>('optimize-cluster-failover', rate, 0.1),
    /** a share of all clusters */
    'unhealthy-cluster-threshold': designed<number>(
      'optimize-cluster-failover',
      { type: 'number', atLeast: 0, atMost: 1 },
      0.55,
    ),
    'large-cluster-num-threshold': designed<number>(
      'optimize-cluster-failover',
      { type: 'number', atLeast: 0, whole: true },
      10,
    ),
    'failover-eviction-timeout': until<number>('v1.14.0', 'v1.15.0', duration, 5 * MINUTE),
    'graceful-eviction-timeout': {
      type: duration,
      values: [{ value: { default: 10 * MINUTE } }],
      designs: {
        'optimize-cluster-failover': 'withoutEffect',
        'configurable-cluster-failover': { default: 10 * MINUTE },
      },
    } as FlagHistory<number>,
    'evict-plugins': designed<string>(
      'optimize-cluster-failover',
      { type: 'plugins', of: EVICT_PLUGINS },
      '*',
    ),
    'cluster-status-update-frequency': always<number>(positiveDuration, 10 * SECOND),
    'cluster-failure-threshold': always<number>(duration, 30 * SECOND),
    'cluster-success-threshold': always<number>(duration, 30 * SECOND),
    'cluster-monitor-period': always<number>(positiveDuration, 5 * SECOND),
    'cluster-monitor-grace-period': always<number>(positiveDuration, 40 * SECOND),
    'cluster-startup-grace-period': always<number>(positiveDuration, 60 * SECOND),
    controllers: always<string>({ type: 'controllers', of: KARMADA_CONTROLLERS }, '*'),
  },
  agent: {
    'cluster-status-update-frequency': always<number>(durationFromZero, 10 * SECOND),
    'cluster-failure-threshold': always<number>(duration, 30 * SECOND),
    'cluster-success-threshold': always<number>(duration, 30 * SECOND),
    'cluster-lease-duration': always<number>(durationFromZero, 40 * SECOND),
    'cluster-lease-renew-interval-fraction': always<number>({ type: 'number', above: 0, below: 1 }, 0.25),
    /** a starting agent waits for the lease duration before it works, unless leader election is off */
    'leader-elect': always<boolean>(boolean, true),
    'leader-elect-lease-duration': always<number>(duration, 15 * SECOND),
  },
  scheduler: {
    'scheduler-name': always<string>(text, 'default-scheduler'),
    'enable-empty-workload-propagation': always<boolean>(boolean, false),
    'enable-scheduler-estimator': always<boolean>(boolean, false),
    plugins: always<string>({ type: 'plugins', of: SCHEDULER_PLUGINS, others: 'ignored' }, '*'),
  },
  webhook: {
    'allow-no-execute-taint-policy': {
      ...from<boolean>('v1.14.0', boolean, false),
      designs: { 'optimize-cluster-failover': 'unknown' },
    } as FlagHistory<boolean>,
    /** seconds; webhooks with these flags add tolerations with that tolerationSeconds */
    'default-not-ready-toleration-seconds': {
      type: { type: 'number' },
      values: [{ value: { default: 300 } }, { since: ['v1.15.0'], value: 'unknown' }],
    } as FlagHistory<number>,
    'default-unreachable-toleration-seconds': {
      type: { type: 'number' },
      values: [{ value: { default: 300 } }, { since: ['v1.15.0'], value: 'unknown' }],
    } as FlagHistory<number>,
  },
  descheduler: {},
  estimator: {},
};

type Deciding = typeof decidingFlags;

/**
 * The value of each flag that our rules read, by component. A flag that a release lacks keeps its earlier value, which
 * no rule reads.
 */
export type Flags = {
  [C in keyof Deciding]: {
    [Flag in keyof Deciding[C]]: Deciding[C][Flag] extends FlagHistory<infer T> ? T : never;
  };
};

/** The flags that have an effect in a release. */
export function flagTypesOf(release: Release): Record<Component, Record<string, FlagType>> {
  return perComponent((histories) =>
    Object.fromEntries(
      Object.entries(histories).flatMap(([name, history]) =>
        typeof valueAt(history, release) === 'string' ? [] : [[name, typeAt(history, release)]],
      ),
    ),
  );
}

function typeAt({ type, typeInDesigns = type }: FlagHistory<unknown>, { designs }: Release): FlagType {
  return designs ? typeInDesigns : type;
}

/** The flags that have no effect in this release, only in others. */
export function otherFlagsOf(
  release: Release,
): Record<Component, Record<string, 'unknown' | 'withoutEffect'>> {
  return perComponent((histories) =>
    Object.fromEntries(
      Object.entries(histories).flatMap(([name, history]) => {
        const state = valueAt(history, release);
        return typeof state === 'string' ? [[name, state]] : [];
      }),
    ),
  );
}

/** The releases or designs in which a flag has an effect, in words: "before v1.14.0". */
export function whenFlagDecides(component: Component, name: string): string {
  const histories: Record<string, FlagHistory<unknown>> = decidingFlags[component];
  const history = histories[name];
  if (!history) return '';
  const decides = (state: FlagState<unknown>) => typeof state !== 'string';
  if (history.values.every(({ value }) => decides(value))) return 'in every release';
  return releasesText(history.values, decides) || designsText(history, decides);
}

/** The defaults of a release's flags. */
export function flagDefaultsOf(release: Release): Flags {
  return perComponent((histories) =>
    Object.fromEntries(
      Object.entries(histories).map(([name, history]) => [name, defaultAt(history, release)]),
    ),
  ) as Flags;
}

function defaultAt(history: FlagHistory<FlagValue>, release: Release): FlagValue | undefined {
  const state = valueAt(history, release);
  if (typeof state !== 'string') return state.default;
  const states = [...history.values.map(({ value }) => value), ...Object.values(history.designs ?? {})];
  return states.flatMap((one) => (typeof one === 'string' ? [] : [one.default]))[0];
}

function perComponent<T>(
  build: (histories: Record<string, FlagHistory<FlagValue>>) => T,
): Record<Component, T> {
  return Object.fromEntries(
    Object.entries(decidingFlags).map(([component, histories]) => [component, build(histories)]),
  ) as Record<Component, T>;
}
