import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asciiCharacters, unicodeCharacters } from '../../terminal/dashboard/characters.ts';
import { runDashboard, type DashboardFeed } from '../../terminal/dashboard/runDashboard.tsx';
import { firstState } from '../../terminal/dashboard/state.ts';
import { showsUnicode } from '../../terminal/showsUnicode.ts';
import { plainStyle } from '../../presentation/text/style.ts';
import { textOutput } from '../../terminal/textOutput.ts';
import { shellWord } from '../../kubernetes/shellWord.ts';
import { commandLine, connectionWords } from '../commandLine.ts';
import { connectionFlags } from '../connection.ts';
import { flagNames } from '../flagNames.ts';
import type { StateFlags } from '../stateRequest.ts';
import { feedHere } from './feedHere.ts';
import { feedInThread } from './feedInThread.ts';

export interface DashboardFlags extends StateFlags {
  namespace?: string | undefined;
}

/** Shows the dashboard until somebody leaves it. `root` is the package's directory. Resolves with the exit code. */
export async function showDashboard(flags: DashboardFlags, root: string): Promise<number> {
  const { style } = textOutput();
  const { namespace, ...ofState } = flags;
  return runDashboard({
    stdin: process.stdin,
    stdout: process.stdout,
    style,
    coloured: style !== plainStyle,
    characters: showsUnicode(process.env) ? unicodeCharacters : asciiCharacters,
    feed: feedOf(ofState, root),
    first: firstState({ view: 'clusters' }, namespace),
    names: flagNames,
    commandLine: commandLineOf(ofState),
  });
}

/** In a thread of its own, unless this is not the build. */
function feedOf(flags: StateFlags, root: string): DashboardFeed {
  return existsSync(join(root, 'dist/dashboardFeed.cjs'))
    ? feedInThread(flags, join(root, 'bin/dashboardFeed.js'))
    : feedHere(flags);
}

/** Words as a command line for the same state: our own command, or kubectl's. */
export function commandLineOf(flags: StateFlags): (words: readonly string[]) => string {
  const connection = connectionWords({ ...flags, v: undefined }, connectionFlags);
  const state = (flags.state ?? []).flatMap((path) => ['--state', path]);
  const assumed = [
    ...(flags.at === undefined ? [] : ['--at', flags.at]),
    ...(flags['karmada-version'] === undefined ? [] : ['--karmada-version', flags['karmada-version']]),
    ...(flags.assume ?? []).flatMap((one) => ['--assume', one]),
  ];
  const host = (['host-context', 'host-kubeconfig', 'host-namespace'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}=${flags[name]}`],
  );
  return (words) => {
    if (words[0] !== 'kubectl') return commandLine([...words, ...connection, ...host, ...state, ...assumed]);
    const ofKubectl = connection.map((word) => word.replace(/^--karmada-context=/, '--context='));
    // commandLine leaves out tokens; here it would name our program
    return commandLine([...words.slice(1), ...ofKubectl]).replace(/^kubectl \S+/, shellWord('kubectl'));
  };
}
