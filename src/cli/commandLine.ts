import { shellWord } from '../kubernetes/escaping.ts';
import type { ConnectionFlags } from './connectFromFlags.ts';

const BIN = 'kubectl karmada-failover';
const SECRET = new Set(['--token']);

/** A command line that can be pasted into a shell. Tokens are left out. */
export function commandLine(argv: readonly string[]): string {
  const words = argv.map((word, index) => {
    const [, flag = ''] = /^(--[^=]+)=/.exec(word) ?? [];
    if (SECRET.has(flag)) return `${flag}=…`;
    return SECRET.has(argv[index - 1] ?? '') ? '…' : shellWord(word);
  });
  return [BIN, ...words].join(' ');
}

/** The same command, which then writes. */
export function withoutDryRun(argv: readonly string[]): string[] {
  return argv.filter((word) => !/^--dry-run(=|$)/.test(word));
}

/** The flags that name the same control plane again. */
export function connectionWords(flags: ConnectionFlags, known: Record<string, unknown>): string[] {
  return Object.entries(flags)
    .filter(([name]) => name in known)
    .flatMap(([name, value]: [string, string | string[] | boolean | undefined]) => {
      if (value === undefined || value === false) return [];
      return value === true ? [`--${name}`] : [value].flat().map((one) => `--${name}=${one}`);
    });
}
