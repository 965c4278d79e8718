import type { DrainOptions, DrainSelection } from '../../analysis/drain/drainOptions.ts';
import { drainOptionFlags, type DrainOptionFlags } from './drainFlags.ts';
import { UserError } from '../errors.ts';
import { choice, durationOrSeconds, number, wholeNumber } from '../values.ts';
import { givenLabelSelector } from '../selection.ts';
import { keysOf } from '../../kubernetes/json.ts';

/** Evictions per second: from one a day to more than any control plane can handle; same range as in docs/schema. */
const RATES = { least: 0.00001, most: 100_000 };

/**
 * The options of a drain, and a one-line warning for each flag without effect. Throws a UserError that names the flag.
 */
export function drainOptionsFromFlags(
  clusters: readonly string[],
  given: DrainOptionFlags,
): { options: DrainOptions; warnings: string[] } {
  // scripts may pass kubectl's default: then the workload decides
  const flags = given['grace-period'] === '-1' ? { ...given, 'grace-period': undefined } : given;
  const method = choice('--method', flags.method, ['evict', 'taint']) ?? 'evict';
  const purgeMode = choice('--purge-mode', flags['purge-mode'], ['Gracefully', 'Directly']) ?? 'Gracefully';
  const hold = flags.hold ?? (method === 'evict' && purgeMode === 'Gracefully');
  const gracePeriodSeconds = gracePeriod(flags['grace-period']);
  const { warnings, effective } = checkTogether({ method, purgeMode, hold, flags });
  const options: DrainOptions = {
    clusters: [...new Set(clusters)],
    method,
    hold,
    purgeMode,
    ...(gracePeriodSeconds === undefined || !effective.gracePeriod ? {} : { gracePeriodSeconds }),
    selection: selectionFrom(flags),
    pace: {
      evictionRate:
        number(
          '--eviction-rate',
          flags['eviction-rate'],
          `a number from ${RATES.least} to ${RATES.most}`,
          (n) => n >= RATES.least && n <= RATES.most,
        ) ?? 0.5,
      secondaryEvictionRate:
        number(
          '--secondary-eviction-rate',
          flags['secondary-eviction-rate'],
          `0, or a number from ${RATES.least} to ${RATES.most}`,
          (n) => n === 0 || (n >= RATES.least && n <= RATES.most),
        ) ?? 0.1,
      unhealthyClusterThreshold:
        number(
          '--unhealthy-cluster-threshold',
          flags['unhealthy-cluster-threshold'],
          'a share from 0 to 1',
          (n) => n >= 0 && n <= 1,
        ) ?? 0.55,
      largeClusterNumThreshold:
        wholeNumber('--large-cluster-num-threshold', flags['large-cluster-num-threshold'], 0) ?? 10,
      ...optional('maxConcurrent', wholeNumber('--max-concurrent', flags['max-concurrent'], 1)),
    },
    accept: {
      loss: flags['allow-loss'] ?? false,
      blocked: flags['allow-blocked'] ?? false,
      overcommit: flags['allow-overcommit'] ?? false,
      unhealthy: flags['allow-unhealthy'] ?? false,
    },
  };
  return { options, warnings };
}

/** Checks flag combinations: throws for contradictions, returns warnings for flags without effect. */
function checkTogether({
  method,
  purgeMode,
  hold,
  flags,
}: {
  method: string;
  purgeMode: string;
  hold: boolean;
  flags: DrainOptionFlags;
}): { warnings: string[]; effective: { gracePeriod: boolean } } {
  const warnings: string[] = [];
  const withTaint = method === 'taint';
  if (purgeMode === 'Directly' && flags.hold === true)
    throw new UserError(
      '--purge-mode=Directly removes each old copy before the new one starts, which --hold forbids; leave one of them out',
    );
  if (withTaint && flags.hold === true)
    throw new UserError('--hold needs --method=evict: with a taint Karmada itself writes the evictions');
  if (withTaint)
    for (const flag of [
      'purge-mode',
      'grace-period',
      'max-concurrent',
      'eviction-rate',
      'secondary-eviction-rate',
    ] as const)
      if (flags[flag] !== undefined)
        warnings.push(
          `--${flag} has no effect with --method=taint: the flags of Karmada's taint manager decide`,
        );
  const gracePeriod = !withTaint && !hold && purgeMode === 'Gracefully';
  if (flags['grace-period'] !== undefined && !withTaint && !gracePeriod)
    warnings.push(
      hold
        ? '--grace-period has no effect on evictions that are held; it needs --no-hold'
        : '--grace-period has no effect with --purge-mode=Directly, which waits for nothing',
    );
  return { warnings, effective: { gracePeriod } };
}

/** The given flags that a saved plan already decides. */
export function flagsOfOptions(flags: DrainOptionFlags): string[] {
  return keysOf(drainOptionFlags)
    .filter((name) => flags[name] !== undefined)
    .map((name) => (flags[name] === false ? `--no-${name}` : `--${name}`));
}

function selectionFrom({ selector, namespace, kind, policy, skip, only }: DrainOptionFlags): DrainSelection {
  for (const [flag, names] of [
    ['--skip', skip],
    ['--only', only],
  ] as const)
    for (const name of names ?? []) {
      const parts = name.split('/');
      if (parts.length < 2 || parts.length > 3 || parts.includes(''))
        throw new UserError(
          `${flag} "${name}" is not KIND/NAME or NAMESPACE/KIND/NAME, such as shop/deployment/cart`,
        );
    }
  return {
    ...optional('namespace', namespace),
    ...optional('labelSelector', selector === undefined ? undefined : givenLabelSelector(selector)),
    ...optional('kinds', kind),
    ...optional('policy', policy),
    ...optional('skip', skip),
    ...optional('only', only),
  };
}

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [name in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [name in Name]?: Value };
}

/** gracePeriodSeconds is an int32. */
const MAX_SECONDS = 2 ** 31 - 1;

/** Seconds of a duration, or a bare number of seconds, like kubectl's --grace-period. */
function gracePeriod(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const milliseconds = durationOrSeconds('--grace-period', given);
  const seconds = milliseconds / 1000;
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SECONDS)
    throw new UserError(
      `--grace-period "${given}" is not a whole number of seconds from 1 to ${MAX_SECONDS}`,
    );
  return seconds;
}
