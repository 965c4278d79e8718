import { formatDuration, parseDuration } from '../../kubernetes/time.ts';

/** Karmada's components, by their names in the configuration. */
export const components = [
  ...(['controllerManager', 'agent', 'scheduler', 'webhook'] as const),
  ...(['descheduler', 'estimator'] as const),
] as const;

export type Component = (typeof components)[number];

export const binaries: Record<Component, string> = {
  controllerManager: 'karmada-controller-manager',
  agent: 'karmada-agent',
  scheduler: 'karmada-scheduler',
  webhook: 'karmada-webhook',
  descheduler: 'karmada-descheduler',
  estimator: 'karmada-scheduler-estimator',
};

/** The fields for components in karmada-operator's Karmada object. */
export const operatorFields: Partial<Record<Component, string>> = {
  controllerManager: 'karmadaControllerManager',
  scheduler: 'karmadaScheduler',
  webhook: 'karmadaWebhook',
  descheduler: 'karmadaDescheduler',
};

export type FlagValue = boolean | number | string;

/** The values that a flag accepts; with others the component does not start. */
export type FlagType =
  | { type: 'boolean' }
  | { type: 'text'; oneOf?: readonly string[] }
  /** APIs separated by ";": "group", "group/version", "group/version/Kind,Kind" */
  | { type: 'apis' }
  /** regular expressions for names, separated by "," */
  | { type: 'patterns' }
  /** comma-separated names of plugins: "*" for all, "-name" to exclude one; names of others may be ignored */
  | { type: 'plugins'; of: readonly string[]; others?: 'ignored' }
  /** likewise for controllers; the usual default is not reported */
  | { type: 'controllers'; of: readonly string[] }
  | ({ type: 'number' | 'duration' } & Limits);

interface Limits {
  above?: number;
  below?: number;
  atLeast?: number;
  atMost?: number;
  /** 0 is valid too, whatever the other limits are */
  orZero?: true;
  /** only integers */
  whole?: true;
}

/** Whether a component ignores names in the list that it does not know; the usual default of such a list is not reported. */
export function ignoresUnknownNames(flag: FlagType): boolean {
  return flag.type === 'controllers' || (flag.type === 'plugins' && flag.others === 'ignored');
}

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/**
 * Parses a flag's value as Go does on a command line, or as YAML gives it (true, 0.5, "3m"). Durations become
 * milliseconds. For an invalid value, `expected` says what the flag accepts.
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
    case 'apis':
      return typeof value === 'string' && value.split(';').every((one) => one.split('/').length <= 3)
        ? { value }
        : { expected: 'a list of APIs such as group/version/Kind, separated by ";"' };
    case 'patterns':
      return typeof value === 'string' && value.split(',').every(isPattern)
        ? { value }
        : { expected: 'a list of regular expressions' };
    case 'controllers':
    case 'plugins': {
      const list = pluginList(value);
      const isKnown = (name: string) => name === '*' || flag.of.includes(name.replace(/^-/, ''));
      return list?.every(isKnown)
        ? { value: list.join(',') }
        : { expected: `a list of ${flag.of.join(', ')} (* for all, - before a name to leave it out)` };
    }
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
        : { expected: `a ${flag.whole ? 'whole ' : ''}number${limits(flag)}` };
    }
  }
}

/**
 * Whether Go accepts a regular expression: it supports more groups than JavaScript, but neither look-around nor
 * references.
 */
function isPattern(text: string): boolean {
  try {
    new RegExp(text.replace(/\(\?P</g, '(?<').replace(/\(\?[a-zA-Z-]+:?/g, '(?:'));
    return !/\(\?[=!]|\(\?<[=!]|\\[1-9]/.test(text);
  } catch {
    return false;
  }
}

function pluginList(value: unknown): string[] | undefined {
  const items: unknown[] =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [null];
  if (!items.every((item) => typeof item === 'string')) return undefined;
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** The plugins that a list enables, as karmada-scheduler reads its --plugins: "*,-name" is all but one. */
export function enabledPlugins<Name extends string>(list: string, all: readonly Name[]): readonly Name[] {
  if (list === '*') return all;
  const items = list.split(',');
  return all.filter((name) => !items.includes(`-${name}`) && (items.includes('*') || items.includes(name)));
}

/** A value in the flag's own notation: durations as "10m". */
export function formatFlagValue(flag: FlagType, value: FlagValue): FlagValue {
  return flag.type === 'duration' ? formatDuration(value as number) : value;
}

/** Parses a boolean as Go's strconv.ParseBool does. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (TRUE.has(value as string)) return true;
  return FALSE.has(value as string) ? false : undefined;
}

function isWithin({ above, below, atLeast, atMost, whole, orZero }: Limits, value: number): boolean {
  if (orZero && value === 0) return true;
  if (whole && !Number.isInteger(value)) return false;
  return (
    value > (above ?? -Infinity) &&
    value < (below ?? Infinity) &&
    value >= (atLeast ?? -Infinity) &&
    value <= (atMost ?? Infinity)
  );
}

function limits({ above, below, atLeast, atMost, orZero }: Limits): string {
  if (atLeast !== undefined && atMost !== undefined)
    return `${orZero ? ', 0 or' : ''} from ${atLeast} to ${atMost}`;
  return [
    above === undefined ? '' : ` above ${above}`,
    below === undefined ? '' : ` and below ${below}`,
    atLeast === undefined ? '' : `, ${orZero ? '0 or ' : ''}${atLeast} or more`,
    atMost === undefined ? '' : `, ${atMost} or less`,
  ].join('');
}
