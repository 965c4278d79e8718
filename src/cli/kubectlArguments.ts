import { UserError } from './errors.ts';

/** How kubectl reads a boolean after "=". */
const VALUES = new Map([
  ...['true', 't', 'True', 'T', 'TRUE', '1'].map((text): [string, boolean] => [text, true]),
  ...['false', 'f', 'False', 'F', 'FALSE', '0'].map((text): [string, boolean] => [text, false]),
]);

/** How kubectl reads a text after "="; undefined if it is not a boolean. */
export const booleanValue = (text: string): boolean | undefined => VALUES.get(text);

interface KnownFlag {
  type: 'boolean' | 'option';
  char?: string;
  allowNo?: boolean;
}

/** The value that an option without one gets, and the words that count as its value when they follow. */
export interface ImplicitValue {
  value: string;
  otherwise: readonly string[];
}

/**
 * Turns a command line in kubectl's form into one that oclif reads: --wait=false becomes --no-wait, -A=true becomes --all-namespaces, and a
 * flag that is false and has no --no- form is left out. If a flag is given twice, the last one counts. `bare` holds the default values of
 * options: --dry-run means --dry-run=client. Throws a UserError for other values of booleans.
 */
export function kubectlArguments(
  argv: readonly string[],
  flags: Record<string, unknown>,
  bare: Record<string, ImplicitValue> = {},
): string[] {
  const known = flags as Record<string, KnownFlag | undefined>;
  const chars = new Map(Object.entries(known).map(([name, flag]) => [flag?.char, name]));
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const result: { word: string; of?: string }[] = [];
  for (let i = 0; i < own.length; i++) {
    const word = own[i]!;
    const [, long, short, value] = /^(?:--([^=]+)|-([^-=]))(?:=(.*))?$/s.exec(word) ?? [];
    const negated = long?.startsWith('no-') && known[long.slice(3)]?.allowNo ? long.slice(3) : undefined;
    const name = negated ?? long ?? (short && chars.get(short)) ?? '';
    const flag = known[name];
    const option = long === undefined ? undefined : bare[name];
    if (option && value === undefined) {
      const next = own[i + 1] ?? '';
      const given = option.otherwise.includes(next);
      if (given) i++;
      result.push({ word: `--${name}=${given ? next : option.value}` });
    } else if (flag?.type === 'boolean') {
      const given = value === undefined ? true : booleanValue(value);
      if (given === undefined)
        throw new UserError(
          `${word.slice(0, word.indexOf('='))} ${JSON.stringify(value)} is neither true nor false`,
        );
      const meant = negated === undefined ? given : !given;
      const before = result.findIndex(({ of }) => of === name);
      if (before !== -1) result.splice(before, 1);
      if (meant) result.push({ word: `--${name}`, of: name });
      else if (flag.allowNo) result.push({ word: `--no-${name}`, of: name });
    } else {
      result.push({ word });
      // the next word is its value, whatever it looks like
      const takesNext = flag?.type === 'option' && value === undefined && i + 1 < own.length;
      if (takesNext) result.push({ word: own[++i]! });
    }
  }
  const words = result.map(({ word }) => word);
  return end === -1 ? words : [...words, ...argv.slice(end)];
}
