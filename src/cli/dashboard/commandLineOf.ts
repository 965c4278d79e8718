import { shellWord } from '../../kubernetes/escaping.ts';
import { commandLine, connectionWords, kubectlLine } from '../commandLine.ts';
import { connectionFlags } from '../connectionFlags.ts';
import type { StateFlags } from '../stateRequest.ts';
import { loadKubeconfig } from '../../state/live/connection/kubeconfig.ts';

/**
 * Words as a command line for the same state: our own command, or kubectl. Words before a `|` are a command piped into
 * it.
 */
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
    // the shown moment of a recording
    const at = words.includes('--at') ? [] : instant;
    // these read only the clusters
    if (words[0] === 'cordon' || words[0] === 'uncordon') return commandLine([...words, ...connection]);
    if (words[0] !== 'kubectl')
      return before + commandLine([...words, ...connection, ...host, ...state, ...at, ...assumed]);
    return kubectlLine(words, [...connection, ...host]);
  };
}

/**
 * The flags, with the kubeconfig's current context unless they name one: switching contexts must not affect the actions
 * and copied commands of an open screen. Unchanged if the kubeconfig is unreadable or lacks the context: connecting
 * reports that.
 */
export async function withContext<F extends StateFlags>(flags: F): Promise<F> {
  if (flags.state?.length || (flags['karmada-context'] ?? flags.context ?? flags.server) !== undefined)
    return flags;
  const kubeconfig = await loadKubeconfig(flags.kubeconfig).catch(() => undefined);
  if (!kubeconfig?.contexts.has(kubeconfig.currentContext)) return flags;
  return { ...flags, 'karmada-context': kubeconfig.currentContext };
}
