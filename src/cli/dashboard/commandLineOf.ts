import { shellWord } from '../../kubernetes/escaping.ts';
import { commandLine, connectionWords, kubectlLine } from '../commandLine.ts';
import { connectionFlags } from '../connectionFlags.ts';
import type { StateFlags } from '../stateRequest.ts';
import { loadKubeconfig } from '../../state/live/connection/kubeconfig.ts';

/** Words as a command line for the same state: our own command, or kubectl's. Words before a `|` are another command, which is piped into it. */
export function commandLineOf(flags: StateFlags): (words: readonly string[]) => string {
  const connection = connectionWords({ ...flags, v: undefined }, connectionFlags);
  const state = (flags.state ?? []).flatMap((path) => ['--state', path]);
  const instant = flags.at === undefined ? [] : ['--at', flags.at];
  const assumed = [
    ...(flags['karmada-version'] === undefined ? [] : ['--karmada-version', flags['karmada-version']]),
    ...(flags.assume ?? []).flatMap((one) => ['--assume', one]),
  ];
  const host = (['host-context', 'host-kubeconfig', 'host-namespace'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}=${flags[name]}`],
  );
  return (piped) => {
    const pipe = piped.indexOf('|');
    const before = pipe === -1 ? '' : `${piped.slice(0, pipe).map(shellWord).join(' ')} | `;
    const words = piped.slice(pipe + 1);
    // a moment of a recording that is looked at
    const at = words.includes('--at') ? [] : instant;
    // these read nothing but the clusters
    if (words[0] === 'cordon' || words[0] === 'uncordon') return commandLine([...words, ...connection]);
    if (words[0] !== 'kubectl')
      return before + commandLine([...words, ...connection, ...host, ...state, ...at, ...assumed]);
    return kubectlLine(words, [...connection, ...host]);
  };
}

/**
 * The flags with the kubeconfig's current context by its name, if they name no other: a screen is open for hours, and whoever switches
 * contexts meanwhile must change neither its actions nor what its commands do when they are copied. The flags as they are if the
 * kubeconfig cannot be read or has no such context: connecting says so.
 */
export async function withContext<F extends StateFlags>(flags: F): Promise<F> {
  if (flags.state?.length || (flags['karmada-context'] ?? flags.context ?? flags.server) !== undefined)
    return flags;
  const kubeconfig = await loadKubeconfig(flags.kubeconfig).catch(() => undefined);
  if (!kubeconfig?.contexts.has(kubeconfig.currentContext)) return flags;
  return { ...flags, 'karmada-context': kubeconfig.currentContext };
}
