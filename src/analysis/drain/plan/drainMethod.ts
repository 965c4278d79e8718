import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { taintEvictionSwitches } from '../../../karmada/configuration/taintEviction.ts';
import type { DrainOptions } from '../drainOptions.ts';

/**
 * Why a drain by taint would not do what is asked. selection: the taint evicts everything that does not tolerate it,
 * so no workloads can be selected; off: these gates and flags are off, so no taint evicts; unconfirmed: they seem to
 * be on, but nobody has confirmed it.
 */
export type MethodProblem =
  | { kind: 'selection' }
  | { kind: 'off'; switches: string[]; confirmed: boolean }
  | { kind: 'unconfirmed'; switches: string[] };

/**
 * The problem of a drain's method; undefined if it does what is asked.
 *
 * @param unconfirmed names of gates and flags whose values nobody has confirmed
 */
export function methodProblem(
  { method, selection }: DrainOptions,
  configuration: Configuration,
  unconfirmed: ReadonlySet<string> = new Set(),
): MethodProblem | undefined {
  if (method === 'evict') return undefined;
  if (Object.values(selection).some(isGiven)) return { kind: 'selection' };
  const switches = taintEvictionSwitches(configuration);
  const off = switches.filter(({ on }) => !on).map(({ name }) => name);
  if (off.length > 0)
    return { kind: 'off', switches: off, confirmed: !off.some((name) => unconfirmed.has(name)) };
  const guessed = switches.map(({ name }) => name).filter((name) => unconfirmed.has(name));
  return guessed.length > 0 ? { kind: 'unconfirmed', switches: guessed } : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
