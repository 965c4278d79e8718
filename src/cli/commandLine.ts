import { shellWord } from '../kubernetes/escaping.ts';
import { connectionFlags } from './connectionFlags.ts';
import type { ConnectionFlags } from './connectFromFlags.ts';

const BIN = 'kubectl karmada-failover';
/** The flag of a state from stdin. */
export const STDIN_STATE = '--state=-';
const SECRET = new Set(['--token']);

/** A command line to paste into a shell. Tokens are left out. */
export function commandLine(argv: readonly string[]): string {
  return lineOf([BIN], argv);
}

/**
 * A kubectl or karmadactl command for the control plane of the answer or, if it names the namespace of Karmada's
 * components, for their host cluster.
 * @param source the flags that name the state, as `connectionWords` gives them
 */
export function kubectlLine([program = '', ...words]: readonly string[], source: readonly string[]): string {
  const flags = source
    .map((word) => /^--([^=]+)(.*)$/.exec(word)!)
    .map(([, name, value]) => ({ name: name!, value: value! }));
  const ofComponents =
    flags.find(({ name }) => name === 'host-namespace')?.value.slice(1) ?? 'karmada-system';
  const isOfHost = words.some((word, at) => word === ofComponents && words[at - 1] === '-n');
  const ofServer = isOfHost
    ? flags.filter(({ name }) => name in OF_HOST).map(({ name, value }) => `--${OF_HOST[name]}${value}`)
    : flags
        .filter(({ name }) => name in connectionFlags && name !== 'v')
        .map(
          ({ name, value }) =>
            `--${name === 'karmada-context' && program === 'kubectl' ? 'context' : name}${value}`,
        );
  return lineOf([program], [...words, ...ofServer]);
}

/** kubectl's names of the flags for Karmada's host cluster. */
const OF_HOST: Readonly<Record<string, string>> = {
  'host-context': 'context',
  'host-kubeconfig': 'kubeconfig',
};

function lineOf(program: readonly string[], argv: readonly string[]): string {
  const words = argv.map((word, index) => {
    // what was read from stdin is gone
    if (word === STDIN_STATE) return '--state=FILE';
    const [, flag = ''] = /^(--[^=]+)=/.exec(word) ?? [];
    if (SECRET.has(flag)) return `${flag}=…`;
    return SECRET.has(argv[index - 1] ?? '') ? '…' : shellWord(word);
  });
  return [...program, ...words].join(' ');
}

/** The same command without its dry run. */
export function withoutDryRun(argv: readonly string[]): string[] {
  return argv.filter((word) => !/^--dry-run(=|$)/.test(word));
}

/** The flags that select the same control plane. */
export function connectionWords(flags: ConnectionFlags, known: Record<string, unknown>): string[] {
  return Object.entries(flags)
    .filter(([name]) => name in known)
    .flatMap(([name, value]: [string, string | string[] | boolean | undefined]) => {
      if (value === undefined || value === false) return [];
      return value === true ? [`--${name}`] : [value].flat().map((one) => `--${name}=${one}`);
    });
}
