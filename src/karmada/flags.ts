import { formatDuration, parseDuration } from '../kubernetes/time.ts';
import type { Configuration } from './configuration.ts';

/** Karmada's components, by the name of their part of the configuration. */
export type Component = Exclude<keyof Configuration, 'featureGates'>;

export const components: readonly Component[] = ['controllerManager', 'agent', 'scheduler', 'webhook'];

/** What a component's binary is called. */
export const binaries: Record<Component, string> = {
  controllerManager: 'karmada-controller-manager',
  agent: 'karmada-agent',
  scheduler: 'karmada-scheduler',
  webhook: 'karmada-webhook',
};

export type FlagValue = boolean | number | string;

/** What a flag takes, and which values the component refuses to start with. */
export type FlagType =
  | { type: 'boolean' }
  | { type: 'text'; oneOf?: readonly string[] }
  | { type: 'number' | 'duration'; above?: number; below?: number; atLeast?: number };

const boolean: FlagType = { type: 'boolean' };
const text: FlagType = { type: 'text' };
const duration: FlagType = { type: 'duration' };
const positiveDuration: FlagType = { type: 'duration', above: 0 };
const durationFromZero: FlagType = { type: 'duration', atLeast: 0 };

/** The flags of each component that decide here, as its options of v1.18 declare and validate them. */
export const flagTypes: { [C in Component]: Record<keyof Configuration[C], FlagType> } = {
  controllerManager: {
    'enable-taint-manager': boolean,
    'enable-no-execute-taint-eviction': boolean,
    'no-execute-taint-eviction-purge-mode': { type: 'text', oneOf: ['Gracefully', 'Directly'] },
    'resource-eviction-rate': { type: 'number', atLeast: 0 },
    'graceful-eviction-timeout': duration,
    'cluster-status-update-frequency': positiveDuration,
    'cluster-failure-threshold': duration,
    'cluster-success-threshold': duration,
    'cluster-monitor-period': positiveDuration,
    'cluster-monitor-grace-period': positiveDuration,
    'cluster-startup-grace-period': positiveDuration,
  },
  agent: {
    'cluster-status-update-frequency': durationFromZero,
    'cluster-failure-threshold': duration,
    'cluster-success-threshold': duration,
    'cluster-lease-duration': durationFromZero,
    'cluster-lease-renew-interval-fraction': { type: 'number', above: 0, below: 1 },
  },
  scheduler: {
    'scheduler-name': text,
    'enable-empty-workload-propagation': boolean,
    'enable-scheduler-estimator': boolean,
  },
  webhook: { 'allow-no-execute-taint-policy': boolean },
};

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/**
 * A flag's value as Go parses it from a command line, or as YAML has it (true, 0.5, "3m"). Durations become
 * milliseconds. `expected` says what the flag takes where the value is none.
 */
export function parseFlagValue(flag: FlagType, value: unknown): { value: FlagValue } | { expected: string } {
  switch (flag.type) {
    case 'boolean': {
      const known = typeof value === 'boolean' ? value : parseBoolean(value);
      return known === undefined ? { expected: 'true or false' } : { value: known };
    }
    case 'text':
      return typeof value === 'string' && (flag.oneOf === undefined || flag.oneOf.includes(value))
        ? { value }
        : { expected: flag.oneOf === undefined ? 'text' : flag.oneOf.join(' or ') };
    case 'duration': {
      const length = typeof value === 'string' ? parseDuration(value) : value === 0 ? 0 : undefined;
      return length !== undefined && isWithin(flag, length)
        ? { value: length }
        : { expected: `a duration such as 30s or 3m${limits(flag)}` };
    }
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) && isWithin(flag, number)
        ? { value: number }
        : { expected: `a number${limits(flag)}` };
    }
  }
}

/** A value as one writes it for the flag: durations as "10m0s". */
export function formatFlagValue(flag: FlagType, value: FlagValue): FlagValue {
  return flag.type === 'duration' ? formatDuration(value as number) : value;
}

/** As Go's strconv.ParseBool. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (TRUE.has(value as string)) return true;
  return FALSE.has(value as string) ? false : undefined;
}

type Limits = { above?: number; below?: number; atLeast?: number };

function isWithin({ above, below, atLeast }: Limits, value: number): boolean {
  return value > (above ?? -Infinity) && value < (below ?? Infinity) && value >= (atLeast ?? -Infinity);
}

function limits({ above, below, atLeast }: Limits): string {
  return [
    above === undefined ? '' : ` above ${above}`,
    below === undefined ? '' : ` and below ${below}`,
    atLeast === undefined ? '' : `, ${atLeast} or more`,
  ].join('');
}
