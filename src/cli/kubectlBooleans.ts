import { UserError } from './errors.ts';

/** As kubectl reads a boolean after "=". */
const VALUES = new Map([
  ...['true', 't', 'True', 'T', 'TRUE', '1'].map((text): [string, boolean] => [text, true]),
  ...['false', 'f', 'False', 'F', 'FALSE', '0'].map((text): [string, boolean] => [text, false]),
]);

interface KnownFlag {
  type: 'boolean' | 'option';
  allowNo?: boolean;
}

/**
 * A command line as oclif reads it, of one as kubectl writes it: --wait=false becomes --no-wait, --yes=true becomes
 * --yes, and `bare` says which value an option has that is given without one: --dry-run means --dry-run=client.
 * Throws a UserError for other values of booleans.
 */
export function withoutBooleanValues(
  argv: readonly string[],
  flags: Record<string, unknown>,
  bare: Record<string, { value: string; otherwise: readonly string[] }> = {},
): string[] {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const result: string[] = [];
  for (let i = 0; i < own.length; i++) {
    const word = own[i]!;
    const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = flags[name] as KnownFlag | undefined;
    const option = bare[name];
    if (option && value === undefined) {
      const next = own[i + 1] ?? '';
      const given = option.otherwise.includes(next);
      if (given) i++;
      result.push(`--${name}=${given ? next : option.value}`);
    } else if (flag?.type === 'boolean' && value !== undefined) {
      const meant = VALUES.get(value);
      if (meant === undefined) throw new UserError(`--${name} "${value}" is neither true nor false`);
      if (meant) result.push(`--${name}`);
      else if (flag.allowNo) result.push(`--no-${name}`);
    } else result.push(word);
  }
  return end === -1 ? result : [...result, ...argv.slice(end)];
}
