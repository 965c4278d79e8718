import { charactersFor } from '../../terminal/screen/characters.ts';
import type { ActionRunner } from '../../terminal/dashboard/actions/actions.ts';
import type { DashboardFeed } from '../../terminal/dashboard/answers.ts';
import { firstState } from '../../terminal/dashboard/state.ts';
import { hasColours } from '../../terminal/capabilities.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import { textOutput } from '../../terminal/textOutput.ts';
import { flagNames } from '../flagNames.ts';
import type { StateFlags } from '../stateRequest.ts';
import { threadFile } from '../threadFile.ts';
import { commandLineOf, withContext } from './commandLineOf.ts';
import { feedInProcess, type FeedFlags } from './feedInProcess.ts';
import { feedInThread } from './feedInThread.ts';
import { openEditor } from './openEditor.ts';
import type { InitialWhatIf } from './simulated.ts';

export interface DashboardFlags extends FeedFlags {
  namespace?: string | undefined;
  plain?: boolean | undefined;
  'allow-actions'?: boolean | undefined;
}

/**
 * Shows the dashboard until the user quits; if it starts with a what-if, on the outcome page. `root` is the package's
 * directory. Resolves with the exit code.
 */
export async function showDashboard(
  flags: DashboardFlags,
  root: string,
  beginning?: InitialWhatIf,
): Promise<number> {
  const { style, width } = textOutput();
  const { namespace, plain, 'allow-actions': mayAct = false, ...given } = flags;
  const ofState = await withContext(given);
  const shown = {
    characters: charactersFor(process.env),
    first: beginning
      ? firstState({ view: 'tomorrow', whatIf: beginning.whatIf }, namespace, beginning.whatIf)
      : firstState(flags['controller-log'] === undefined ? undefined : { view: 'decisions' }, namespace),
    names: flagNames,
    commandLine: commandLineOf(ofState),
    stdin: process.stdin,
  };
  if (plain) {
    const { runPlain } = await import('../../terminal/dashboard/runPlain.ts');
    return runPlain({
      ...shown,
      feed: feedInProcess(ofState, beginning),
      write: (text) => writeToStdout(style.plain(text)),
      columns: width ?? PLAIN_WIDTH,
    });
  }
  const { runDashboard } = await import('../../terminal/dashboard/runDashboard.tsx');
  const terminal = { stdout: process.stdout, style, coloured: hasColours(process), editor: openEditor };
  const runner = mayAct ? await runnerOf(ofState, root) : undefined;
  return runDashboard({ ...shown, ...terminal, feed: feedOf(ofState, beginning, root), runner });
}

/** Columns for texts without a terminal. */
const PLAIN_WIDTH = 100;

/** A feed in its own thread, or in this one if the program is not built. */
function feedOf(flags: FeedFlags, beginning: InitialWhatIf | undefined, root: string): DashboardFeed {
  const file = threadFile(root);
  return file === undefined ? feedInProcess(flags, beginning) : feedInThread(flags, beginning, file);
}

/** The runner of actions: a thread for each; this thread if the program is not built. */
async function runnerOf(flags: StateFlags, root: string): Promise<ActionRunner> {
  const file = threadFile(root);
  if (file !== undefined)
    return (await import('./actions/actionsInThreads.ts')).actionsInThreads(flags, file);
  return (await import('./actions/actionsHere.ts')).actionsHere(flags);
}
