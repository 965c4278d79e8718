import type { Configuration } from '../../../karmada/configuration.ts';
import { taintEvictionSwitches } from '../../taints/taintEviction.ts';
import type { DrainOptions } from '../drainOptions.ts';

/**
 * Why --method=taint would not do what is asked, in one line with what to do instead; undefined where it would, and
 * for --method=evict.
 *
 * @param unconfirmed names of gates and flags whose values nobody has confirmed
 */
export function methodProblem(
  { method, selection }: DrainOptions,
  configuration: Configuration,
  unconfirmed: ReadonlySet<string> = new Set(),
): string | undefined {
  if (method === 'evict') return undefined;
  const flags = Object.entries(selection).filter(([, value]) => isGiven(value));
  if (flags.length > 0)
    return '--method=taint evicts everything that does not tolerate the taint: leave out the flags that choose workloads, or use --method=evict';
  const switches = taintEvictionSwitches(configuration);
  const off = switches.filter(({ on }) => !on).map(({ name }) => name);
  if (off.length > 0)
    return `--method=taint would evict nothing: ${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} off${
      off.some((name) => unconfirmed.has(name)) ? ' by default, and what Karmada runs with is not known' : ''
    }; use --method=evict, or give what it runs with by --assume`;
  const guessed = switches.map(({ name }) => name).filter((name) => unconfirmed.has(name));
  if (guessed.length > 0)
    return `--method=taint evicts only with ${guessed.join(', ')} on, and what Karmada runs with is not known: give it by --host-context or --assume, or use --method=evict`;
  return undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
