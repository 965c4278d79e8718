import { shellWord } from '../../kubernetes/escaping.ts';
import { commandLine, connectionWords } from '../commandLine.ts';
import { connectionFlags } from '../connection.ts';
import type { StateFlags } from '../stateRequest.ts';

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
    const ofKubectl = connection.map((word) => word.replace(/^--karmada-context=/, '--context='));
    // commandLine leaves out tokens; here it would name our program
    return commandLine([...words.slice(1), ...ofKubectl]).replace(/^kubectl \S+/, 'kubectl');
  };
}
